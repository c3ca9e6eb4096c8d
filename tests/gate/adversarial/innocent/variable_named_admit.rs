// why: a variable may be called so if it is never called
// base: halve
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    let admit = x;
    admit / 2
}

} // verus!

fn main() {}
