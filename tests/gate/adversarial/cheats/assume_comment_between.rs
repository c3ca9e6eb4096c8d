// why: a comment stands between the word and its parenthesis
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
    assume/* sure */ // yes
        (false);
    7
}

} // verus!

fn main() {}
