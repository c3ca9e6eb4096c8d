// why: the clause is still there, in a comment
// base: halve
// expect: VG403
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

fn halve(x: u32) -> (r: u32)
    ensures
        // r as int == half(x as int),
        true,
{
    x / 2
}

} // verus!

fn main() {}
