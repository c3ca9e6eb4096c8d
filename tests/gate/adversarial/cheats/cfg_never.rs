// why: a lemma that is never compiled, and its empty twin
// base: halve
// expect: VG310
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

#[cfg(any())]
proof fn helper(x: int)
    ensures
        half(x) == x,
{
    
}

#[cfg(not(any()))]
proof fn helper(x: int)
    ensures
        half(x) == x,
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
