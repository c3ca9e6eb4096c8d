// why: an assume inside a closure's body
// base: halve
// expect: VG301
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    let f = |y: u32| -> (z: u32) ensures z == 7 { assume(false); y };
    f(x)
}

} // verus!

fn main() {}
