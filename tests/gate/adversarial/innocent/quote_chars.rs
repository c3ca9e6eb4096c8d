// why: quotes in character literals open nothing
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
    let a = '"';
    let b = '\'';
    let c = b'"';
    let d = '\u{22}';
    x / 2
}

} // verus!

fn main() {}
