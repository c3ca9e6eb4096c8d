// why: a file's text as a string
// base: halve
// expect: VG311
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    let s = include_str!("halve.rs");
    x / 2
}

} // verus!

fn main() {}
