// why: a bound with for<'a> makes no impl of a trait
// base: shapes
// expect: VG404
use vstd::prelude::*;

verus! {

pub const LIMIT: u32 = 100;

struct Bag {
    items: Vec<u64>,
    room: usize,
}

impl View for Bag {
    type V = Seq<u64>;

    closed spec fn view(&self) -> Seq<u64> {
        self.items@
    }
}

type Pair = (u64, u64);

spec fn ids(s: Seq<u64>) -> Set<u64> {
    s.to_set()
}

spec fn first(s: Seq<u64>) -> Option<u64> {
    if s.len() == 0 {
        None
    } else {
        Some(s[0])
    }
}

#[verifier::external_body]
fn clock() -> (t: u64)
    ensures
        t > 0,
{
    unimplemented!()
}

#[verifier::rlimit(50)]
proof fn slow(s: Seq<u64>)
    requires
        s.len() > 0,
    ensures
        ids(s).contains(s[0]),
{
    assert(s.contains(s[0]));
}

fn push(b: &mut Bag, x: u64)
    requires
        old(b)@.len() < LIMIT,
    ensures
        final(b)@ == old(b)@.push(x),
        ids(final(b)@).contains(x),
{
    b.items.push(x);
}

impl Bag where for<'a> &'a u8: Copy {
    spec fn view(&self) -> Seq<u64> {
        Seq::empty()
    }
}

} // verus!

fn main() {}
