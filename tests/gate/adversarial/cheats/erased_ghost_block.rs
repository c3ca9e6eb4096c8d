// why: the target in a macro that erases it
// base: halve
// expect: VG403
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

verus_erase_ghost! {
fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

}
} // verus!

fn main() {}
