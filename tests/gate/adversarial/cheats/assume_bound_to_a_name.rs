// why: the function bound to a variable
// base: halve
// expect: VG301
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

proof fn free()
    ensures
        false,
{
    let f = vstd::pervasive::assume;
    f(false);
}

} // verus!

fn main() {}
