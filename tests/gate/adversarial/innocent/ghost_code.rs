// why: ghost variables, trackers, proof blocks
// base: halve
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    let ghost y = x as int;
    let tracked t = ();
    proof {
        assert(half(y) == y / 2);
    }
    x / 2
}

} // verus!

fn main() {}
