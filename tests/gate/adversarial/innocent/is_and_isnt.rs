// why: is, !is, matches, has
// base: halve
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

proof fn kinds(a: Option<int>, s: Set<int>)
    requires
        a is Some,
        a !is None,
        s has 1,
    ensures
        a matches Some(v) ==> v == a->0,
{
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
