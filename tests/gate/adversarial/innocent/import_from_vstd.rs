// why: imports of vstd's own names
// base: halve
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

use vstd::seq::Seq;
use vstd::set_lib::*;
use vstd::arithmetic::div_mod::{lemma_fundamental_div_mod, lemma_mod_bound as small};

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    x / 2
}

} // verus!

fn main() {}
