// Declared types that agree, by coercion, by inference or because ghost code has its own operators.
// == fresh vec return
fn f() -> (r: Vec<u64>) ensures r.len() == 0 { let r = Vec::new(); assert(r.len() == 0); r }
// == fresh vec ghost use later typed
fn f() -> Vec<u64> { let mut r = Vec::new(); r.push(1u64); assert(r@[0] == 1); r }
// == fresh vec closure
fn g(v: &mut Vec<u8>) { v.push(3); }
fn f() { let mut r = Vec::new(); g(&mut r); assert(r@.len() >= 0); assert(r[0] == r[0]); }
// == fresh vec struct
struct B { v: Vec<u8> }
fn f() -> B { let v = Vec::new(); let b = B { v }; assert(b.v@.len() == 0); b }
// == fresh vec expected by assign
fn f() -> Vec<u8> { let r; r = Vec::new(); assert(r@ =~= Seq::<u8>::empty()); r }
// == fresh vec ghost annot
fn f() -> Vec<u8> { let r = Vec::new(); let ghost s: Seq<u8> = r@; assert(s.len() == 0); assert(r@ == s); r }
// == fresh vec eq typed
fn f() -> Vec<u8> { let r = Vec::new(); assert(r@ =~= Seq::<u8>::empty()); assert(r@.len() == 0); r }
// == fresh vec spec call
spec fn ok(s: Seq<u8>) -> bool { s.len() == 0 }
fn f() -> Vec<u8> { let r = Vec::new(); assert(ok(r@)); assert(r@.len() == 0); r }
// == fresh len first
fn f(n: usize) -> (r: Vec<u8>) { let mut r = Vec::new(); let mut i = 0; while i < n invariant r.len() == i, i <= n decreases n - i { r.push(0u8); i += 1; } r }
// == fresh len view first
fn f(n: usize) -> (r: Vec<u8>) { let mut r = Vec::new(); let mut i: usize = 0; while i < n invariant r@.len() == i, i <= n decreases n - i { r.push(0u8); i += 1; } r }
// == int lit if
spec fn c(s: Seq<int>) -> int decreases s.len() { if s.len() == 0 { 0 } else { c(s.drop_last()) + if s.last() == 1 { 1int } else { 0 } } }
// == int lit if cast
spec fn c(s: Seq<int>) -> int decreases s.len() { if s.len() == 0 { 0 } else { c(s.drop_last()) + (if s.last() == 1 { 1 } else { 0 }) as int } }
// == lit branches cmp
spec fn c(b: bool, x: int) -> bool { x == if b { 1 } else { 0 } }
// == lit branches tuple
spec fn c(b: bool, x: int) -> (int, int) { (if b { 1 } else { 0 }, x) }
// == lit branches arg
spec fn d(x: int) -> int { x }
spec fn c(b: bool) -> int { d(if b { 1 } else { 0 }) + 1 }
// == nat sub cast
spec fn f(n: nat) -> nat decreases n { if n == 0 { 0 } else { 1 + f((n - 1) as nat) } }
// == nat add lit
spec fn f(n: nat) -> nat { n + 1 }
spec fn g(n: nat) -> nat { 1 + n }
spec fn h(n: nat) -> nat { 2 * n + 1 }
spec fn k(n: nat) -> nat { n * n + n }
// == nat div mod
spec fn f(n: nat) -> nat { n / 2 }
spec fn g(n: nat) -> nat { n % 3 }
spec fn h(n: nat) -> int { n / 2 - 1 }
spec fn m(n: u64) -> u64 { n / 2 }
spec fn o(n: i64) -> int { n / 2 }
spec fn p(n: i64) -> i64 { n % 2 }
spec fn q(a: i32, b: i32) -> int { a / b }
spec fn r(a: u32, b: u32) -> u32 { a % b }
// == int bits
spec fn f(n: u64) -> u64 { n & 3 }
spec fn g(n: u64) -> u64 { n >> 1 }
spec fn h(n: u64) -> u64 { !n }
spec fn k(n: u64) -> u64 { n ^ n | 1 }
// == seq len int
spec fn f(s: Seq<int>) -> nat { s.len() }
spec fn g(s: Seq<int>) -> int { s.len() as int }
spec fn h(s: Seq<int>) -> int { s.len() - 1 }
spec fn k(s: Seq<int>) -> int { s[s.len() - 1] }
spec fn l(s: Seq<int>) -> int { s[0] + s[s.len() as int - 1] }
// == eq mixed ints
spec fn f(s: Seq<int>, n: usize, v: Vec<u8>) -> bool { s.len() == n && v.len() == s.len() && n == v.len() && n as int == s.len() && n == s[0] && v[0] == s[1] }
// == ref eq
spec fn f(a: &u64, b: u64) -> bool { *a == b }
spec fn g(a: &Seq<int>, b: &Seq<int>) -> bool { a == b && *a =~= *b }
// == char cmp
spec fn f(c: char) -> bool { 'a' <= c <= 'z' && c as int == 97 && c == 'a' }
// == option cmp
spec fn f(o: Option<int>) -> bool { o == Some(3int) && o != None::<int> && o == Some(5) }
spec fn g(o: Option<u64>) -> bool { o == Some(3) }
spec fn h(o: Option<u64>) -> bool { o == Some(3u64) }
// == result ret
fn f(x: u64) -> Result<u64, ()> { if x > 3 { return Err(()); } Ok(x) }
fn g(x: u64) -> Result<u64, ()> { let y = f(x)?; Ok(y) }
fn h(x: u64) -> Option<u64> { if x > 3 { return None; } Some(x) }
// == box deref
enum L { N, C(u64, Box<L>) }
spec fn len(l: L) -> nat decreases l { match l { L::N => 0, L::C(_, t) => 1 + len(*t) } }
spec fn len2(l: &L) -> nat decreases l { match l { L::N => 0, L::C(_, t) => 1 + len2(t) } }
fn sum(l: &L) -> u64 decreases l { match l { L::N => 0, L::C(x, t) => { let y: u64 = *x; sum(t) } } }
// == arc rc
use std::rc::Rc;
fn f(x: Rc<u64>) -> u64 { *x }
fn g(x: &Rc<Vec<u64>>) -> usize { x.len() }
// == coercions
fn f(a: &[u8]) -> usize { a.len() }
fn g(v: &Vec<u8>, a: &[u8; 4], b: &mut Vec<u8>, x: Box<Vec<u8>>) -> usize { f(v) ; f(a) ; f(b) ; f(&x) ; f(v.as_slice()) }
fn h(s: &str) -> usize { 0 }
fn k(s: &String) -> usize { h(s) }
fn l(v: &mut Vec<u8>) -> usize { m(v) }
fn m(v: &Vec<u8>) -> usize { v.len() }
// == never types
fn f(x: u64) -> u64 requires x > 3 { if x > 3 { x } else { vstd::pervasive::unreached() } }
fn g(x: u64) -> u64 { let y: u64 = if x > 3 { return 4; } else { x }; y }
fn h(x: Option<u64>) -> u64 { let Some(y) = x else { return 4; }; y }
fn k(x: Option<u64>) -> u64 { match x { Some(y) => y, None => return 4 } }
fn l(n: u64) -> u64 { let mut i = 0u64; loop decreases 10 - i { if i >= 10 { break; } i += 1; } i }
fn m(n: u64) -> u64 { let mut i = 0u64; let r: u64 = loop decreases 10 - i { if i >= 10 { break i; } i += 1; }; r }
// == if statement value
fn f(x: u64) -> u64 { let mut y = 0u64; if x > 3 { y = 4 } else { y = 5; } y }
fn g(x: u64) -> u64 { if x > 3 { return 4 } 5 }
fn h(x: u64) { if x > 3 { return } }
fn k(x: u64) -> () { if x > 3 { assert(x > 2); } }
// == tuple ret
fn f(x: u64) -> (r: (u64, bool)) ensures r.0 == x, r.1 { (x, true) }
fn g(x: u64) -> u64 { let (a, b) = f(x); if b { a } else { 0 } }
fn h(x: u64) -> ((a, b): (u64, u64)) { (x, x) }
// == generics ret
fn id<T>(x: T) -> T { x }
fn f(x: u64) -> u64 { id(x) }
fn g(x: u64) -> u64 { let y: u64 = id::<u64>(x); y }
spec fn sid<T>(x: T) -> T { x }
spec fn h(x: int) -> int { sid(x) + sid(1int) }
// == impl self ret
#[derive(Clone, Copy)]
struct P { x: u64, y: u64 }
impl P { fn new(x: u64) -> Self { P { x, y: 0 } } fn swap(self) -> P { Self { x: self.y, y: self.x } } fn get(&self) -> u64 { self.x } spec fn sp(self) -> int { self.x + self.y } const Z: u64 = 3; }
fn f() -> P { let p = P::new(3); p.swap() }
fn g(p: &P) -> u64 { let q: P = *p; q.get() }
spec fn h(p: P) -> int { p.sp() + p.x }
// == trait assoc
trait Shape { spec fn area(&self) -> int; fn compute(&self) -> (r: u64) ensures r == self.area(); }
struct Sq { s: u64 }
impl Shape for Sq { spec fn area(&self) -> int { self.s * self.s } #[verifier::external_body] fn compute(&self) -> (r: u64) { self.s * self.s } }
fn f<T: Shape>(t: &T) -> (r: u64) ensures r == t.area() { t.compute() }
// == spec closure types
spec fn f(s: Seq<int>) -> Seq<int> { s.map(|i: int, x: int| x + i) }
spec fn g(s: Seq<int>) -> Seq<int> { s.filter(|x: int| x > 0) }
spec fn h(n: nat) -> Seq<int> { Seq::new(n, |i: int| i * 2) }
spec fn k(s: Seq<int>) -> int { s.fold_left(0, |a: int, x: int| a + x) }
spec fn m(s: Seq<u8>) -> Seq<int> { s.map_values(|x: u8| x as int) }
// == map types
spec fn f(m: Map<int, u64>, k: int) -> u64 { m[k] }
spec fn g(m: Map<int, u64>) -> Map<int, u64> { m.insert(3, 4).remove(5) }
spec fn h(m: Map<Seq<int>, u64>) -> bool { m.contains_key(seq![1int]) && m.dom().contains(seq![]) }
spec fn k(m: Map<u64, u64>, i: usize) -> bool { m.contains_key(i as u64) && m.dom().finite() && m.dom().len() == 3 }
// == ghost fields
struct G { x: u64, ghost y: int, tracked z: Tracked<int> }
struct H { x: u64, y: Ghost<int> }
fn f(x: u64) -> H { H { x, y: Ghost(x as int + 1) } }
fn g(h: &mut H) ensures final(h).y@ == old(h).y@ + 1 { h.y = Ghost(h.y@ + 1); }
// == ghost update
fn f() { let ghost mut s: Seq<int> = Seq::empty(); proof { s = s.push(1); } let ghost t = s; let mut u: Ghost<Seq<int>> = Ghost(s); proof { u@ = u@.push(2); } }
// == exec shift
fn f(x: u64, n: u32) -> u64 requires n < 64 { let y = x >> n; y << 3u8 }
// == exec assign ops
fn f(x: &mut u64, v: &mut Vec<u64>) requires *old(x) < 10, old(v).len() > 3 { *x += 1; let i: usize = 2; v[i] = 4; v.set(1, *x); }
// == int fn param exec
fn f(x: int, Ghost(y): Ghost<int>) { assert(x + y == y + x); let c = x; }
// == static const
const N: usize = 4;
pub const M: u64 = 10 * 3;
spec const K: int = 10;
exec const E: u64 ensures E == 5 { 5 }
exec static ST: u64 ensures ST == 5 { 5 }
fn f(v: &[u64; N]) -> u64 { if v.len() == N { M } else { E } }
spec fn g(i: int) -> bool { 0 <= i < N && K + M > N }
// == usize max
fn f(x: usize) -> bool { x < usize::MAX && x as u64 <= u64::MAX }
spec fn g(x: usize) -> bool { x <= usize::MAX && x + 1 <= usize::MAX + 1 }
// == nested ghost
proof fn lem(tracked x: &mut Ghost<int>, y: int) ensures final(x)@ == y { *x = Ghost(y); }
// == str lits
fn f() -> &'static str { "abc" }
proof fn g() { reveal_strlit("abc"); assert("abc"@.len() == 3); assert("abc"@ == seq!['a', 'b', 'c']); }
fn h(s: &str) requires s.is_ascii() { let n = s.unicode_len(); let c = s.get_char(0); }
fn k() -> String { String::from_str("abc") }
// == matches is arrow
enum E { A { x: u64 }, B(u64, bool), C }
spec fn f(e: E) -> bool { e is A && e->x == 3 || (e is B && e->B_0 == 3 && e->1) || e matches E::A { x } && x > 3 || e !is C }
// == let shadow ty
fn f(x: u64) -> usize requires x < 100 { let x = x as usize; let x: usize = x; x }
spec fn g(x: u64) -> int { let x = x as int; let x = x + 1; x }
// == match int
fn f(x: u64) -> bool { match x { 0 => true, 1 | 2 => false, 3..=9 => true, _ => false } }
spec fn g(x: int) -> int { match x { 0 => 1, _ => x } }
// == labels
fn f(n: u64) -> u64 { let mut i = 0u64; 'a: loop invariant i <= n decreases n - i { if i == n { break 'a; } i += 1; } i }
// == for variants
fn f(n: u64) -> u64 { let mut s = 0u64; for i in 0..n invariant s <= i { s = s; } s }
fn g(v: &Vec<u64>) { for i in iter: 0..v.len() invariant iter.end == v.len() { let x: u64 = v[i]; } for x in v { let y: &u64 = x; } for x in it: v.iter() invariant it.elements == v@ { } }
fn h(v: Vec<u64>) { for (i, x) in v.iter().enumerate() { let j: usize = i; } }
// == assume spec
pub assume_specification [ u64::is_power_of_two ](x: u64) -> (r: bool) ensures r == (x > 0);
// == shadow prelude fn
spec fn max(a: int, b: int) -> int { if a > b { a } else { b } }
spec fn min(a: int, b: int) -> int { if a > b { b } else { a } }
proof fn t(a: int, b: int) { assert(max(a, b) >= min(a, b)); }
