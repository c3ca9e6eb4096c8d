// why: a default body that assumes
// base: halve
// expect: VG301
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

trait Free {
    proof fn free()
        ensures
            false,
    {
        assume(false);
    }
}

} // verus!

fn main() {}
