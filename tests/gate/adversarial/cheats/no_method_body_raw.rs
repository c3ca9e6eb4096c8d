// why: a raw identifier
// base: halve
// expect: VG306
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
    vstd::prelude::r#no_method_body()
}

} // verus!

fn main() {}
