// why: a measure with a proof of its own
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

spec fn down(n: nat) -> nat
    decreases n when n > 1 via down_ends
{
    down((n - 1) as nat)
}

#[via_fn]
proof fn down_ends(n: nat) {
    assert(n - 1 < n);
}

} // verus!

fn main() {}
