// why: identifiers in other scripts
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
    let größe = x;
    let 值 = größe;
    值 / 2
}

} // verus!

fn main() {}
