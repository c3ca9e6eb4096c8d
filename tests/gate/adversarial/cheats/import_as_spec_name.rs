// why: an import that takes the name of the specification
// base: halve
// expect: VG404
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

use vstd::math::abs as half;

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
