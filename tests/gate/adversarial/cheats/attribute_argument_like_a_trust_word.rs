// why: another meaning in specifications, by a function whose name begins like an attribute of trust
// base: halve
// expect: VG403
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

#[verifier::when_used_as_spec(cfg_half)]
fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

spec fn cfg_half(x: u32) -> u32 {
    0
}

} // verus!

fn main() {}
