// why: a specification taken on trust
// base: halve
// expect: VG305
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

pub assume_specification<T>[ core::hint::black_box::<T> ](dummy: T) -> (r: T)
    ensures
        false,
;

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
