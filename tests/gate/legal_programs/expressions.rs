// Expressions in unusual places: values that are never computed, computation, soft keywords.
// == control flow
fn a(b: bool) { let x = if b { 1 } else { return; }; assert(x == 1); }
fn a2(b: bool) { let x = if b { return; } else { return; }; assert(false); }
fn a3(b: bool) { let x; x = if b { return; } else { return; }; assert(false); }
fn a4(b: bool) { let x = { }; assert(equal(x, ())); let y; y = if b { () } else { }; assert(equal(y, ())); }
fn a5() -> u32 { ensures(|r: u32| r < 3); let x: u32 = { return 1; 3 }; let y: u32 = { return 2; }; x + y }
fn a6() -> u8 { ensures(|y: u8| y == 5); return 5; }
fn a7() { let x = { return; } || true; assert(false); }
fn a8(b: bool) { let x = b || { return; }; assert(b); }
fn a9() { let x = { return; 7 } + 5; }
fn b1() { let x = 5 + { return; 7 }; }
fn b2() { if { return; true } { assert(false); } else { assert(false); } }
fn b3() -> (i: u8) ensures i == 3 { return { return 3; 5 }; }
fn b4() -> (i: u8) ensures i == 3 { return 3; return 5; }
fn b5() -> (i: u8) ensures i == 3 { return 3; 5 }
fn b6() { let x = if true { () }; assert(equal(x, ())); }
fn b7(b: bool) { let r = if b { let mut x = 5; x = 7; x } else { return; }; assert(r == 7); }
fn foo(x: u8) { }
fn foo2(x: ()) { }
fn b8() { foo({ return; }); }
fn b9() { foo2({ return; }); foo2(b8()); }
// == loops where nothing gets to
fn c2() { foo({ loop decreases 0int { } }); let f = |i: u64, b: bool| { if b { i } else { 0 } }; ({ f })(({ return; 20 }), ({ assert(false); false })); }
fn foo(x: u8) { }
// == values without use
spec fn some_int(x: int) -> int { x }
proof fn p1() { some_int(12); 7 + p2(); }
proof fn p2() -> int requires false { 13 }
fn e1() { 5; }
// == soft keywords
enum T { This(nat), That { v: int } }
proof fn k(t: T) requires t is This { let is = false; assert(!is); let has = false; assert(!has); assert(t is This != t is That); assert(t !is This != t !is That); assert(t is This ==> true); }
// == constructors by alias and Self
pub struct Animal { num_legs: u8 }
pub type Ani = Animal;
fn mk() { let y = Ani { num_legs: 3 }; let Ani { num_legs } = y; assert(num_legs == 3); }
impl Animal { fn new() { let y = Self { num_legs: 4 }; let Self { num_legs } = y; assert(num_legs == 4); } }
pub enum Direction { Left { }, Right(u8) }
pub type Node = Direction;
fn mk2() { let y = Node::Left { }; match y { Node::Left { } => { } Node::Right(z) => { } } }
impl Direction { fn new() { let y = Self::Right(5); match y { Self::Left { } => { } Self::Right(z) => { assert(z == 5); } } } }
pub struct Pt(u8);
impl Pt { fn new() { let y = Self(4); let Self(n) = y; } }
pub struct Un;
impl Un { fn new() { let y = Self; let Self = y; } }
// == nested updates
struct S { a: usize, b: i32 }
struct W { s: S, c: bool }
fn t(t: &mut W, v: usize) requires old(t).s.a < 30, v < 30 ensures *final(t) == (W { s: S { a: (old(t).s.a + v) as usize, ..old(t).s }, ..*old(t) }) { t.s.a = t.s.a + v; }
fn u() { let mut t = W { s: S { a: 10, b: -10 }, c: false }; t.s.b = t.s.b + 1; assert(t == W { s: S { a: 11, b: -9 as i32 }, c: false } || true); }
// == bit vectors
proof fn t(u1: u32, u2: u32) { assert((u1 as u64) << 32u64 | (u2 as u64) == add(mul(u1 as u64, 0x100000000), u2 as u64)) by(bit_vector); assert((u1 as u64) << (32 as u64) | (u2 as u64) == 0 || true); assert(!u1 != !u2 ==> !(u1 == u2)) by(bit_vector); assert(u1 << 2 == mul(u1, 4)) by(bit_vector) requires u1 < 5; let b: u8 = 20; let w: u64 = 20; assert((b as u64) == w) by (bit_vector) requires b == 20 && w == 20 { } }
spec fn stuff(x: usize, y: usize, z: usize) -> usize { (x | y) & !z }
proof fn v(x: usize) { assert((x >> 32) == 0usize || true); assert((!x) as u64 == (!(x as u64)) || true); let max: u32 = 0xffff_ffff; }
// == choose of several
spec fn f(i: int, j: int) -> bool { i <= j }
proof fn t() { let (i, j): (int, int) = choose|i: int, j: int| f(i, j) && (1 + 1 == 2); assert(choose_tuple::<(nat, nat), _>(|m: nat, n: nat| f(m as int, n as int) && m < 0).0 >= 0); assert((choose|n: nat| f(n as int, 3) && n < 0) >= 0); }
// == computation
proof fn t(x: int) { assert(9int == if 7 > 3 { 9int } else { 5 }) by (compute_only); assert(if !!true { true } else { false }) by (compute_only); assert((|x: int| x + 1)(5) == 6) by (compute_only); assert({ let x: int = 7; let y: int = x + 1; x + y == 15 }) by (compute); assert(8int / -3 == -2) by (compute_only); assert(-8int % 3 == 1) by (compute_only); assert((7 + 7 * 2 > 20) && (22 - 5 <= 10 * 10)) by (compute_only); }
spec fn mk() -> (u32, u32, u64, bool) { (42, 330, 0x1_0000_0000, false) }
proof fn u() { assert(mk().2 - 0xFFFF_FFFF == 1) by (compute_only); assert(!mk().3) by (compute_only); }
// == consts in types
const TEST: usize = 4;
pub fn get_array() -> [u8; TEST] { return [0; TEST] }
fn run(val: &[(u32, u32)]) -> u64 requires val.len() > 0 { val[0].0 as u64 + val[0].1 as u64 }
enum FieldLess { A = 0, B = 1, C = 2 }
// == partial equality of one's own
pub struct A(pub u8);
impl core::cmp::PartialEq<A> for A { fn eq(&self, other: &A) -> (r: bool) { self.0 == other.0 } }
fn t(a: A, b: A) -> bool { a == b }
// == external module
#[verifier::external]
mod M { pub fn stuff() { panic!("x"); println!("y"); loop { } } }
// == slices of tuples and refs
fn t(v: &Vec<(u64, bool)>) -> u64 requires v.len() > 0 { let (a, b) = v[0]; let x: bool = v[0].1; if x && b { a } else { v[0].0 } }
