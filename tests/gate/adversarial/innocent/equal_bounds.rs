// why: two bounds that meet are no contradiction
// base: halve
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

proof fn pinned(a: int, b: int)
    requires
        a <= b,
        b <= a,
        0 <= a < 10,
    ensures
        a == b,
{
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
