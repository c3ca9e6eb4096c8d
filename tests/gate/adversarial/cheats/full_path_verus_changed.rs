// why: verus! named by a path from the root
// base: fullpath
// expect: VG403
::vstd::prelude::verus! {

use vstd::prelude::*;

spec fn half(x: int) -> int {
    0
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
