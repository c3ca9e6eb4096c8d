// why: the function behind the requires keyword, called in the body
// base: halve
// expect: VG403
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    verus_builtin::r#requires(false);
    x / 2
}

} // verus!

fn main() {}
