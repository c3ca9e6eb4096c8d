// why: text from elsewhere
// base: halve
// expect: VG311
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

include!("lemmas.rs");

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
