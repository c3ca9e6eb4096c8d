// why: the whole macro exists for tests only
// base: halve
// expect: VG310
use vstd::prelude::*;

#[cfg(test)]
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
