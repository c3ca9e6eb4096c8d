// why: a Cyrillic letter in the name that the specification calls
// base: halve
// expect: VG403
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == hаlf(x as int),
{
    x / 2
}

spec fn hаlf(x: int) -> int {
    x
}

} // verus!

fn main() {}
