// why: the last of a group
// base: halve
// expect: VG311
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

use core::{cmp::{max, min}, include as text};

} // verus!

fn main() {}
