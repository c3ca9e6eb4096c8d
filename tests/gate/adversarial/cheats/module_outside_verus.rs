// why: a module with code outside verus!
// base: halve
// expect: VG309
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

mod helpers {
    pub fn half(x: u32) -> u32 {
        x
    }
}

fn main() {}
