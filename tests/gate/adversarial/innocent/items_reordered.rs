// why: items in another order
// base: halve
use vstd::prelude::*;

fn main() {}

verus! {

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

spec fn half(x: int) -> int {
    x / 2
}

}