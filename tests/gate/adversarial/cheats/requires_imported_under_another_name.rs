// why: the same under an innocent name
// base: halve
// expect: VG403
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

use verus_builtin::requires as note;

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    note(false);
    x / 2
}

} // verus!

fn main() {}
