// why: raw identifiers in the attribute
// base: halve
// expect: VG303
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

#[r#verifier::r#external_body]
fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
