// why: the import gives assume an innocent name
// base: halve
// expect: VG301
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

use verus_builtin::assume_ as surely;

proof fn helper(x: int)
    ensures
        half(x) == x,
{
    surely(false);
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
