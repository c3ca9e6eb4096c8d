// why: a requires clause that nobody meets
// base: halve
// expect: VG403
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

fn halve(x: u32) -> (r: u32)
    requires
        false,
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
