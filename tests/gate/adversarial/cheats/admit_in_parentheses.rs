// why: admit in parentheses
// base: halve
// expect: VG302
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

proof fn free()
    ensures
        false,
{
    (admit)();
}

} // verus!

fn main() {}
