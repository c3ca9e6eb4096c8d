// why: on the target itself
// base: halve
// expect: VG303
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

#[verifier::external_body]

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    7
}

} // verus!

fn main() {}
