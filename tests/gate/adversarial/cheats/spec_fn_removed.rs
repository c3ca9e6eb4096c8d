// why: the specification function is gone
// base: halve
// expect: VG403
use vstd::prelude::*;

verus! {

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == x as int / 2,
{
    x / 2
}

} // verus!

fn main() {}
