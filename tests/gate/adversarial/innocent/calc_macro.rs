// why: a calculation
// base: halve
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

proof fn chain(a: int, b: int)
    requires
        a == b,
{
    calc! {
        (==)
        a; { }
        b;
    }
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
