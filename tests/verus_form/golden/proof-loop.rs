//! Controller for the protocol `proof-loop`
//! `(next task (until_1_5 (next (until_1 plan (until lemma body)) submit verus) (or qed give-up)))`
//! with markers [Task] (environment input), [Plan], [Lemma], [Body], [Submit], [Verus] (environment input), [QED], [Give Up].
//!
//! unconfirmed: printed from the protocol's minimal automaton in the shape of a controller
//! that Verus has verified; this text itself has not been run through Verus.
//!
//! Section 1 (tables) is printed from the protocol.
//! Section 2 (machine code) repeats the tables in four functions; the other two functions
//! are the same for every protocol.
//! Section 3 (theory) is the same for every protocol.
//! Section 4 (theorems from tables) is about this protocol.

use vstd::prelude::*;

verus! {

// ---------------------------------------------------------------------------------------------
// Section 1, specific: the tables
// ---------------------------------------------------------------------------------------------

/// The states. `Start` is the initial state; every other state is named after the marker that
/// leads to it. One line per state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    Start,
    Task,
    Plan,
    Lemma,
    Body,
    Submit,
    Verus,
    Plan2,
    Lemma2,
    Body2,
    Qed,
    GiveUp,
    Submit2,
    Verus2,
    Plan3,
    Lemma3,
    Body3,
    Submit3,
    Verus3,
    Plan4,
    Lemma4,
    Body4,
    Submit4,
    Verus4,
    Plan5,
    Lemma5,
    Body5,
    Submit5,
    Verus5,
}

/// The markers, with their text. One line per marker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Marker {
    /// `[Task]`
    Task,
    /// `[Plan]`
    Plan,
    /// `[Lemma]`
    Lemma,
    /// `[Body]`
    Body,
    /// `[Submit]`
    Submit,
    /// `[Verus]`
    Verus,
    /// `[QED]`
    Qed,
    /// `[Give Up]`
    GiveUp,
}

/// The state before the first marker.
pub open spec fn initial() -> State {
    State::Start
}

/// The states in which a trace may end.
pub open spec fn accepting(s: State) -> bool {
    match s {
        State::Qed => true,
        State::GiveUp => true,
        _ => false,
    }
}

/// The markers that the environment writes; the model writes the others.
pub open spec fn from_environment(m: Marker) -> bool {
    match m {
        Marker::Task => true,
        Marker::Verus => true,
        _ => false,
    }
}

