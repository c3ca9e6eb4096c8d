// why: one of several in a list
// base: halve
// expect: VG303
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

#[verifier(spinoff_prover, external_body)]
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
