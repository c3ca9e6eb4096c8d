// why: an early return in a body
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
    if x == 0 {
        return 0;
    }
    x / 2
}

} // verus!

fn main() {}
