// why: in the block of a constant
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

exec const ZERO: u32
    ensures
        ZERO == 1,
{
    assume(false);
    0
}

} // verus!

fn main() {}
