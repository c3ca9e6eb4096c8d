// why: cfg_attr in cfg_attr
// base: halve
// expect: VG303
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

#[cfg_attr(all(), cfg_attr(not(any()), cfg_attr(all(), verifier::external_body)))]
fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
