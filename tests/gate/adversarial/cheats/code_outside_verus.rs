// why: a helper behind the macro, unseen by Verus
// base: halve
// expect: VG309
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

} // verus!

fn helper(x: u32) -> u32 {
    x + 1
}

fn main() {}
