// why: a function of the file's own that lets guests in
// base: halve
use vstd::prelude::*;

verus! {

spec fn half(x: int) -> int {
    x / 2
}

fn admit(guest: u32) -> (r: u32)
    ensures
        r == guest,
{
    guest
}

fn halve(x: u32) -> (r: u32)
    ensures
        r as int == half(x as int),
{
    let y = admit(x);
    y / 2
}

} // verus!

fn main() {}
