// why: casts of variables that are called as what brings in text or ends a proof
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
    x / 2
}

spec fn sum3(admit: u32, include: u32, other: u32) -> int {
    let (a, b) = (admit as int, include as int);
    (a + b) + { other as int }
}

} // verus!

fn main() {}
