// why: the body only panics and nobody looks
// base: halve
// expect: VG307
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

#[verifier::external_body]
fn oracle(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    unimplemented!()
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    oracle(x)
}

} // verus!

fn main() {}
