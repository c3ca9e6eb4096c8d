// why: in the middle of executable code
// base: halve
// expect: VG302
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    let r = x;
    proof {
        if x > 3 {
            admit();
        }
    }
    r
}

} // verus!

fn main() {}
