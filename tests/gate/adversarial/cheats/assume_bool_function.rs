// why: the builtin behind the keyword
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
    verus_builtin::assume_(false);
}

} // verus!

fn main() {}
