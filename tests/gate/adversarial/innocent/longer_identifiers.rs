// why: longer identifiers are other names
// base: halve
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

spec fn assume_sorted(x: int) -> bool {
    x == x
}

proof fn admit_nothing(x: int)
    ensures
        assume_sorted(x),
{
}

proof fn external_body_guard()
{
}

proof fn axiom_of_nothing()
{
}

fn unsafe_not() {
}

fn extern_not() {
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
