// why: in a group
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

use std::{cmp::max, include_str as words};

} // verus!

fn main() {}
