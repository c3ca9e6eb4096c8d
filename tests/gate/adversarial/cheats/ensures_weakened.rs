// why: the ensures clause says less
// base: halve
// expect: VG403
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

fn halve(x: u32) -> (r: u32)
    ensures
        r <= x,
{
    x / 2
}

} // verus!

fn main() {}
