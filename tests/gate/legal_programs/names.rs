// Names that mean something else than the nearest declaration of that name.
// == trait method of a namesake: the type of another module has a spec fn of this name
mod a {
    use super::*;
    pub struct S;
    impl S { pub open spec fn f() -> int { 3 } }
}
mod b {
    use super::*;
    pub struct S;
    pub trait T { fn f() -> u8; }
    impl T for S { fn f() -> u8 { 3 } }
    fn g() -> u8 { S::f() }
}
// == method on self of a namesake: the type of another module has a spec fn of this name
mod a {
    use super::*;
    pub struct S;
    impl S { pub open spec fn f(&self) -> int { 3 } }
}
mod b {
    use super::*;
    pub struct S;
    pub trait T { fn f(&self) -> u8; }
    impl T for S { fn f(&self) -> u8 { 3 } }
    impl S { fn g(&self) -> u8 { self.f() } }
}
// == spec twin by an attribute macro: auto_spec makes the exec fn callable in ghost code
#[vstd::contrib::auto_spec]
fn half(x: u64) -> u64 { x / 2 }
proof fn p() { assert(half(4) == 2); }
// == closure named like a spec fn: the local name hides it
spec fn step(x: int) -> int { x + 1 }
fn g() -> u64 {
    let step = |x: u64| -> (r: u64) requires x < 10 ensures r == x + 1 { x + 1 };
    step(3)
}
// == fn inside a body named like a spec fn: the inner item hides the outer one
spec fn aux(x: int) -> int { x }
fn g() -> u64 {
    fn aux(x: u64) -> u64 { x }
    aux(3)
}
// == module and fn of one name: they live in two name spaces
mod lemma {
    use super::*;
    pub proof fn lemma() {}
}
use lemma::lemma;
fn h() { proof { lemma(); lemma::lemma(); } }
// == recursion of a trait method with decreases: the impl of the trait has the clause
trait T { fn f(&self, n: u64) -> u64; }
struct S;
impl T for S {
    fn f(&self, n: u64) -> u64 decreases n { if n == 0 { 0 } else { self.f(n - 1) } }
}
// == std method specified by a wrapper fn: external_fn_specification takes any name
#[verifier::external_fn_specification]
pub fn my_dedup<T: PartialEq>(v: &mut Vec<T>) { v.dedup() }
fn g(v: &mut Vec<u8>) { v.dedup(); }
// == std method specified with type arguments: the path ends in generics
pub assume_specification<T> [ Vec::<T>::leak::<'_> ](v: Vec<T>) -> &'static mut [T];
fn g(a: Vec<u8>) { let x = a.leak(); }
// == open range on a type with its own Index: that operator takes any range
pub struct W { v: Vec<u8> }
impl core::ops::Index<core::ops::RangeFrom<usize>> for W {
    type Output = [u8];
    #[verifier::external_body]
    fn index(&self, r: core::ops::RangeFrom<usize>) -> &[u8] { unimplemented!() }
}
fn g(w: &W) { let s = &w[1..]; }
// == type of a module named like one of the prelude: elsewhere the prelude's is meant
mod own {
    use vstd::prelude::*;
    pub struct Set { pub x: u64 }
    impl Set { pub fn contains(&self, x: u64) -> bool { self.x == x } }
}
spec fn h(m: Map<int, u64>) -> bool { m.dom().contains(3) }
// == fn of the file named like a builtin: the module beside imports the builtin only
fn add(a: i32, b: i32) -> i32 requires -9 < a < 9, -9 < b < 9 { a + b }
mod beside {
    use vstd::prelude::*;
    proof fn p(x: u8, y: u8) { let z: u8 = add(x, y); assert(add(x, y) == z); }
}
