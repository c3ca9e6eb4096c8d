use vstd::prelude::*;

verus! {

#[verifier::opaque]
spec fn half(x: int) -> int {
    x / 2
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    proof {
        reveal(half);
    }
    x / 2
}

} // verus!

fn main() {}
