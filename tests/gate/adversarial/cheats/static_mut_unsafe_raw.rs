// why: unsafe in an impl
// base: halve
// expect: VG312
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

struct Cell2;

unsafe impl Sync for Cell2 {
}

} // verus!

fn main() {}
