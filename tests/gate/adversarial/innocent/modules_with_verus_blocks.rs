// why: a module outside that only holds verus!
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

mod more {
    use vstd::prelude::*;
    verus! {
        pub proof fn nothing() {
        }
    }
}

fn main() {}
