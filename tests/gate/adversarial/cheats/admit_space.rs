// why: a blank before the parenthesis
// base: halve
// expect: VG302
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

proof fn helper(x: int)
    ensures
        half(x) == x,
{
    admit ();
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
