// Values that become what is needed: references, boxes, units, results that never come.
// == clones of boxes and references
fn t(b: &Box<Vec<u64>>, r: &&Vec<u64>) { let c: Box<Vec<u64>> = b.clone(); let d: &Vec<u64> = r.clone(); let e: Vec<u64> = (**b).clone(); let f: Vec<u64> = (*r).clone(); }
fn u(o: Box<Option<u64>>) -> u64 requires o.is_some() { o.unwrap() }
// == options of references
fn t(o: Option<&u64>, v: &Vec<u64>) -> u64 { match o { Some(x) => *x, None => 0 } }
fn u(v: &Vec<u64>) -> Option<&u64> { if v.len() > 0 { Some(&v[0]) } else { None } }
fn w<'a>(m: &'a Option<Vec<u64>>) -> Option<&'a Vec<u64>> { match m { Some(x) => Some(x), None => None } }
fn x(m: &mut Option<u64>) -> Option<&mut u64> { match m { Some(x) => Some(x), None => None } }
fn y(m: Option<&mut Vec<u64>>) { if let Some(v) = m { v.push(3); let n: usize = v.len(); } }
fn z(m: &Option<Box<u64>>) -> Option<&u64> { match m { Some(b) => Some(b), None => None } }
// == coercions inside constructors
fn t(a: &[u64; 3], v: &Vec<u64>, s: &mut Vec<u64>) { let x: Option<&[u64]> = Some(a); let y: Option<&[u64]> = Some(v); let z: (&[u64], u8) = (v, 3); let w: Option<&Vec<u64>> = Some(s); let b: Box<[u64]> = Box::new([1, 2, 3]); }
struct H<'a> { s: &'a [u64], o: Option<&'a Vec<u64>> }
fn u<'a>(v: &'a Vec<u64>) -> H<'a> { H { s: v, o: Some(v) } }
fn w<'a>(v: &'a Vec<u64>) -> Result<&'a [u64], u8> { Ok(v) }
fn x(v: Vec<u64>) -> (Vec<u64>, usize) { let n = v.len(); (v, n) }
fn k(v: &mut Vec<u64>) -> (&Vec<u64>, u8) { (v, 3) }
fn n() -> (u64, u8) { if true { return (3, 4); } let t = (5, 6); t }
// == never in values
fn t(o: Option<u64>) -> u64 { let x: u64 = match o { Some(v) => v, None => { return 3; } }; let y: u64 = if x > 3 { x } else { vstd::pervasive::unreached() }; y }
fn u(x: u64) -> Result<u64, u8> { let y: u64 = if x > 3 { return Err(3); } else { x }; Ok(y) }
#[verifier::external_body]
fn never() -> ! { panic!() }
fn w(b: bool) -> u64 { let x: u64 = never(); if b { never() } else { 3 } }
// == units
fn t() -> () { }
fn u() { t() }
fn w() -> Option<()> { u(); Some(()) }
fn x() -> Result<(), u8> { t(); Ok(t()) }
fn y(a: ()) { y2(a); y2(t()); y2({}); }
fn y2(a: ()) { }
proof fn p() { p2() }
proof fn p2() -> (r: ()) { }
// == self by every form
#[derive(Clone, Copy)]
struct C { x: u64 }
impl C { fn a(self) -> u64 { self.x } fn b(&self) -> u64 { self.a() } fn c(&mut self) -> u64 { self.x = self.b(); self.x } fn d(self: &Self) -> C { *self } fn e(mut self) -> Self { self.x = 3; self } fn f(self: Box<Self>) -> u64 { self.x } fn g(other: &Self, x: Self) -> bool { other.x == x.x } }
fn t(c: C, d: &C, e: &mut C, f: Box<C>) -> u64 { let x = C::a(*d); let y = C::b(&c); let z = C::b(d); let w = C::b(e); let v = f.b(); let u: C = d.e(); if C::g(d, c) { x } else { y } }
// == spec functions with references
spec fn s1(v: &Vec<u64>, x: u64) -> bool { v.len() > 0 && v[0] == x }
spec fn s2(v: Vec<u64>) -> nat { v@.len() }
spec fn s3(s: &[u64]) -> bool { s@.len() > 0 && s[0] == 1 }
spec fn s4(s: &str) -> nat { s@.len() }
fn t(v: &Vec<u64>, w: Vec<u64>, a: &[u64; 4], b: &[u64], o: &mut Vec<u64>) requires s1(v, 3), s2(w) > 0, s2(*v) > 0, s1(&w, 4), s3(b), s3(a), s3(v.as_slice()) || true, s1(old(o), 3), s2(*old(o)) > 0, s4("abc") == 3 ensures s1(final(o), 3), s2(*final(o)) == s2(*old(o)) { assert(s1(o, 3)); assert(s2(*o) >= 0); let ghost g = *o; assert(s1(&g, 3) || true); }
// == numbers of mixed kinds in ghost code
proof fn t(a: u8, b: usize, c: i32, d: nat, e: int, s: Seq<u8>) { assert(a + b + c + d + e == e + d + c + b + a); assert(a * b >= 0); assert(a - b <= e || d < c || a == c || s.len() == b); let x: int = a + b; let y: int = d - 1; let z: nat = d + 1; let w: int = a as int - c; let v: int = s.len() - 1; let u: int = s[0] + 1; let t: nat = s.len() + d; let q: int = if a > b { a + 1 } else { d - 1 }; let p: nat = if a > 3 { 3 } else { d }; let k = s[b as int]; let j = s[d as int]; let i = s[e]; let h = s[a as int + 1]; let g = s[s.len() - a]; let f: int = -c; let m: u8 = (a + 1) as u8; let n: bool = a <= b <= d; let o: u8 = a % 3; let l: int = c % 3 + 0; }
