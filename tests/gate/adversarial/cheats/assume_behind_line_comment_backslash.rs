// why: a backslash does not continue a line comment
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
    // not a continuation \
    assume(false);
    7
}

} // verus!

fn main() {}
