// why: the measure of a spec function
// base: ledger
// expect: VG403
use vstd::prelude::*;

verus! {

pub open spec fn sorted(s: Seq<int>) -> bool {
    forall|i: int, j: int| #![trigger s[i], s[j]] 0 <= i < j < s.len() ==> s[i] <= s[j]
}

spec fn sum(s: Seq<int>) -> int
    decreases s.len() when s.len() < 3
{
    if s.len() == 0 {
        0
    } else {
        sum(s.drop_last()) + s.last()
    }
}

spec fn größe(s: Seq<int>) -> nat {
    s.len()
}

macro_rules! triple {
    ($x:expr) => {
        $x * 3
    };
}

macro_rules! skip {
    () => {
        assume(false)
    };
}

trait Account {
    spec fn amount(&self) -> int;

    proof fn positive(&self)
        ensures
            self.amount() >= 0,
    ;
}

struct Purse {
    coins: u32,
}

impl Purse {
    spec fn worth(&self) -> int {
        triple!(self.coins as int)
    }
}

impl Account for Purse {
    spec fn amount(&self) -> int {
        self.coins as int
    }

    proof fn positive(&self) {
    }
}

proof fn trusted(s: Seq<int>)
    ensures
        sum(s) >= 0,
{
    skip!();
}

proof fn least(s: Seq<int>)
    requires
        sorted(s),
        s.len() > 0,
    ensures
        forall|i: int| 0 <= i < s.len() ==> #[trigger] s[i] >= s[0],
{
}

fn rich<A: Account>(a: &A, p: &Purse) -> (r: bool)
    ensures
        r ==> a.amount() >= 0 && p.worth() >= 0,
        größe(seq![1int]) == 1,
{
    proof {
        a.positive();
    }
    true
}

} // verus!

fn main() {}
