// why: closing angle brackets in a row
// base: halve
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

spec fn deep(m: Map<int, Seq<Set<nat>>>) -> bool {
    m.dom().len() >= 1 && 8 >> 2 == 2int
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
