// why: a broadcast lemma spreads what it assumes
// base: halve
// expect: VG301
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

broadcast proof fn everywhere(x: int)
    ensures
        #[trigger] half(x) == 7,
{
    assume(false);
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
