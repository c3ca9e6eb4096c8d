// why: a group of its own
// base: halve
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

broadcast group mine {
    vstd::seq_lib::group_seq_properties,
    law,
}

broadcast proof fn law(x: int)
    ensures
        #[trigger] half(2 * x) == x,
{
}

} // verus!

fn main() {}
