// why: the function behind the keyword, called by its path
// base: halve
// expect: VG301
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

proof fn helper(x: int)
    ensures
        half(x) == x,
{
    verus_builtin::assume_(false);
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
