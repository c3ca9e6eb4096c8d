// why: an assume inside the proof of an assertion
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
    assert(half(x as int) == 7) by {
        assume(false);
    }
    7
}

} // verus!

fn main() {}
