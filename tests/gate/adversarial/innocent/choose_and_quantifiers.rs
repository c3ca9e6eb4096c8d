// why: choose, exists, triggers of its own
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

proof fn pick(s: Set<int>)
    requires
        exists|x: int| #[trigger] s.contains(x) && x > 0,
    ensures
        true,
{
    let y = choose|x: int| #[trigger] s.contains(x) && x > 0;
    assert forall|z: int| #[trigger] s.contains(z) && z == y implies z > 0 by {
    }
    assert(y > 0 || false);
}

} // verus!

fn main() {}
