// why: tests in a module outside
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

} // verus!

fn main() {}

#[cfg(test)]
mod tests {
    #[test]
    fn works() {
        assert_eq!(1 + 1, 2);
    }
}
