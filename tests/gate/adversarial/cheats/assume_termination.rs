// why: termination taken on trust
// base: halve
// expect: VG308
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

#[verifier::assume_termination]
fn spin(x: u32) -> (r: u32)
    ensures
        false,
{
    spin(x)
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
