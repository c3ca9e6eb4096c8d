// why: names that hold the words
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

proof fn lemma_assume_guarantee(admitted: bool, unsafe_count: int)
    requires
        admitted,
    ensures
        unsafe_count == unsafe_count,
{
    let external_body_size = unsafe_count;
    assert(external_body_size == unsafe_count);
}

} // verus!

fn main() {}
