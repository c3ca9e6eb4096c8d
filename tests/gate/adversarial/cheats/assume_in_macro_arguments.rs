// why: an assume among the arguments of a macro of vstd
// base: halve
// expect: VG301
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

proof fn helper(x: int)
    ensures
        half(x) == x,
{
    assert_by_contradiction!(half(x) == x, { assume(false); });
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
