// why: a macro of the file's own hides the word
// base: halve
// expect: VG311
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

macro_rules! surely {
    ($e:expr) => {
        assume($e)
    };
}

proof fn helper(x: int)
    ensures
        half(x) == x,
{
    surely!(false);
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
