// why: a variable called axiom
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

proof fn use_axiom(axiom: int)
    ensures
        axiom == axiom,
{
    let x = axiom;
}

} // verus!

fn main() {}
