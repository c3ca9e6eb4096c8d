// why: spread over lines with comments
// base: halve
// expect: VG303
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

#
/* a */ [
 verifier // b
 :: /* c */
 external_body
]
fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
