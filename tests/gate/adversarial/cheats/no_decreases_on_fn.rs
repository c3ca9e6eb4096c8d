// why: termination switched off for one function
// base: halve
// expect: VG308
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

#[verifier::exec_allows_no_decreases_clause]
fn spin(x: u32) -> (r: u32)
    ensures
        false,
{
    spin(x)
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    spin(x)
}

} // verus!

fn main() {}
