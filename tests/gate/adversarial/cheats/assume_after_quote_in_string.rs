// why: an escaped quote does not end the string before the assume
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
    let s = "a \" b";
    assume(false);
    7
}

} // verus!

fn main() {}
