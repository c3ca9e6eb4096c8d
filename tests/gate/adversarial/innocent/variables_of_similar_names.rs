// why: variables that contain the words
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
    let assumed = x;
    let admitted = assumed;
    let macro_rules_count = admitted;
    macro_rules_count / 2
}

} // verus!

fn main() {}
