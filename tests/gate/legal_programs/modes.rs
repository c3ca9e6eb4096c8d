// Modes that attributes give instead of words.
// == mode attribute on a fn
#[verifier::spec]
fn f(a: u64) -> bool { true }
fn g() -> (res: bool) ensures forall|i: u64| f(i) { return true; }
// == older mode attribute on a fn
#[verifier(spec)]
fn f(a: u64) -> bool { true }
proof fn g() { assert(f(3)); }
// == mode attribute of a proof fn
#[verifier::proof]
fn f(a: u64) { }
fn g() { proof { f(3); } }
// == mode attribute on a let
spec fn f(a: u64) -> u64 { a }
fn g() { #[verifier::spec] let x = f(3); assert(x == 3); }
// == mode attribute on a parameter
spec fn f(a: u64) -> bool { true }
fn h(#[verifier::spec] x: bool, y: u64) { }
fn g() { h(f(3), 4); }
// == mode attribute on a field
spec fn f(a: u64) -> bool { true }
struct S { #[verifier::spec] i: bool, j: bool }
fn g(j: bool) { let s = S { i: f(3), j }; }
// == result in spec mode
spec fn f(a: u64) -> bool { true }
#[verifier::returns(spec)]
fn r() -> bool { f(3) }
// == formatter attribute
#[verusfmt::skip]
mod m { use vstd::prelude::*; spec fn f(a: u64) -> bool { true } }
