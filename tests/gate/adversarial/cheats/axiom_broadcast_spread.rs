// why: over lines
// base: halve
// expect: VG306
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

pub broadcast
    // law
    axiom
    fn law(x: int)
    ensures
        #[trigger] half(x) == x,
;

} // verus!

fn main() {}
