// why: a module under it
// base: halve
// expect: VG303
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

#[verifier::external_body]
mod lemmas {
}

} // verus!

fn main() {}
