// why: cfg! with a raw identifier
// base: halve
// expect: VG310
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    if r#cfg!(verus_keep_ghost) {
        return x / 2;
    }
    x / 2
}

} // verus!

fn main() {}
