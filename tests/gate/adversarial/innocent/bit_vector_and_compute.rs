// why: solvers named
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
    x / 2
}

proof fn bits(a: u32)
    ensures
        a & 1 == a % 2,
{
    assert(a & 1 == a % 2) by (bit_vector);
    assert(1 + 1 == 2) by (compute_only);
}

} // verus!

fn main() {}
