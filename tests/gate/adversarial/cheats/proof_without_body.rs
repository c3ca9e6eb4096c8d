// why: a proof function that ends in a semicolon
// base: halve
// expect: VG306
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

proof fn law(x: int)
    ensures
        false,
;

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
