// why: patterns with braces
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

enum Shape {
    Dot { x: int },
    Line { a: int, b: int },
}

spec fn left(s: Shape) -> int {
    match s {
        Shape::Dot { x } => x,
        Shape::Line { a, .. } if a > 0 => a,
        Shape::Line { b, .. } => b,
    }
}

} // verus!

fn main() {}
