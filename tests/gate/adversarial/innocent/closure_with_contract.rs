// why: a closure with requires and ensures
// base: halve
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    let f = |y: u32| -> (r: u32)
        requires
            y > 0,
        ensures
            r == y / 2,
        { y / 2 };
    x / 2
}

} // verus!

fn main() {}
