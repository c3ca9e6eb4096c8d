// why: number forms with dots, signs, letters
// base: halve
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

fn numbers(p: ((u8, u8), u8)) -> u8 {
    let a = 0xAEu8;
    let b = 1_000u32;
    let t = p.0.1;
    let r = 0..2;
    t
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
