// why: documentation may name what it warns of
// base: halve
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

/// Never `assume(x)`; see `admit()`.
/// ```rust
/// assume(false)
/// ```
proof fn helper(x: int)
    ensures
        half(2 * x) == x,
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
