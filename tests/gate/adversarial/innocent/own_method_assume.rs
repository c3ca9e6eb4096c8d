// why: a method called assume on a type of its own
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

struct Guard {
    ok: bool,
}

impl Guard {
    fn note(&self) -> bool {
        self.ok
    }
}

fn use_guard(g: Guard) -> bool {
    g.note()
}

} // verus!

fn main() {}
