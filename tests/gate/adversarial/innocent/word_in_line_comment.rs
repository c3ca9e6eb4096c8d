// why: a comment may say it
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
    // we never assume(false), nor admit(), nor #[verifier::external_body]
    x / 2
}

} // verus!

fn main() {}
