// why: unsafe code keeps no promise
// base: halve
// expect: VG312
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    let p = &x as *const u32;
    unsafe { *p / 2 }
}

} // verus!

fn main() {}
