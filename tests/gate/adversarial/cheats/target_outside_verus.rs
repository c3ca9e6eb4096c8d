// why: the target itself moved out of the macro
// base: halve
// expect: VG309
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

} // verus!

fn halve(x: u32) -> u32 {
    x / 2
}

fn main() {}
