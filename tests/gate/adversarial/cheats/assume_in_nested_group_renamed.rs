// why: renamed in a group within a group, names of others before it
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

use vstd::{map::*, pervasive::{unreached as u, assume as sure}};

} // verus!

fn main() {}
