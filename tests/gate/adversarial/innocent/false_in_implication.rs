// why: false behind an implication is no contradiction
// base: halve
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

proof fn cases(a: int)
    requires
        a < 0 ==> false,
        a > 5 || !(a > 5),
    ensures
        a >= 0,
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