/// The state after marker `m` in state `s`; `None` is a violation. One line per legal pair.
pub open spec fn step(s: State, m: Marker) -> Option<State> {
    match (s, m) {
        (State::Start, Marker::Task) => Some(State::Task),
        (State::Task, Marker::Plan) => Some(State::Plan),
        (State::Task, Marker::Lemma) => Some(State::Lemma),
        (State::Task, Marker::Body) => Some(State::Body),
        (State::Plan, Marker::Lemma) => Some(State::Lemma),
        (State::Plan, Marker::Body) => Some(State::Body),
        (State::Lemma, Marker::Lemma) => Some(State::Lemma),
        (State::Lemma, Marker::Body) => Some(State::Body),
        (State::Body, Marker::Submit) => Some(State::Submit),
        (State::Submit, Marker::Verus) => Some(State::Verus),
        (State::Verus, Marker::Plan) => Some(State::Plan2),
        (State::Verus, Marker::Lemma) => Some(State::Lemma2),
        (State::Verus, Marker::Body) => Some(State::Body2),
        (State::Verus, Marker::Qed) => Some(State::Qed),
        (State::Verus, Marker::GiveUp) => Some(State::GiveUp),
        (State::Plan2, Marker::Lemma) => Some(State::Lemma2),
        (State::Plan2, Marker::Body) => Some(State::Body2),
        (State::Lemma2, Marker::Lemma) => Some(State::Lemma2),
        (State::Lemma2, Marker::Body) => Some(State::Body2),
        (State::Body2, Marker::Submit) => Some(State::Submit2),
        (State::Submit2, Marker::Verus) => Some(State::Verus2),
        (State::Verus2, Marker::Plan) => Some(State::Plan3),
        (State::Verus2, Marker::Lemma) => Some(State::Lemma3),
        (State::Verus2, Marker::Body) => Some(State::Body3),
        (State::Verus2, Marker::Qed) => Some(State::Qed),
        (State::Verus2, Marker::GiveUp) => Some(State::GiveUp),
        (State::Plan3, Marker::Lemma) => Some(State::Lemma3),
        (State::Plan3, Marker::Body) => Some(State::Body3),
        (State::Lemma3, Marker::Lemma) => Some(State::Lemma3),
        (State::Lemma3, Marker::Body) => Some(State::Body3),
        (State::Body3, Marker::Submit) => Some(State::Submit3),
        (State::Submit3, Marker::Verus) => Some(State::Verus3),
        (State::Verus3, Marker::Plan) => Some(State::Plan4),
        (State::Verus3, Marker::Lemma) => Some(State::Lemma4),
        (State::Verus3, Marker::Body) => Some(State::Body4),
        (State::Verus3, Marker::Qed) => Some(State::Qed),
        (State::Verus3, Marker::GiveUp) => Some(State::GiveUp),
        (State::Plan4, Marker::Lemma) => Some(State::Lemma4),
        (State::Plan4, Marker::Body) => Some(State::Body4),
        (State::Lemma4, Marker::Lemma) => Some(State::Lemma4),
        (State::Lemma4, Marker::Body) => Some(State::Body4),
        (State::Body4, Marker::Submit) => Some(State::Submit4),
        (State::Submit4, Marker::Verus) => Some(State::Verus4),
        (State::Verus4, Marker::Plan) => Some(State::Plan5),
        (State::Verus4, Marker::Lemma) => Some(State::Lemma5),
        (State::Verus4, Marker::Body) => Some(State::Body5),
        (State::Verus4, Marker::Qed) => Some(State::Qed),
        (State::Verus4, Marker::GiveUp) => Some(State::GiveUp),
        (State::Plan5, Marker::Lemma) => Some(State::Lemma5),
        (State::Plan5, Marker::Body) => Some(State::Body5),
        (State::Lemma5, Marker::Lemma) => Some(State::Lemma5),
        (State::Lemma5, Marker::Body) => Some(State::Body5),
        (State::Body5, Marker::Submit) => Some(State::Submit5),
        (State::Submit5, Marker::Verus) => Some(State::Verus5),
        (State::Verus5, Marker::Qed) => Some(State::Qed),
        (State::Verus5, Marker::GiveUp) => Some(State::GiveUp),
        _ => None,
    }
}

/// How many markers the shortest way to an accepting state has. One line per state.
pub open spec fn distance(s: State) -> nat {
    match s {
        State::Start => 5,
        State::Task => 4,
        State::Plan => 4,
        State::Lemma => 4,
        State::Body => 3,
        State::Submit => 2,
        State::Verus => 1,
        State::Plan2 => 4,
        State::Lemma2 => 4,
        State::Body2 => 3,
        State::Qed => 0,
        State::GiveUp => 0,
        State::Submit2 => 2,
        State::Verus2 => 1,
        State::Plan3 => 4,
        State::Lemma3 => 4,
        State::Body3 => 3,
        State::Submit3 => 2,
        State::Verus3 => 1,
        State::Plan4 => 4,
        State::Lemma4 => 4,
        State::Body4 => 3,
        State::Submit4 => 2,
        State::Verus4 => 1,
        State::Plan5 => 4,
        State::Lemma5 => 4,
        State::Body5 => 3,
        State::Submit5 => 2,
        State::Verus5 => 1,
    }
}

