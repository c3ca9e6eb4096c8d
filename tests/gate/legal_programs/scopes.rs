// What a name, an attribute or a macro means where it stands: shadowing, modules, cfg, clauses as calls.
// == matches shadow bigand
spec fn f(o: Option<int>, i: usize, s: Seq<int>) -> bool {
    &&& o matches Some(i)
    &&& s[i] > 0
}
// == matches shadow and
spec fn f(o: Option<int>, i: usize, s: Seq<int>) -> bool {
    o matches Some(i) && s[i] > 0
}
// == matches shadow implies
spec fn f(o: Option<int>, i: usize, s: Seq<int>) -> bool {
    o matches Some(i) ==> s[i] > 0
}
// == matches shadow bigand3
spec fn f(o: Option<int>, i: usize, s: Seq<int>, b: bool) -> bool {
    &&& b
    &&& o matches Some(i)
    &&& b
    &&& s[i] > 0
}
// == cfg block
fn f(n: u64) {
    #[cfg(feature = "slow")]
    { let mut i = 0u64; while i < n { i = i + 1; } }
}
// == cfg let
fn f(n: u64) {
    #[cfg(not(verus_keep_ghost))]
    let m = n as int;
}
// == const generic shadow
const N: u64 = 3;
fn f<const N: usize>(a: [u8; N]) -> usize { N }
// == module fn glob arity
mod m { use super::*; pub open spec fn max(a: int) -> int { a } }
mod k { use vstd::math::*; use super::*; spec fn g(a: int, b: int) -> int { max(a, b) } }
// == module type same as vstd
mod m { use super::*; pub struct Set { pub x: u64 } impl Set { pub fn contains(&self, x: u64) -> bool { self.x == x } } }
spec fn g(s: Set<int>, x: int) -> bool { s.contains(x) }
// == async block return
fn f() -> u64 { let a = async { if true { return 5u8; } 6u8 }; 7 }
// == shadow let types
fn f(n: usize, s: Ghost<Seq<int>>) { let ghost n = n as int; assert(s@[n] == s@[n]); }
// == shadow match
spec fn f(i: usize, o: Option<int>, s: Seq<int>) -> int { match o { Some(i) => s[i], None => 0 } }
// == if let shadow
spec fn f(i: usize, o: Option<int>, s: Seq<int>) -> int { if let Some(i) = o { s[i] } else { 0 } }
// == if let chain shadow scope
fn f(o: Option<u64>, i: usize, v: &Vec<u8>) requires i < v.len() { if let Some(i) = o { let j: u64 = i; } let k: u8 = v[i]; }
// == label loop dec
fn g(n: u64) { let mut i = 0; 'outer: while i < n invariant i <= n decreases n - i { i += 1; if i == 3 { continue 'outer; } } }
// == ghost param call
proof fn lem(x: int) {}
fn g(Ghost(x): Ghost<int>, Tracked(t): Tracked<&mut int>) { proof { lem(x); } let ghost y = x + 1; assert(y == x + 1); }
fn h() { g(Ghost(3), Tracked(proof_from_false())); }
// == proof in closure
proof fn lem(x: int) {}
fn g() { let c = |x: u64| -> u64 { proof { lem(x as int); } x }; }
// == calc macro
proof fn g(a: int, b: int) requires a == b { calc! { (==) a; { } b; } }
// == seq macro
spec fn g() -> Seq<int> { seq![1, 2, 3] }
spec fn h() -> Set<int> { set![1, 2, 3] }
// == const generics
struct A<const N: usize> { a: [u8; N] }
impl<const N: usize> A<N> { fn len(&self) -> usize { N } }
// == dual view fn
struct A { x: u64 }
impl View for A { type V = int; closed spec fn view(&self) -> int { self.x as int } }
fn g(a: A) -> (r: u64) ensures r == a@ { a.x }
// == loop return dec
fn g() -> u64 { loop decreases 0int { return 3; } }
// == no dec module inner
mod m { #![verifier::exec_allows_no_decreases_clause] use super::*; fn g() { loop { } } }
// == no dec impl
struct S;
#[verifier::exec_allows_no_decreases_clause]
impl S { fn g(&self) { loop { } } fn h(&self) { self.h() } }
// == spec fn via
spec fn f(n: int) -> int decreases n when n >= 0 via f_dec { if n <= 0 { 0 } else { f(n - 1) } }
#[via_fn]
proof fn f_dec(n: int) { }
// == generics same name as type
struct T { x: u64 }
spec fn id<T>(x: T) -> T { x }
spec fn g(x: int) -> int { id(x) }
// == enum variant use
enum E { A(u64), B }
use E::*;
fn g() -> E { A(3) }
// == struct pattern shadow
struct P { i: int, s: Seq<int> }
spec fn f(p: P, i: usize) -> int { let P { i, s } = p; s[i] }
// == tuple pattern shadow
spec fn f(p: (int, Seq<int>), i: usize) -> int { let (i, s) = p; s[i] }
// == ref pattern
fn f(v: &Vec<u64>) { for x in it: v.iter() { let y: &u64 = x; } }
// == trigger arith
proof fn g() { assume(forall|x: int, y: int| #[trigger] (x * y) == y * x); }
// == trigger is
proof fn g() { assume(forall|o: Option<int>| #[trigger] (o is Some) ==> o != None::<int>); }
// == forall fnspec
proof fn g(f: spec_fn(int) -> bool) { assume(forall|x: int| f(x)); }
// == forall field tuple
proof fn g() { assume(forall|p: (int, int)| p.0 + p.1 == p.1 + p.0); }
// == uninterp
pub uninterp spec fn g() -> int;
// == old uninterp
spec fn g() -> int;
// == trait spec
pub trait T { spec fn g(&self) -> int; proof fn h(&self) ensures self.g() > 0; }
// == assume spec generic
pub assume_specification<T: PartialEq> [ <[T]>::ends_with ](a: &[T], b: &[T]) -> bool;
fn g(a: &[u8], b: &[u8]) -> bool { a.ends_with(b) }
// == slice full
fn g(a: &[u8]) -> &[u8] { a }
// == real lit
proof fn g() { let r: real = 1.5real; }
// == float
fn g(x: f64) -> bool { true }
// == old headers
spec fn good(x: u64) -> bool { x > 3 }
fn f(x: u64) -> u64 { requires(good(x)); ensures(|r: u64| good(r)); x }
// == old headers many
spec fn good(x: u64) -> bool { x > 3 }
fn f(x: u64) -> u64 { requires([good(x), x < 10]); ensures(|r: u64| [good(r), r < 10]); x }
// == async result
async fn one() -> (r: u64) ensures r == 1 { 1 }
fn take<F>(f: F) { }
async fn two() { let f = one(); take(one()); let r: u64 = one().await; assert(r == 1); }
// == macro bind
macro_rules! declare { ($x:ident, $e:expr) => { let $x: int = $e; } }
proof fn p(i: usize, s: Seq<int>) { declare!(i, 3); assert(s[i] == s[i]); }
// == proof decl
fn p(i: usize) { proof_decl! { let ghost mut zz = 3int; } proof { zz = zz + 1; } }
// == range from spec
pub assume_specification<T>[ <core::ops::RangeFrom<usize> as core::slice::SliceIndex<[T]>>::index ](i: core::ops::RangeFrom<usize>, s: &[T]) -> &[T];
fn g(s: &[u8]) { let t = &s[1..]; }
// == struct M
struct Car { four_doors: bool, passengers: int }
mod M { struct Car { four_doors: bool } }
fn t(p: int) { assert((Car { four_doors: true, passengers: p }).passengers == p); let c = Car { passengers: p, four_doors: true }; }
// == impl for alias
type Pred = spec_fn(int) -> bool;
trait Foo { spec fn foo(&self) -> bool; }
impl Foo for Pred { spec fn foo(&self) -> bool { true } }
