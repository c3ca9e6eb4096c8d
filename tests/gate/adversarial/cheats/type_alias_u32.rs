// why: u32 is something else here
// base: halve
// expect: VG404
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

#[allow(non_camel_case_types)]
type u32 = u8;

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
