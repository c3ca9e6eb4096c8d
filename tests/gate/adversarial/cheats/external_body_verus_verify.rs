// why: the attribute form of Verus outside the macro
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

} // verus!

#[verus_verify(external_body)]
fn trusted() {
}

fn main() {}
