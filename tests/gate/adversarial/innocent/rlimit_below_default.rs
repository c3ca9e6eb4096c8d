// why: less than the default is no raise
// base: halve
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

#[verifier::rlimit(5)]
proof fn helper(x: int)
    ensures
        half(2 * x) == x,
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
