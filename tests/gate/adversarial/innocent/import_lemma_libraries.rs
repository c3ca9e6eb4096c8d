// why: imports of lemma libraries
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

use vstd::arithmetic::div_mod::*;
use vstd::arithmetic::mul::{lemma_mul_inequality, lemma_mul_is_associative as mul_assoc};

} // verus!

fn main() {}
