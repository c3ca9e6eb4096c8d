// why: a law postulated everywhere
// base: halve
// expect: VG306
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

pub broadcast axiom fn law(x: int)
    ensures
        #[trigger] half(x) == x,
;

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
