// why: the default limit
// base: halve
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

#[verifier::rlimit(10)]
#[verifier::spinoff_prover]
fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
