// why: prefix conjunctions, implications, chains
// base: halve
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

spec fn both(a: bool, b: bool) -> bool {
    &&& a ==> b
    &&& b <== a
    &&& (a <==> b)
    &&& {
        ||| a
        ||| !a
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
