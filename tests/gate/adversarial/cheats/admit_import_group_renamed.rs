// why: renamed inside an import group
// base: halve
// expect: VG302
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

use vstd::prelude::{admit as done};

proof fn helper(x: int)
    ensures
        half(x) == x,
{
    done();
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
