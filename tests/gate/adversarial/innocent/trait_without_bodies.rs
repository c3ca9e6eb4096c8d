// why: methods of a trait have no bodies
// base: halve
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

trait Shape {
    spec fn area(&self) -> nat;

    proof fn positive(&self)
        ensures
            self.area() >= 0,
    ;

    fn measure(&self) -> (r: u32)
        ensures
            r as nat == self.area(),
    ;
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
