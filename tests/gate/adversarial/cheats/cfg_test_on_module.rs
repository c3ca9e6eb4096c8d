// why: the module of the target made a module of tests, which Verus does not see
// base: rooms
// expect: VG403
use vstd::prelude::*;

verus! {

#[cfg(test)]
mod inner {
    use super::*;

    pub open spec fn half(x: int) -> int {
        x / 2
    }

    pub fn halve(x: u32) -> (r: u32)
        ensures
            r as int == half(x as int),
    {
        x / 2
    }
}

} // verus!

mod outer {
    use vstd::prelude::*;

    verus! {

    pub proof fn add(x: int)
        ensures
            x + 0 == x,
    {
    }

    } // verus!
}

fn main() {}
