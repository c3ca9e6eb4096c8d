// why: the character literal of a quote opens no string
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
    let c = '"';
    assume(false); // "
    7
}

} // verus!

fn main() {}
