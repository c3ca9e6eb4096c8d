// why: a function that claims to be one of Verus
// base: halve
// expect: VG304
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

#[rustc_diagnostic_item = "verus::verus_builtin::admit"]
proof fn mine() {
}

} // verus!

fn main() {}
