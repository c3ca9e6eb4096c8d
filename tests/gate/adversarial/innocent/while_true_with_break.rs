// why: while true that ends by break
// base: server
// alone: VG308
#![verifier::exec_allows_no_decreases_clause]
use vstd::prelude::*;

verus! {

fn next(x: u64) -> (r: u64)
    requires
        x < 100,
    ensures
        r == x + 1,
{
    x + 1
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

fn once() {
    while true {
        break;
    }
}

} // verus!

fn main() {}
