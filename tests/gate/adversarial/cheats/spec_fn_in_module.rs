// why: the same in a module, imported
// base: halve
// expect: VG404
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

mod easy {
    use vstd::prelude::*;

    verus! {

    pub open spec fn half(x: int) -> int {
        x
    }

    }
}

use easy::*;

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
