// why: a constant of a parameter's name turns the pattern into a comparison
// base: halve
// expect: VG404
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

const x: u32 = 7;

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
