// why: labels, ranges, shifts, generics
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

fn count(n: u32) -> u32 {
    let mut i: u32 = 0;
    let v: Vec<Vec<u8>> = Vec::new();
    'outer: while i < n
        invariant
            i <= n,
        decreases n - i,
    {
        i = i + (1u32 << 0 >> 0);
        if i == 7 {
            break 'outer;
        }
    }
    i
}

} // verus!

fn main() {}
