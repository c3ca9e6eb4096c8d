// why: no limit at all, old spelling
// base: halve
// expect: VG313
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

#[verifier(rlimit(infinity))]
proof fn helper(x: int)
    ensures
        half(x) == x,
{
    assert(half(x) == x);
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