/// The first marker on a shortest way to an accepting state. One line per state that is not
/// accepting.
pub open spec fn toward(s: State) -> Marker {
    match s {
        State::Start => Marker::Task,
        State::Task => Marker::Body,
        State::Plan => Marker::Body,
        State::Lemma => Marker::Body,
        State::Body => Marker::Submit,
        State::Submit => Marker::Verus,
        State::Verus => Marker::Qed,
        State::Plan2 => Marker::Body,
        State::Lemma2 => Marker::Body,
        State::Body2 => Marker::Submit,
        State::Submit2 => Marker::Verus,
        State::Verus2 => Marker::Qed,
        State::Plan3 => Marker::Body,
        State::Lemma3 => Marker::Body,
        State::Body3 => Marker::Submit,
        State::Submit3 => Marker::Verus,
        State::Verus3 => Marker::Qed,
        State::Plan4 => Marker::Body,
        State::Lemma4 => Marker::Body,
        State::Body4 => Marker::Submit,
        State::Submit4 => Marker::Verus,
        State::Verus4 => Marker::Qed,
        State::Plan5 => Marker::Body,
        State::Lemma5 => Marker::Body,
        State::Body5 => Marker::Submit,
        State::Submit5 => Marker::Verus,
        State::Verus5 => Marker::Qed,
        _ => arbitrary(),
    }
}

// ---------------------------------------------------------------------------------------------
// Section 2: the machine code. `transition`, `initial_state`, `is_accepting` and
// `is_from_environment` repeat the tables (specific); the rest is generic.
// ---------------------------------------------------------------------------------------------

/// The initial state.
pub fn initial_state() -> (s: State)
    ensures
        s == initial(),
{
    State::Start
}

/// Whether a trace may end in `s`.
pub fn is_accepting(s: State) -> (r: bool)
    ensures
        r == accepting(s),
{
    match s {
        State::Qed => true,
        State::GiveUp => true,
        _ => false,
    }
}

/// Whether the environment writes `m`.
pub fn is_from_environment(m: Marker) -> (r: bool)
    ensures
        r == from_environment(m),
{
    match m {
        Marker::Task => true,
        Marker::Verus => true,
        _ => false,
    }
}

/// One step of the controller; `None` is a violation.
pub fn transition(s: State, m: Marker) -> (r: Option<State>)
    ensures
        r == step(s, m),
{
    match (s, m) {
        (State::Start, Marker::Task) => Some(State::Task),
        (State::Task, Marker::Plan) => Some(State::Plan),
        (State::Task, Marker::Lemma) => Some(State::Lemma),
        (State::Task, Marker::Body) => Some(State::Body),
        (State::Plan, Marker::Lemma) => Some(State::Lemma),
        (State::Plan, Marker::Body) => Some(State::Body),
        (State::Lemma, Marker::Lemma) => Some(State::Lemma),
        (State::Lemma, Marker::Body) => Some(State::Body),
        (State::Body, Marker::Submit) => Some(State::Submit),
        (State::Submit, Marker::Verus) => Some(State::Verus),
        (State::Verus, Marker::Plan) => Some(State::Plan2),
        (State::Verus, Marker::Lemma) => Some(State::Lemma2),
        (State::Verus, Marker::Body) => Some(State::Body2),
        (State::Verus, Marker::Qed) => Some(State::Qed),
        (State::Verus, Marker::GiveUp) => Some(State::GiveUp),
        (State::Plan2, Marker::Lemma) => Some(State::Lemma2),
        (State::Plan2, Marker::Body) => Some(State::Body2),
        (State::Lemma2, Marker::Lemma) => Some(State::Lemma2),
        (State::Lemma2, Marker::Body) => Some(State::Body2),
        (State::Body2, Marker::Submit) => Some(State::Submit2),
        (State::Submit2, Marker::Verus) => Some(State::Verus2),
        (State::Verus2, Marker::Plan) => Some(State::Plan3),
        (State::Verus2, Marker::Lemma) => Some(State::Lemma3),
        (State::Verus2, Marker::Body) => Some(State::Body3),
        (State::Verus2, Marker::Qed) => Some(State::Qed),
        (State::Verus2, Marker::GiveUp) => Some(State::GiveUp),
        (State::Plan3, Marker::Lemma) => Some(State::Lemma3),
        (State::Plan3, Marker::Body) => Some(State::Body3),
        (State::Lemma3, Marker::Lemma) => Some(State::Lemma3),
        (State::Lemma3, Marker::Body) => Some(State::Body3),
        (State::Body3, Marker::Submit) => Some(State::Submit3),
        (State::Submit3, Marker::Verus) => Some(State::Verus3),
        (State::Verus3, Marker::Plan) => Some(State::Plan4),
        (State::Verus3, Marker::Lemma) => Some(State::Lemma4),
        (State::Verus3, Marker::Body) => Some(State::Body4),
        (State::Verus3, Marker::Qed) => Some(State::Qed),
        (State::Verus3, Marker::GiveUp) => Some(State::GiveUp),
        (State::Plan4, Marker::Lemma) => Some(State::Lemma4),
        (State::Plan4, Marker::Body) => Some(State::Body4),
        (State::Lemma4, Marker::Lemma) => Some(State::Lemma4),
        (State::Lemma4, Marker::Body) => Some(State::Body4),
        (State::Body4, Marker::Submit) => Some(State::Submit4),
        (State::Submit4, Marker::Verus) => Some(State::Verus4),
        (State::Verus4, Marker::Plan) => Some(State::Plan5),
        (State::Verus4, Marker::Lemma) => Some(State::Lemma5),
        (State::Verus4, Marker::Body) => Some(State::Body5),
        (State::Verus4, Marker::Qed) => Some(State::Qed),
        (State::Verus4, Marker::GiveUp) => Some(State::GiveUp),
        (State::Plan5, Marker::Lemma) => Some(State::Lemma5),
        (State::Plan5, Marker::Body) => Some(State::Body5),
        (State::Lemma5, Marker::Lemma) => Some(State::Lemma5),
        (State::Lemma5, Marker::Body) => Some(State::Body5),
        (State::Body5, Marker::Submit) => Some(State::Submit5),
        (State::Submit5, Marker::Verus) => Some(State::Verus5),
        (State::Verus5, Marker::Qed) => Some(State::Qed),
        (State::Verus5, Marker::GiveUp) => Some(State::GiveUp),
        _ => None,
    }
}

