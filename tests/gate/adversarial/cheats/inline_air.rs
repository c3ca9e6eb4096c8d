// why: raw solver text can state anything
// base: halve
// expect: VG301
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

proof fn helper(x: int)
    ensures
        half(x) == x,
{
    inline_air_stmt("(assume false)");
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
