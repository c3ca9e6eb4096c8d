// why: a loop without end that does something
// base: server
// expect: VG307
#![verifier::exec_allows_no_decreases_clause]
use vstd::prelude::*;

verus! {

fn next(x: u64) -> (r: u64)
    requires
        x < 100,
    ensures
        r == x + 1,
{
    loop {
        let y = x;
    }
}

fn wait(x: u64) -> (r: u64)
    ensures
        r % 2 == 0,
{
    let mut i = x;
    loop
        invariant
            true,
        ensures
            i % 2 == 0,
    {
        if i % 2 == 0 {
            break;
        }
        i = 0;
    }
    i
}

} // verus!

fn main() {}
