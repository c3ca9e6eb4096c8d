// why: include! imported under another name
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
    x / 2
}

use core::include as text;

text!("lemmas.rs");

} // verus!

fn main() {}
