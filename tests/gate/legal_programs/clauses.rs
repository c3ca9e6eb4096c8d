// Clauses, modes and quantifiers in the forms that the language has.
// == tracked mut pattern
fn t(Tracked(g): Tracked<&mut int>, Ghost(h): Ghost<&mut int>) requires *old(g) > 3 ensures *final(g) == *old(g) { }
// == quant let
proof fn t(s: Seq<int>) { assume(forall|i: int| { let k = i; 0 <= k < s.len() ==> #[trigger] s[i] > 0 }); }
// == quant struct field
struct P { a: int, b: Seq<int> }
proof fn t(q: Seq<P>) { assume(forall|i: int| 0 <= i < q.len() ==> q[i].a > 0 && q[i].b.len() > 0); assume(forall|p: P| p.a > 0 ==> p.b.len() > 0); }
// == quant eq view
proof fn t(v: Vec<u8>, w: Vec<u8>) { assume(forall|i: int| 0 <= i < v.len() ==> v@[i] == w[i]); assume(forall|x: Vec<u8>| x@ == v@); }
// == quant generic eq
proof fn t<A>(s: Set<A>, f: spec_fn(A) -> bool) { assume(forall|a: A| s.contains(a) <==> f(a)); assume(forall|a: A| #[trigger] f(a)); }
// == quant bits
proof fn t(x: u64) { assert(forall|y: u64| #[trigger] (x & y) <= x) by(bit_vector); assert(x & 1 < 2) by(bit_vector); assert(forall|i: u64| i < 64 ==> (1u64 << i) > 0) by(bit_vector); }
// == nonlinear
proof fn t(x: int, y: int) requires x > 0, y > 0 { assert(x * y > 0) by(nonlinear_arith) requires x > 0, y > 0; assert(forall|a: int, b: int| a > 0 && b > 0 ==> #[trigger] (a * b) > 0) by(nonlinear_arith); }
// == fn prover
proof fn t(x: u32) by(bit_vector) ensures x & 0 == 0 { }
proof fn u(x: int, y: int) by(nonlinear_arith) requires x > 0, y > 0 ensures x * y > 0 { }
// == broadcast
broadcast proof fn lem(x: int) ensures #[trigger] f(x) > 0 { admit(); }
uninterp spec fn f(x: int) -> int;
broadcast group g { lem, vstd::seq::group_seq_axioms }
proof fn t() { broadcast use g; broadcast use {lem, g}; assert(f(3) > 0); }
// == use in body
mod m { use super::*; pub open spec fn k(x: u64) -> u64 { x } }
proof fn t(x: u64) { use m::k; assert(k(x) == x); }
// == const block generic
struct Buf<T, const N: usize> { a: [T; N] }
impl<T: Copy, const N: usize> Buf<T, N> { const CAP: usize = N; fn cap(&self) -> usize { N } spec fn ok(&self) -> bool { self.a@.len() == N } fn get(&self, i: usize) -> T requires i < N { self.a[i] } }
// == type invariant
struct T { x: u64 }
impl T { #[verifier::type_invariant] spec fn inv(self) -> bool { self.x < 10 } fn get(&self) -> (r: u64) ensures r < 10 { proof { use_type_invariant(self); } self.x } }
// == opens inv
fn t() -> u64 opens_invariants none no_unwind { 3 }
fn u(x: u64) -> u64 requires x > 0 ensures true opens_invariants any { x }
// == returns clause
fn t(x: u64) -> u64 requires x < 10 returns (x + 1) as u64 { x + 1 }
// == default ensures
trait D { fn d(&self) -> (r: u64) ensures r < 10 default_ensures r == 3 { 3 } }
// == spec checked
spec(checked) fn c(x: u64) -> u64 recommends x > 0 { (x - 1) as u64 }
// == closed open
pub closed spec fn a() -> int { 1 }
pub open(crate) spec fn b() -> int { 1 }
pub(crate) open spec fn c() -> int { 1 }
// == proof fn closure
proof fn t() { let tracked f = proof_fn |x: int| -> (y: int) ensures y == x { x }; }
// == unwrap struct
struct W<T>(T);
impl<T> W<T> { fn into(self) -> T { self.0 } spec fn v(self) -> T { self.0 } }
fn t(w: W<u64>) -> (r: u64) ensures r == w.v() { w.into() }
// == inline attr
#[inline(always)]
#[must_use]
#[doc = "x"]
#[verifier::opaque]
spec fn z(x: int) -> int { x }
proof fn t() { reveal(z); hide(z); reveal_with_fuel(z, 2); }
// == exec ghost same module name
mod seq { use super::*; pub open spec fn len(x: u64) -> u64 { x } }
fn t(v: &Vec<u64>) -> usize { v.len() }
proof fn u() { assert(seq::len(3) == 3); }
// == return in proof fn
proof fn t(x: int) -> (r: int) { if x > 0 { return x; } return 0; }
// == exec assert forall
fn t(v: &Vec<u64>) { assert forall|i: int| 0 <= i < v.len() implies v[i] >= 0 by { let j = i; assert(v[j] >= 0); } }
// == tracked vars
tracked struct Tok { ghost x: int }
proof fn mk() -> (tracked t: Tok) { Tok { x: 3 } }
fn t() { let tracked t = mk(); let tracked Tok { x } = t; proof { let y = x + 1; } }
fn u() -> Tracked<Tok> { let tracked t = mk(); Tracked(t) }
// == ghost in exec cond
fn t(x: u64) -> u64 { let ghost g = x as int; if x > 3 { proof { assert(g > 3); } } let Ghost(h) = Ghost(x as nat); proof { let k: nat = h; } x }
// == while let
fn t(mut v: Vec<u64>) { while let Some(x) = v.pop() invariant true decreases v.len() { let y: u64 = x; } }
// == let else ghost
proof fn t(o: Option<int>) -> int { let Some(x) = o else { return 0; }; x }
proof fn u(o: Option<int>) requires o is Some { let x = o->0; let y = o->Some_0; let z = o.unwrap(); assert(x == y && y == z); }
// == seq ops
proof fn t(s: Seq<int>, t2: Seq<int>) { let a = s + t2; let b = s.add(t2); assert(a =~= b); let c = s.first() + s.last(); let d = a.len() + 1; let e: nat = s.len() + t2.len(); let f = s.take(3).skip(1).len(); assert(s.contains(3) ==> s.index_of(3) >= 0); assert(s.to_multiset().count(3) >= 0); assert(s.to_set().len() <= s.len()); let g: int = s.len() - t2.len(); }
// == set ops
proof fn t(s: Set<nat>, u: Set<nat>) { assert(s.union(u).contains(3) || s.subset_of(u) || s.disjoint(u)); let v = s + u; let w = s * u - s; assert(s <= u ==> s.len() <= u.len()); let k: nat = s.choose(); }
// == string fmt external
#[verifier::external_body]
fn t(x: u64) -> String { format!("{}", x) }
#[verifier::external]
fn u() { println!("a"); panic!(); }
