// why: vstd under another name, a module called vstd
// base: halve
// expect: VG404
use vstd as real;
use real::prelude::*;
mod vstd {
}

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

fn main() {}
