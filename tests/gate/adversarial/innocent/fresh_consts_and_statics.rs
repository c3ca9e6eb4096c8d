// why: constants of its own
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

const TEN: u32 = 10;

spec const ELEVEN: int = 11;

exec const TWELVE: u32
    ensures
        TWELVE == 12,
{
    12
}

} // verus!

fn main() {}
