// why: a lemma in a module of the base, lints and a module of tests
// base: rooms
use vstd::prelude::*;

verus! {

#[allow(unused)]
mod inner {
    use super::*;

    pub proof fn two(x: int)
        ensures
            half(2 * x) == x,
    {
    }

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

#[cfg(test)]
mod tests {
    #[test]
    fn works() {
    }
}

fn main() {}
