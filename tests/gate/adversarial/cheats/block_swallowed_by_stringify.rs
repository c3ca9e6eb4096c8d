// why: a macro of std under the name verus swallows the file
// base: rooms
// expect: VG404
use vstd::prelude::*;
use core::stringify as verus;

verus! {

mod inner {
    use super::*;

    pub open spec fn half(x: int) -> int {
        x / 2
    }

    pub fn halve(x: u32) -> (r: u32)
        ensures
            r as int == half(x as int),
    {
        x / 2
    }
}

} // verus!

mod outer {
    use vstd::prelude::*;

    verus! {

    pub proof fn add(x: int)
        ensures
            x + 0 == x,
    {
    }

    } // verus!
}

fn main() {}
