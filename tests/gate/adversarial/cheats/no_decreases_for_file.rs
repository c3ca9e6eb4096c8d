// why: termination switched off for the whole file
// base: halve
// expect: VG308
#![verifier::exec_allows_no_decreases_clause]
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

} // verus!

fn main() {}
