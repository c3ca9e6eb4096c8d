// why: a primitive type under the name of another
// base: halve
// expect: VG404
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

use core::primitive::u8 as u32;

} // verus!

fn main() {}
