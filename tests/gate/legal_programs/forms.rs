// Older and newer forms of clauses, patterns, references and triggers.
// == old style decreases in bodies
spec fn f(n: nat) -> nat { decreases(n); if n == 0 { 0 } else { 1 + f((n - 1) as nat) } }
spec fn g(n: nat, m: nat) -> nat { decreases((n, m)); if n == 0 { 0 } else { 1 + g((n - 1) as nat, m) } }
spec fn h(n: int) -> int { decreases(n); decreases_when(n >= 0); decreases_by(h_dec); if n <= 0 { 0 } else { h(n - 1) } }
#[verifier::decreases_by]
proof fn h_dec(n: int) { }
fn k(n: u64) -> u64 { decreases(n); if n == 0 { 0 } else { k(n - 1) } }
// == clause with brackets
spec fn s(x: nat) -> nat decreases(x) { if x == 0 { 0 } else { 1 + s((x - 1) as nat) } }
fn w(n: u64) { let mut i = 0; while (i < n) invariant (i <= n), decreases (n - i), { i += 1; } }
// == constants in small letters
const one32: u32 = 1;
spec const two: int = 2;
exec static counter: u64 ensures counter == 3 { 3 }
proof fn t(x: u32) { assert(x == one32 ==> x < two); }
fn u() -> u64 { let c: u64 = counter; c }
// == future that never returns
#[verifier::exec_allows_no_decreases_clause]
fn forever() -> ! { loop { } }
#[verifier::exec_allows_no_decreases_clause]
fn t(b: bool) -> u64 { if b { 3 } else { forever() } }
// == macro in an impl
struct M;
impl M { verus! { proof fn p() { assert(true); } } }
// == reborrows
fn foo(x: &u64) { }
fn t() { let mut x: u64 = 0; let mut r = &mut x; *r = 20; let s: &u64 = r; assert(s == 20); foo(r); foo(&*r); foo(&x); }
fn upd<'a, 'b>(x: &'b mut &'a mut u64, y: &'a mut u64) { *x = y; }
fn fst(x: &mut (u64, u64)) -> (r: &mut u64) ensures *r == old(x).0, *final(r) == final(x).0 { &mut x.0 }
// == current and future of a mutable reference
fn t(x: &mut u64) ensures mut_ref_current(x) == mut_ref_future(x) { }
fn u(x: &mut (u64, u64)) ensures ({ mut_ref_future(x).1 == mut_ref_current(x).1 }) { }
// == labels in clauses
proof fn t(a: int, b: int) requires a <= b, #![verifier::proof_note("one")] b <= 3, ensures #![verifier::proof_note("two")] a <= 3 { }
fn u(x: u64) { #[verifier::proof_note("three")] assert(x >= 0); assume(#[verifier::proof_note("four")] (x > 0)); }
// == sequences by position
proof fn t(s: Seq<int>) { let a = s[0..2]; assert(seq![1int, 2, 3][1..2] =~= seq![2int]); assert(s.subrange(0, s.len() as int)[s.len() - 1] == s.last()); }
// == same method on different types
struct A { x: u64 }
struct B { x: u32 }
impl A { fn get(&self) -> u64 { self.x } spec fn val(&self) -> int { self.x as int } }
impl B { fn get(&self) -> u32 { self.x } fn val(&self) -> u32 { self.x } }
fn t(a: &A, b: &B) -> (r: u64) ensures a.val() == a.x { let p: u64 = a.get(); let q: u32 = b.val(); p }
// == spec and exec of one name in different impls of a trait
trait Len { spec fn len(&self) -> nat; }
struct W { v: Vec<u64> }
impl W { fn size(&self) -> usize { self.v.len() } }
impl Len for W { spec fn len(&self) -> nat { self.v@.len() } }
proof fn t(w: W) { let n: nat = w.len(); assert(n == w.v@.len()); assert(n == w.v.len()); }
// == helper with the name of a method
spec fn len(s: Seq<int>) -> int { s.len() as int }
spec fn push(s: Seq<int>, x: u64) -> Seq<int> { s.push(x as int) }
proof fn t(s: Seq<int>) { assert(len(s) == s.len()); assert(push(s, 3).len() == s.len() + 1); }
// == names bound by every pattern
enum E { A { p: int, q: Seq<int> }, B(int, Box<E>), C }
spec fn t(e: E, o: Option<(int, Seq<int>)>, a: [int; 3]) -> int decreases e { match e { E::A { p: r, q } if r > 0 => q[r], E::A { p, .. } => p, E::B(n, box_) => n + t(*box_, o, a), E::C => match o { Some((i, s)) => s[i], None => 0 } } }
fn w(x: u64) -> u64 { match x { n @ 1..=5 => n, n if n > 10 => n, other => other } }
fn z(t: (u64, (bool, u8))) -> u8 { let (a, (b, c)) = t; c }
// == loops as values
fn t(n: u64) -> u64 { let x = 'o: { if n > 3 { break 'o 1u64; } 2 }; let y: bool = loop decreases 0int { break true; }; if y { x } else { n } }
// == question marks and conversions
fn p(x: u64) -> Result<u64, u8> { if x > 3 { Err(1) } else { Ok(x) } }
fn q(x: u64) -> Result<(u64, bool), u8> { let a = p(x)?; let b = match p(a) { Ok(v) => v, Err(e) => return Err(e) }; Ok((a, b > 1)) }
fn r(o: Option<u64>) -> Option<bool> { let x = o?; Some(x > 3) }
// == shadowed counters
fn t(v: &Vec<u32>) -> u32 requires v.len() > 0 { let i = 0; let x = v[i]; let i = 0; let y: u32 = i; let i: u64 = 0; x + y }
fn u(n: u32) { let mut i = 0; while i < n invariant i <= n decreases n - i { i = i + 1; } let mut i = 0; let m: u64 = 3; while i < m invariant i <= m decreases m - i { i = i + 1; } }
// == literal used at two types by shadowing in blocks
fn t(a: u64, b: u8) { let k = 1; { let k = 2; let c: u8 = b / k; } let d: u64 = a / k; }
// == casts
fn t(b: char, c: bool, d: i64) -> u64 { let x = b as u32 as u64; let y = c as u64; let z = (d as u64) / 2 + b as u64 % 3; x / 2 + y % 2 }
proof fn u(a: u8, b: int, c: bool) { let x = b as u8 as int + a as int; let y = (b as nat) + 1; let z: nat = y; }
// == ghost variables of every kind
fn t(v: Vec<u64>, Ghost(g): Ghost<Seq<u64>>) requires v@ == g { let ghost i: int = 0; let ghost (a, b) = (1int, g); let ghost mut n: nat = 0; proof { n = n + 1; if g.len() > 0 { let z = g[i]; let y = b[a - 1]; } } let Ghost(k): Ghost<int> = Ghost(i + a); assert(k == 1); }
// == assert forall with shadowed names
proof fn t(i: usize, j: nat, s: Seq<int>) requires i < s.len() { assert forall|i: int, j: int| 0 <= i < j < s.len() implies #[trigger] s[i] + #[trigger] s[j] == s[j] + s[i] by { let k = s[i]; } assert(s[i as int] == s[i as int]); let f = |i: int| s[i]; let m = Map::new(|j: int| 0 <= j < 3, |j: int| s[j]); }
// == exists with choose
spec fn p(x: int, y: nat) -> bool;
proof fn t() requires exists|x: int, y: nat| p(x, y) { let (x, y) = choose|x: int, y: nat| p(x, y); let a: int = x; let b: nat = y; assert(p(a, b)); let z = choose|y: nat| p(x, y); assert(p(x, z) || true); }
// == triggers of every form
spec fn f(x: int) -> int;
spec fn q(x: int, y: int) -> bool;
proof fn t(s: Seq<Seq<int>>) { assume(forall|x: int| #![trigger f(x)] #![trigger q(x, 3)] f(x) > 0 && q(x, 3)); assume(forall|x: int, y: int| #![auto] q(x, y) ==> f(x) > f(y)); assume(forall|x: int, y: int| #![all_triggers] q(x, y) ==> q(y, x)); assume(forall|i: int, j: int| #![trigger s[i][j]] s[i][j] > 0); assume(exists|x: int| f(#[trigger] f(x)) > 0); assume(forall|x: int| (#[trigger] f(x)) > 0 && x > 0); assume(forall|x: u64, y: u64| #[trigger] (x ^ y) >= 0); assume(forall|x: int| #[trigger] (x + 1) > x); assume(forall|x: u8| #[trigger] (x as int) >= 0); }
// == behind a function that never returns
#[verifier::external_body]
fn forever() -> ! { loop { } }
fn f(b: bool) { if b { return; } forever(); while b { } }
fn g() { let x: u64 = forever(); loop { } }
fn h(b: bool) { if b { forever(); } else { forever() } while b { } }
struct S;
impl S { #[verifier::external_body] fn stop(&self) -> ! { loop { } } fn k(&self) { self.stop(); while true { } } }
