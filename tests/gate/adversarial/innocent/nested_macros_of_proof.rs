// why: assert_by_contradiction, assert_seqs_equal
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
    proof {
        assert_by_contradiction!(x >= 0, { assert(false); });
        assert_seqs_equal!(seq![1int] == seq![1int]);
    }
    x / 2
}

} // verus!

fn main() {}