/// One step that the caller knows to be legal.
pub fn transition_legal(s: State, m: Marker) -> (t: State)
    requires
        step(s, m) is Some,
    ensures
        step(s, m) == Some(t),
{
    transition(s, m).unwrap()
}

/// The longest valid prefix of a trace: its length and the state it ends in.
pub fn longest_valid_prefix(steps: &[Marker]) -> (r: (usize, State))
    ensures
        r.0 <= steps@.len(),
        run(steps@.take(r.0 as int)) == Some(r.1),
        forall|j: int| r.0 < j <= steps@.len() ==> !valid_prefix(#[trigger] steps@.take(j)),
{
    hide(step);
    let mut s = initial_state();
    let mut k: usize = 0;
    while k < steps.len()
        invariant
            k <= steps@.len(),
            run(steps@.take(k as int)) == Some(s),
        decreases steps@.len() - k,
    {
        proof {
            lemma_extend(steps@.take(k as int), steps@[k as int]);
            assert(steps@.take(k as int).push(steps@[k as int]) =~= steps@.take(k + 1));
        }
        match transition(s, steps[k]) {
            Some(t) => {
                s = t;
                k = k + 1;
            },
            None => {
                proof {
                    lemma_stop_is_longest(steps@, k as int);
                }
                return (k, s);
            },
        }
    }
    (k, s)
}

// ---------------------------------------------------------------------------------------------
// Section 3, generic: the theory of any controller. `hide` keeps the tables out of proofs that do
// not look at them, which matters for large tables.
// ---------------------------------------------------------------------------------------------

/// The state after a whole trace, or `None` once a marker was illegal.
pub open spec fn run(steps: Seq<Marker>) -> Option<State>
    decreases steps.len(),
{
    if steps.len() == 0 {
        Some(initial())
    } else {
        match run(steps.drop_last()) {
            None => None,
            Some(s) => step(s, steps.last()),
        }
    }
}

/// No marker of `steps` violates the protocol.
pub open spec fn valid_prefix(steps: Seq<Marker>) -> bool {
    run(steps) is Some
}

/// `steps` is valid and may end here.
pub open spec fn complete(steps: Seq<Marker>) -> bool {
    run(steps) is Some && accepting(run(steps)->0)
}

/// Every prefix of a valid prefix is valid.
pub proof fn lemma_prefix_closed(steps: Seq<Marker>, k: int)
    requires
        valid_prefix(steps),
        0 <= k <= steps.len(),
    ensures
        valid_prefix(steps.take(k)),
    decreases steps.len(),
{
    hide(step);
    if k == steps.len() {
        assert(steps.take(k) =~= steps);
    } else {
        lemma_prefix_closed(steps.drop_last(), k);
        assert(steps.drop_last().take(k) =~= steps.take(k));
    }
}

/// One more marker after a valid prefix leads exactly where `step` says.
pub proof fn lemma_extend(steps: Seq<Marker>, m: Marker)
    requires
        valid_prefix(steps),
    ensures
        run(steps.push(m)) == step(run(steps)->0, m),
{
    hide(step);
    assert(steps.push(m).drop_last() =~= steps);
}

/// After an illegal marker nothing that follows can repair the trace.
pub proof fn lemma_illegal_is_final(steps: Seq<Marker>, m: Marker, more: Seq<Marker>)
    requires
        valid_prefix(steps),
        step(run(steps)->0, m) is None,
    ensures
        !valid_prefix(steps.push(m) + more),
{
    hide(step);
    let whole = steps.push(m) + more;
    let n = steps.len() as int + 1;
    lemma_extend(steps, m);
    if valid_prefix(whole) {
        lemma_prefix_closed(whole, n);
        assert(whole.take(n) =~= steps.push(m));
    }
}

/// If the marker after the first `k` is illegal, then no prefix longer than `k` is valid.
pub proof fn lemma_stop_is_longest(steps: Seq<Marker>, k: int)
    requires
        0 <= k < steps.len(),
        valid_prefix(steps.take(k)),
        step(run(steps.take(k))->0, steps[k]) is None,
    ensures
        forall|j: int| k < j <= steps.len() ==> !valid_prefix(#[trigger] steps.take(j)),
{
    hide(step);
    assert forall|j: int| k < j <= steps.len() implies !valid_prefix(#[trigger] steps.take(j)) by {
        lemma_illegal_is_final(steps.take(k), steps[k], steps.subrange(k + 1, j));
        assert(steps.take(k).push(steps[k]) + steps.subrange(k + 1, j) =~= steps.take(j));
    }
}

/// A correction keeps the accepted prefix: the first `k` markers of a trace followed by `m` still
/// begin with just these markers, and the whole is valid exactly when `m` is legal after them.
pub proof fn theorem_correction_keeps_prefix(steps: Seq<Marker>, k: int, m: Marker)
    requires
        0 <= k <= steps.len(),
        valid_prefix(steps.take(k)),
    ensures
        steps.take(k).push(m).take(k) == steps.take(k),
        valid_prefix(steps.take(k).push(m)) <==> step(run(steps.take(k))->0, m) is Some,
{
    hide(step);
    lemma_extend(steps.take(k), m);
    assert(steps.take(k).push(m).take(k) =~= steps.take(k));
}

/// The table `toward` does what it says: a state at distance 0 is accepting, and from any other
/// state its marker is legal and leads nearer.
proof fn lemma_toward(s: State)
    ensures
        distance(s) == 0 ==> accepting(s),
        distance(s) > 0 ==> step(s, toward(s)) is Some && distance(step(s, toward(s))->0) < distance(s),
{
}

/// There is no dead end: every valid prefix can be completed. (Print this, `lemma_toward` and the
/// tables `distance` and `toward` only for an automaton without dead states.)
pub proof fn theorem_can_finish(steps: Seq<Marker>) -> (more: Seq<Marker>)
    requires
        valid_prefix(steps),
    ensures
        complete(steps + more),
        more.len() <= distance(run(steps)->0),
    decreases distance(run(steps)->0),
{
    hide(step);
    hide(toward);
    hide(distance);
    let s = run(steps)->0;
    lemma_toward(s);
    if distance(s) == 0 {
        assert(steps + Seq::<Marker>::empty() =~= steps);
        Seq::empty()
    } else {
        lemma_extend(steps, toward(s));
        let more = theorem_can_finish(steps.push(toward(s)));
        assert(steps.push(toward(s)) + more =~= steps + (seq![toward(s)] + more));
        seq![toward(s)] + more
    }
}

// ---------------------------------------------------------------------------------------------
// Section 4, specific: what this protocol guarantees, from tables
// ---------------------------------------------------------------------------------------------

/// The marker that leads to a state; `None` for the initial state. One line per state.
pub open spec fn entered_by(s: State) -> Option<Marker> {
    match s {
        State::Start => None,
        State::Task => Some(Marker::Task),
        State::Plan => Some(Marker::Plan),
        State::Lemma => Some(Marker::Lemma),
        State::Body => Some(Marker::Body),
        State::Submit => Some(Marker::Submit),
        State::Verus => Some(Marker::Verus),
        State::Plan2 => Some(Marker::Plan),
        State::Lemma2 => Some(Marker::Lemma),
        State::Body2 => Some(Marker::Body),
        State::Qed => Some(Marker::Qed),
        State::GiveUp => Some(Marker::GiveUp),
        State::Submit2 => Some(Marker::Submit),
        State::Verus2 => Some(Marker::Verus),
        State::Plan3 => Some(Marker::Plan),
        State::Lemma3 => Some(Marker::Lemma),
        State::Body3 => Some(Marker::Body),
        State::Submit3 => Some(Marker::Submit),
        State::Verus3 => Some(Marker::Verus),
        State::Plan4 => Some(Marker::Plan),
        State::Lemma4 => Some(Marker::Lemma),
        State::Body4 => Some(Marker::Body),
        State::Submit4 => Some(Marker::Submit),
        State::Verus4 => Some(Marker::Verus),
        State::Plan5 => Some(Marker::Plan),
        State::Lemma5 => Some(Marker::Lemma),
        State::Body5 => Some(Marker::Body),
        State::Submit5 => Some(Marker::Submit),
        State::Verus5 => Some(Marker::Verus),
    }
}

/// The state tells the last marker of the trace.
pub proof fn lemma_entered_by(steps: Seq<Marker>)
    requires
        valid_prefix(steps),
    ensures
        entered_by(run(steps)->0) == if steps.len() == 0 {
            None
        } else {
            Some(steps.last())
        },
{
}

/// Nothing can follow [QED]: in a valid trace it can only be the last marker.
pub proof fn theorem_nothing_after_qed(steps: Seq<Marker>, k: int)
    requires
        valid_prefix(steps),
        0 <= k < steps.len(),
        steps[k] == Marker::Qed,
    ensures
        k == steps.len() - 1,
        forall|m: Marker| !valid_prefix(#[trigger] steps.push(m)),
{
    let upto = steps.take(k + 1);
    lemma_prefix_closed(steps, k + 1);
    lemma_entered_by(upto);
    assert(run(upto) == Some(State::Qed));
    if k + 1 < steps.len() {
        lemma_illegal_is_final(upto, steps[k + 1], steps.skip(k + 2));
        assert(upto.push(steps[k + 1]) + steps.skip(k + 2) =~= steps);
    }
    assert(upto =~= steps);
    assert forall|m: Marker| !valid_prefix(#[trigger] steps.push(m)) by {
        lemma_extend(steps, m);
    }
}

/// Nothing can follow [Give Up]: in a valid trace it can only be the last marker.
pub proof fn theorem_nothing_after_give_up(steps: Seq<Marker>, k: int)
    requires
        valid_prefix(steps),
        0 <= k < steps.len(),
        steps[k] == Marker::GiveUp,
    ensures
        k == steps.len() - 1,
        forall|m: Marker| !valid_prefix(#[trigger] steps.push(m)),
{
    let upto = steps.take(k + 1);
    lemma_prefix_closed(steps, k + 1);
    lemma_entered_by(upto);
    assert(run(upto) == Some(State::GiveUp));
    if k + 1 < steps.len() {
        lemma_illegal_is_final(upto, steps[k + 1], steps.skip(k + 2));
        assert(upto.push(steps[k + 1]) + steps.skip(k + 2) =~= steps);
    }
    assert(upto =~= steps);
    assert forall|m: Marker| !valid_prefix(#[trigger] steps.push(m)) by {
        lemma_extend(steps, m);
    }
}

} // verus!

fn main() {}
