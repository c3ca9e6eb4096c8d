// why: the older attribute for the same
// base: halve
// expect: VG305
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

#[verifier::external_fn_specification]
fn ex_swap(a: &mut u32, b: &mut u32)
    ensures
        false,
{
    core::mem::swap(a, b)
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
