// why: a new type may have methods of common names
// base: halve
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

struct Stack {
    v: Vec<u32>,
}

impl Stack {
    spec fn len(&self) -> nat {
        self.v@.len()
    }

    fn push(&mut self, x: u32)
    {
        self.v.push(x);
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
