// why: a tracked value out of nothing is an assumption too
// base: halve
// expect: VG301
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

proof fn helper(x: int)
    ensures
        half(x) == x,
{
    let tracked t = Tracked::<int>::assume_new();
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
