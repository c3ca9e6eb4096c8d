// why: and what it hides there
// base: fullpath
// expect: VG306
::vstd::prelude::verus! {

use vstd::prelude::*;

spec fn half(x: int) -> int {
    x / 2
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

proof fn free()
    ensures
        false,
;

} // verus!

fn main() {}
