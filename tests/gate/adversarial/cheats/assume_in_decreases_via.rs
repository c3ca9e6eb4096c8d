// why: in the proof of a termination
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
    x / 2
}

spec fn down(n: int) -> int
    decreases n via down_ends
{
    down(n + 1)
}

#[via_fn]
proof fn down_ends(n: int) {
    assume(false);
}

} // verus!

fn main() {}
