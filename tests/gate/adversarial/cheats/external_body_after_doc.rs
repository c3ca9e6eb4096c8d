// why: behind a doc comment and lints
// base: halve
// expect: VG303
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

/// halves
#[allow(unused)] #[inline] #[verifier::external_body]
fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
