// why: under its own name every call of it is seen
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

use vstd::{map::*, pervasive::{assume, unreached}};
use vstd::pervasive::admit;

} // verus!

fn main() {}
