// why: lemmas in a module
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

mod lemmas {
    use super::*;

    pub proof fn two(x: int)
        ensures
            half(2 * x) == x,
    {
    }
}

} // verus!

fn main() {}
