// why: a method of that name
// base: halve
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

struct Door {
    open: bool,
}

impl Door {
    fn admit(&self) -> (r: bool)
        ensures
            r == self.open,
    {
        self.open
    }
}

fn visit(d: &Door) -> bool {
    d.admit()
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
