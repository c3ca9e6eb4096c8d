// why: comments inside the specification
// base: halve
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int /* half */ == // of x
 half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
