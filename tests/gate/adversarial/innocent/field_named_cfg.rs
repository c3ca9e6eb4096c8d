// why: a field or variable named cfg
// base: halve
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

struct Run {
    cfg: u32,
}

fn level(r: &Run) -> u32 {
    r.cfg
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
