// why: a decreases clause with `when false` empties a spec function
// base: halve
// expect: VG403
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int
    decreases x when false
{
    x / 2
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
