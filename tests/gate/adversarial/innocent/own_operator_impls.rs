// why: operators for a type of its own
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

#[derive(Clone, Copy, PartialEq, Eq, Structural)]
struct Point {
    x: u32,
}

impl core::ops::Add for Point {
    type Output = Point;

    fn add(self, other: Point) -> Point {
        other
    }
}

} // verus!

fn main() {}
