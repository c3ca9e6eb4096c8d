// why: panic as a word in code that Verus checks
// base: halve
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

proof fn never(x: int)
    requires
        x > 0,
{
    if x < 0 {
        assert(false);
    }
}

spec fn panic(x: int) -> bool {
    x < 0
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
