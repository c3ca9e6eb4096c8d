// why: a string with /* in it opens no comment
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
    let s = "/*";
    assume(false);
    let t = "*/";
    7
}

} // verus!

fn main() {}
