// why: by the attribute form
// base: halve
// expect: VG313
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

#[verus_verify(rlimit(142))]
fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
