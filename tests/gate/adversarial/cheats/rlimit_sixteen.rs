// why: a limit that ends in a digit of a suffix
// base: halve
// expect: VG313
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

#[verifier::rlimit(16)]
fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
