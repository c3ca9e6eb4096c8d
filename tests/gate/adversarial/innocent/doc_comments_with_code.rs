// why: doc comments with code of the words
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

/// ```
/// assume(false); admit(); #[verifier::external_body] unsafe { }
/// ```
/** macro_rules! x { } */
proof fn documented() {
}

} // verus!

fn main() {}
