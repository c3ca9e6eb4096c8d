// why: a comment between name and brackets
// base: halve
// expect: VG302
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
    admit /* nothing to see */ ( /* */ );
}

} // verus!

fn main() {}
