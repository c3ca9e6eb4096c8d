// why: a provided method in a trait of its own
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
    x / 2
}

trait Named {
    fn name(&self) -> (r: u32)
        ensures
            r == 3,
    {
        3
    }
}

} // verus!

fn main() {}
