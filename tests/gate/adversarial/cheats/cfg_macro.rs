// why: a branch that only rustc takes
// base: halve
// expect: VG310
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    if cfg!(verus_keep_ghost) {
        x / 2
    } else {
        x
    }
}

} // verus!

fn main() {}
