// why: hints and lints for the whole file
// base: halve
#![verifier::loop_isolation(false)]
#![allow(unused_imports, dead_code)]
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

} // verus!

fn main() {}
