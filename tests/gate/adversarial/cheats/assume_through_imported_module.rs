// why: the module renamed, the word stays
// base: halve
// expect: VG301
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

use vstd::pervasive as p;

proof fn free()
    ensures
        false,
{
    p::assume(false);
}

} // verus!

fn main() {}
