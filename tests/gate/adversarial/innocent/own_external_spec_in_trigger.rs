// why: a trigger attribute holds expressions, not switches
// base: halve
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

uninterp spec fn external(x: int) -> bool;

proof fn helper()
    ensures
        forall|x: int| #![trigger external(x)] external(x) ==> external(x),
{
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
