// why: braces inside a clause are part of the clause
// base: halve
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

proof fn helper(x: int)
    ensures
        half(x) == if x < 0 { half(x) } else { x / 2 },
{
}

proof fn helper2(x: int)
    ensures
        match x {
            0 => half(x) == 0,
            _ => true,
        },
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
