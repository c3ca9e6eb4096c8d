// why: assert by a solver with requires
// base: halve
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    assert(x / 2 <= x) by (nonlinear_arith)
        requires
            x >= 0,
    ;
    assert forall|y: int| y > 0 implies half(y) <= y by {
    }
    x / 2
}

} // verus!

fn main() {}
