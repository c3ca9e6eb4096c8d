// why: an assume in the body proves whatever it says
// base: halve
// expect: VG301
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    assume(half(x as int) == 7);
    7
}

} // verus!

fn main() {}
