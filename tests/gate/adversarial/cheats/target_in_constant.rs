// why: the target in the block of a constant
// base: halve
// expect: VG403
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

const _: () = {
fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

};
} // verus!

fn main() {}
