// why: other code for Verus than for rustc
// base: halve
// expect: VG310
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

#[cfg(not(verus_keep_ghost))]
fn really(x: u32) -> u32 {
    x + 1
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
