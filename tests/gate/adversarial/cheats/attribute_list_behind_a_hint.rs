// why: the older list form, a harmless name first
// base: halve
// expect: VG403
use vstd::prelude::*;

verus! {

#[verifier(inline, opaque)]
spec fn half(x: int) -> int {
    x / 2
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
