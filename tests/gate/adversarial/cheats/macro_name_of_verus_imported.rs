// why: another macro under the name of one of vstd
// base: halve
// expect: VG404
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

use core::todo as assert_by_contradiction;

} // verus!

fn main() {}
