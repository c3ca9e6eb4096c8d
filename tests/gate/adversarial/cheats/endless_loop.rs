// why: a loop without end meets every postcondition
// base: halve
// expect: VG307
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

#[verifier::exec_allows_no_decreases_clause]
fn oracle(x: u32) -> (r: u32)
    ensures
        false,
{
    loop {
    }
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
