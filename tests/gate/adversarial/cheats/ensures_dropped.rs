// why: no ensures clause at all
// base: halve
// expect: VG403
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

fn halve(x: u32) -> (r: u32)
{
    x / 2
}

} // verus!

fn main() {}
