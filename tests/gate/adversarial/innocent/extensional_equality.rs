// why: operators that tree-sitter does not know
// base: halve
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

proof fn same(a: Seq<int>, b: Seq<int>)
    requires
        a =~= b,
    ensures
        a =~~= b,
{
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
