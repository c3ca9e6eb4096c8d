// why: a law postulated
// base: halve
// expect: VG306
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

axiom fn law(x: int)
    ensures
        half(x) == x,
;

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
