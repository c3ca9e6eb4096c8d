// why: lifetimes and labels are no character literals
// base: halve
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

fn pick<'a, 'b: 'a>(a: &'a u32, b: &'b u32) -> (r: &'a u32)
    ensures
        r == a,
{
    'outer: loop
        decreases 0int,
    {
        break 'outer;
    }
    a
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
