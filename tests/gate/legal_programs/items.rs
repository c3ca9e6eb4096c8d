// Names of every kind of item, in every kind of place.
// == with clause
fn f(x: u64) -> (r: u64) with Tracked(y): Tracked<&mut u64>, Ghost(w): Ghost<int> requires x < 100, w > 3 ensures r == x { x }
// == closure with clause
fn g() { let f = |x: u64| -> (y: u64) requires x < 3 ensures y == x + 1 { x + 1 }; let z = f(2); assert(z == 3); }
// == has operators
proof fn t(s: Set<int>, m: Map<int, int>) { assert(s has 3 ==> s !has 4 || true); }
// == global
global size_of usize == 8;
proof fn t() { assert(usize::MAX > 3); }
// == unions
union U { a: u32, b: u8 }
fn u() { let x = U { a: 3 }; }
// == raw names
spec fn r#type(r#fn: int) -> int { r#fn }
proof fn t() { assert(r#type(3) == 3); let r#match = 4int; assert(r#match == 4); }
// == names in several scopes
proof fn t() { { let inner = 3int; assert(inner == 3); } let f = |inner: int| inner + 1; assert(f(3) == 4); }
// == vstd functions
use vstd::arithmetic::power2::*;
use vstd::math::{abs, max};
use vstd::pervasive::*;
proof fn t(x: int) { lemma_pow2(3); assert(abs(x) >= 0); let y = max(x, 3); assert(arbitrary::<int>() == arbitrary::<int>()); let z: int = arbitrary(); }
fn u() { print_u64(3); }
// == builtin functions
proof fn t<F: Fn(u64) -> u64>(f: F, x: u8, y: u8) { assert(call_requires(f, (3u64,)) || true); let a = add(x, y); let b = sub(x, y); let c = mul(x, y); assert(equal(a, a)); }
// == std functions in scope
fn t() { let v: Vec<u64> = Vec::new(); drop(v); let n = core::mem::size_of::<u64>(); }
use core::mem::swap;
fn u(a: &mut u64, b: &mut u64) { swap(a, b); std::mem::swap(a, b); }
// == function values
fn inc(x: u64) -> u64 requires x < 10 { x + 1 }
fn ap<F: Fn(u64) -> u64>(f: F) -> u64 requires f.requires((3,)) { f(3) }
fn t() -> u64 { ap(inc) }
proof fn p() { assert(inc.requires((3,))); }
// == fields named like functions
spec fn val(x: int) -> int { x }
struct S { val: u64, next: Option<Box<S>> }
fn t(s: &S) -> (r: u64) ensures r == s.val { let val = s.val; let S { val: other, next } = s; val }
// == short struct forms
struct Q { a: u64, b: Ghost<int> }
fn t(a: u64) -> Q { let ghost bb = 3int; let b = Ghost(bb); Q { a, b } }
fn u(q: Q) -> Q { Q { a: 3, ..q } }
// == trait constants and types
trait C { const K: usize; type T; fn mk() -> Self::T; }
struct X;
impl C for X { const K: usize = 3; type T = u64; fn mk() -> u64 { 4 } }
fn t() -> u64 { let y = X::K; X::mk() }
fn u<Z: C>() -> Z::T { Z::mk() }
// == impl trait
fn t(f: impl Fn(u64) -> u64, x: u64) -> u64 requires f.requires((x,)) { f(x) }
// == where clauses and lifetimes
fn t<'a, T>(x: &'a T, y: &'a T) -> (r: &'a T) where T: Copy ensures r == x { x }
// == early returns in proof
proof fn t(x: int) { if x > 3 { return; } assert(x <= 3); }
proof fn u(x: int) -> (r: int) decreases x { if x <= 0 { return 0; } let y = u(x - 1); y + 1 }
// == modules with namesakes
mod a { use super::*; pub open spec fn f(x: int) -> int { x } pub struct P { pub x: int } }
mod b { use super::*; pub fn f(x: u64) -> u64 { x } pub struct P { pub x: u64 } }
fn t() -> u64 { let p = b::P { x: 3 }; assert(a::f(3) == 3); b::f(p.x) }
use a::f as g;
proof fn u() { assert(g(3) == 3); }
// == enum with namesakes of types
enum Node { Leaf, Pair(Box<Node>, Box<Node>), Val(u64) }
struct Leaf { x: u64 }
fn t(l: Leaf) -> Node { let n = Node::Val(l.x); Node::Pair(Box::new(n), Box::new(Node::Leaf)) }
// == if let in exec and ghost
fn t(o: Option<u64>, p: Option<u64>) -> u64 { if let (Some(a), Some(b)) = (o, p) { if a < b { a } else { b } } else { 0 } }
spec fn u(o: Option<int>) -> int { if let Some(x) = o { x } else { 0 } }
fn w(o: &Option<u64>) -> u64 { if let Some(x) = o { *x } else { 0 } }
fn z(o: &mut Option<u64>) { if let Some(x) = o { *x = 3; } }
// == vectors of vectors
fn t(m: &Vec<Vec<u64>>, i: usize, j: usize) -> (r: u64) requires i < m.len(), j < m[i as int].len() ensures r == m[i as int][j as int], r == m@[i as int]@[j as int] { let row: &Vec<u64> = &m[i]; let x = m[i][j]; row[j] }
fn u(a: [[u8; 3]; 2]) -> u8 { a[1][2] }
fn w(s: &[Vec<u8>]) -> usize requires s.len() > 0 { s[0].len() }
// == bool arithmetic of ghost code
spec fn cnt(s: Seq<bool>) -> nat decreases s.len() { if s.len() == 0 { 0 } else { cnt(s.drop_last()) + (if s.last() { 1nat } else { 0nat }) } }
spec fn sum(s: Seq<u64>) -> int decreases s.len() { if s.len() == 0 { 0int } else { s[0] + sum(s.skip(1)) } }
spec fn sumn(s: Seq<u64>) -> nat decreases s.len() { if s.len() == 0 { 0 } else { s[0] as nat + sumn(s.subrange(1, s.len() as int)) } }
spec fn avg(a: u64, b: u64) -> int { (a + b) / 2 }
spec fn neg(a: u64) -> int { -(a as int) + -3 }
spec fn pow(b: int, e: nat) -> int decreases e { if e == 0 { 1 } else { b * pow(b, (e - 1) as nat) } }
