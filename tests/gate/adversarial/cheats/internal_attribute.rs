// why: an attribute of Verus's own macros, set by hand
// base: halve
// expect: VG304
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

#[verus::internal(spec)]
fn helper() {
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
