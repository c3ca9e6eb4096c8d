// why: the target exists for tests only, so Verus never sees it
// base: halve
// expect: VG310
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

#[cfg(test)]
fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
