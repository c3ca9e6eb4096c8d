// why: using vstd's broadcast lemmas
// base: halve
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

broadcast use vstd::seq_lib::group_seq_properties;

broadcast group mine {
    vstd::seq::axiom_seq_ext_equal,
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
