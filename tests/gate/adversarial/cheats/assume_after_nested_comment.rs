// why: nested comments end where they end in Rust
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
    /* outer /* inner */ still a comment */ assume(false); /* } */
    7
}

} // verus!

fn main() {}
