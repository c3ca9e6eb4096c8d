// why: a comment that turns the line around
// base: halve
// expect: VG314
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    /* ‮ } ⁦if admin⁩ ⁦ begin */
    x / 2
}

} // verus!

fn main() {}
