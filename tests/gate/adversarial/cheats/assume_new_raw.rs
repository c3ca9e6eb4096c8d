// why: a tracked value from nowhere, raw and spaced
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
    x / 2
}

proof fn get() -> (tracked r: u8) {
    Tracked::<u8>::r#assume_new ( ) . get()
}

} // verus!

fn main() {}
