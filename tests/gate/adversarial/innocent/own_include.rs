// why: include is a fine name for a function
// base: halve
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

spec fn include(x: int) -> bool {
    x > 0
}

proof fn helper()
    ensures
        include(1),
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
