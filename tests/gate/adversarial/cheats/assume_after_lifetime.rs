// why: a lifetime's quote opens no character literal
// base: halve
// expect: VG301
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

fn pick<'a>(a: &'a u32) -> (r: &'a u32)
    ensures
        *r == 7,
{
    assume(false);
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
