//! Controller for the protocol `proof-pass`
//! `(next task (until_5 (next plan (until_1_8 (next action action-input) summary)) (until lemma body)) qed)`
//! with markers [Task] (environment input), [Plan], [Action], [Action Input], [Summary] (environment input), [Lemma], [Body], [QED].
//!
//! unconfirmed: printed from the protocol's minimal automaton in the shape of a controller
//! that Verus has verified; this text itself has not been run through Verus.
//!
//! Section 1 (tables) is printed from the protocol.
//! Section 2 (machine code) repeats the tables in four functions; the other two functions
//! are the same for every protocol.
//! Section 3 (theory) is the same for every protocol.
//! Section 4 (theorems from tables) is about this protocol.
//!
//! Left out for the size of the tables: `distance`, `toward`, `lemma_toward` and
//! `theorem_can_finish`.

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
    Action,
    Qed,
    ActionInput,
    Action2,
    Summary,
    ActionInput2,
    Plan2,
    Action3,
    Action4,
    ActionInput3,
    ActionInput4,
    Action5,
    Action6,
    Summary2,
    ActionInput5,
    ActionInput6,
    Plan3,
    Action7,
    Action8,
    Action9,
    ActionInput7,
    ActionInput8,
    ActionInput9,
    Action10,
    Action11,
    Action12,
    Summary3,
    ActionInput10,
    ActionInput11,
    ActionInput12,
    Plan4,
    Action13,
    Action14,
    Action15,
    Action16,
    ActionInput13,
    ActionInput14,
    ActionInput15,
    ActionInput16,
    Action17,
    Action18,
    Action19,
    Action20,
    Summary4,
    ActionInput17,
    ActionInput18,
    ActionInput19,
    ActionInput20,
    Plan5,
    Action21,
    Action22,
    Action23,
    Action24,
    ActionInput21,
    ActionInput22,
    ActionInput23,
    ActionInput24,
    Action25,
    Action26,
    Action27,
    Action28,
    Summary5,
    ActionInput25,
    ActionInput26,
    ActionInput27,
    ActionInput28,
    Action29,
    Action30,
    Action31,
    ActionInput29,
    ActionInput30,
    ActionInput31,
    Action32,
    Action33,
    Action34,
    ActionInput32,
    ActionInput33,
    ActionInput34,
    Action35,
    Action36,
    ActionInput35,
    ActionInput36,
    Action37,
    Action38,
    ActionInput37,
    ActionInput38,
    Action39,
    ActionInput39,
    Action40,
    ActionInput40,
}

/// The markers, with their text. One line per marker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Marker {
    /// `[Task]`
    Task,
    /// `[Plan]`
    Plan,
    /// `[Action]`
    Action,
    /// `[Action Input]`
    ActionInput,
    /// `[Summary]`
    Summary,
    /// `[Lemma]`
    Lemma,
    /// `[Body]`
    Body,
    /// `[QED]`
    Qed,
}

/// The state before the first marker.
pub open spec fn initial() -> State {
    State::Start
}

/// The states in which a trace may end.
pub open spec fn accepting(s: State) -> bool {
    match s {
        State::Qed => true,
        _ => false,
    }
}

/// The markers that the environment writes; the model writes the others.
pub open spec fn from_environment(m: Marker) -> bool {
    match m {
        Marker::Task => true,
        Marker::Summary => true,
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
        (State::Plan, Marker::Action) => Some(State::Action),
        (State::Lemma, Marker::Lemma) => Some(State::Lemma),
        (State::Lemma, Marker::Body) => Some(State::Body),
        (State::Body, Marker::Qed) => Some(State::Qed),
        (State::Action, Marker::ActionInput) => Some(State::ActionInput),
        (State::ActionInput, Marker::Action) => Some(State::Action2),
        (State::ActionInput, Marker::Summary) => Some(State::Summary),
        (State::Action2, Marker::ActionInput) => Some(State::ActionInput2),
        (State::Summary, Marker::Plan) => Some(State::Plan2),
        (State::Summary, Marker::Lemma) => Some(State::Lemma),
        (State::Summary, Marker::Body) => Some(State::Body),
        (State::ActionInput2, Marker::Action) => Some(State::Action3),
        (State::ActionInput2, Marker::Summary) => Some(State::Summary),
        (State::Plan2, Marker::Action) => Some(State::Action4),
        (State::Action3, Marker::ActionInput) => Some(State::ActionInput3),
        (State::Action4, Marker::ActionInput) => Some(State::ActionInput4),
        (State::ActionInput3, Marker::Action) => Some(State::Action5),
        (State::ActionInput3, Marker::Summary) => Some(State::Summary),
        (State::ActionInput4, Marker::Action) => Some(State::Action6),
        (State::ActionInput4, Marker::Summary) => Some(State::Summary2),
        (State::Action5, Marker::ActionInput) => Some(State::ActionInput5),
        (State::Action6, Marker::ActionInput) => Some(State::ActionInput6),
        (State::Summary2, Marker::Plan) => Some(State::Plan3),
        (State::Summary2, Marker::Lemma) => Some(State::Lemma),
        (State::Summary2, Marker::Body) => Some(State::Body),
        (State::ActionInput5, Marker::Action) => Some(State::Action7),
        (State::ActionInput5, Marker::Summary) => Some(State::Summary),
        (State::ActionInput6, Marker::Action) => Some(State::Action8),
        (State::ActionInput6, Marker::Summary) => Some(State::Summary2),
        (State::Plan3, Marker::Action) => Some(State::Action9),
        (State::Action7, Marker::ActionInput) => Some(State::ActionInput7),
        (State::Action8, Marker::ActionInput) => Some(State::ActionInput8),
        (State::Action9, Marker::ActionInput) => Some(State::ActionInput9),
        (State::ActionInput7, Marker::Action) => Some(State::Action10),
        (State::ActionInput7, Marker::Summary) => Some(State::Summary),
        (State::ActionInput8, Marker::Action) => Some(State::Action11),
        (State::ActionInput8, Marker::Summary) => Some(State::Summary2),
        (State::ActionInput9, Marker::Action) => Some(State::Action12),
        (State::ActionInput9, Marker::Summary) => Some(State::Summary3),
        (State::Action10, Marker::ActionInput) => Some(State::ActionInput10),
        (State::Action11, Marker::ActionInput) => Some(State::ActionInput11),
        (State::Action12, Marker::ActionInput) => Some(State::ActionInput12),
        (State::Summary3, Marker::Plan) => Some(State::Plan4),
        (State::Summary3, Marker::Lemma) => Some(State::Lemma),
        (State::Summary3, Marker::Body) => Some(State::Body),
        (State::ActionInput10, Marker::Action) => Some(State::Action13),
        (State::ActionInput10, Marker::Summary) => Some(State::Summary),
        (State::ActionInput11, Marker::Action) => Some(State::Action14),
        (State::ActionInput11, Marker::Summary) => Some(State::Summary2),
        (State::ActionInput12, Marker::Action) => Some(State::Action15),
        (State::ActionInput12, Marker::Summary) => Some(State::Summary3),
        (State::Plan4, Marker::Action) => Some(State::Action16),
        (State::Action13, Marker::ActionInput) => Some(State::ActionInput13),
        (State::Action14, Marker::ActionInput) => Some(State::ActionInput14),
        (State::Action15, Marker::ActionInput) => Some(State::ActionInput15),
        (State::Action16, Marker::ActionInput) => Some(State::ActionInput16),
        (State::ActionInput13, Marker::Action) => Some(State::Action17),
        (State::ActionInput13, Marker::Summary) => Some(State::Summary),
        (State::ActionInput14, Marker::Action) => Some(State::Action18),
        (State::ActionInput14, Marker::Summary) => Some(State::Summary2),
        (State::ActionInput15, Marker::Action) => Some(State::Action19),
        (State::ActionInput15, Marker::Summary) => Some(State::Summary3),
        (State::ActionInput16, Marker::Action) => Some(State::Action20),
        (State::ActionInput16, Marker::Summary) => Some(State::Summary4),
        (State::Action17, Marker::ActionInput) => Some(State::ActionInput17),
        (State::Action18, Marker::ActionInput) => Some(State::ActionInput18),
        (State::Action19, Marker::ActionInput) => Some(State::ActionInput19),
        (State::Action20, Marker::ActionInput) => Some(State::ActionInput20),
        (State::Summary4, Marker::Plan) => Some(State::Plan5),
        (State::Summary4, Marker::Lemma) => Some(State::Lemma),
        (State::Summary4, Marker::Body) => Some(State::Body),
        (State::ActionInput17, Marker::Summary) => Some(State::Summary),
        (State::ActionInput18, Marker::Action) => Some(State::Action21),
        (State::ActionInput18, Marker::Summary) => Some(State::Summary2),
        (State::ActionInput19, Marker::Action) => Some(State::Action22),
        (State::ActionInput19, Marker::Summary) => Some(State::Summary3),
        (State::ActionInput20, Marker::Action) => Some(State::Action23),
        (State::ActionInput20, Marker::Summary) => Some(State::Summary4),
        (State::Plan5, Marker::Action) => Some(State::Action24),
        (State::Action21, Marker::ActionInput) => Some(State::ActionInput21),
        (State::Action22, Marker::ActionInput) => Some(State::ActionInput22),
        (State::Action23, Marker::ActionInput) => Some(State::ActionInput23),
        (State::Action24, Marker::ActionInput) => Some(State::ActionInput24),
        (State::ActionInput21, Marker::Action) => Some(State::Action25),
        (State::ActionInput21, Marker::Summary) => Some(State::Summary2),
        (State::ActionInput22, Marker::Action) => Some(State::Action26),
        (State::ActionInput22, Marker::Summary) => Some(State::Summary3),
        (State::ActionInput23, Marker::Action) => Some(State::Action27),
        (State::ActionInput23, Marker::Summary) => Some(State::Summary4),
        (State::ActionInput24, Marker::Action) => Some(State::Action28),
        (State::ActionInput24, Marker::Summary) => Some(State::Summary5),
        (State::Action25, Marker::ActionInput) => Some(State::ActionInput25),
        (State::Action26, Marker::ActionInput) => Some(State::ActionInput26),
        (State::Action27, Marker::ActionInput) => Some(State::ActionInput27),
        (State::Action28, Marker::ActionInput) => Some(State::ActionInput28),
        (State::Summary5, Marker::Lemma) => Some(State::Lemma),
        (State::Summary5, Marker::Body) => Some(State::Body),
        (State::ActionInput25, Marker::Summary) => Some(State::Summary2),
        (State::ActionInput26, Marker::Action) => Some(State::Action29),
        (State::ActionInput26, Marker::Summary) => Some(State::Summary3),
        (State::ActionInput27, Marker::Action) => Some(State::Action30),
        (State::ActionInput27, Marker::Summary) => Some(State::Summary4),
        (State::ActionInput28, Marker::Action) => Some(State::Action31),
        (State::ActionInput28, Marker::Summary) => Some(State::Summary5),
        (State::Action29, Marker::ActionInput) => Some(State::ActionInput29),
        (State::Action30, Marker::ActionInput) => Some(State::ActionInput30),
        (State::Action31, Marker::ActionInput) => Some(State::ActionInput31),
        (State::ActionInput29, Marker::Action) => Some(State::Action32),
        (State::ActionInput29, Marker::Summary) => Some(State::Summary3),
        (State::ActionInput30, Marker::Action) => Some(State::Action33),
        (State::ActionInput30, Marker::Summary) => Some(State::Summary4),
        (State::ActionInput31, Marker::Action) => Some(State::Action34),
        (State::ActionInput31, Marker::Summary) => Some(State::Summary5),
        (State::Action32, Marker::ActionInput) => Some(State::ActionInput32),
        (State::Action33, Marker::ActionInput) => Some(State::ActionInput33),
        (State::Action34, Marker::ActionInput) => Some(State::ActionInput34),
        (State::ActionInput32, Marker::Summary) => Some(State::Summary3),
        (State::ActionInput33, Marker::Action) => Some(State::Action35),
        (State::ActionInput33, Marker::Summary) => Some(State::Summary4),
        (State::ActionInput34, Marker::Action) => Some(State::Action36),
        (State::ActionInput34, Marker::Summary) => Some(State::Summary5),
        (State::Action35, Marker::ActionInput) => Some(State::ActionInput35),
        (State::Action36, Marker::ActionInput) => Some(State::ActionInput36),
        (State::ActionInput35, Marker::Action) => Some(State::Action37),
        (State::ActionInput35, Marker::Summary) => Some(State::Summary4),
        (State::ActionInput36, Marker::Action) => Some(State::Action38),
        (State::ActionInput36, Marker::Summary) => Some(State::Summary5),
        (State::Action37, Marker::ActionInput) => Some(State::ActionInput37),
        (State::Action38, Marker::ActionInput) => Some(State::ActionInput38),
        (State::ActionInput37, Marker::Summary) => Some(State::Summary4),
        (State::ActionInput38, Marker::Action) => Some(State::Action39),
        (State::ActionInput38, Marker::Summary) => Some(State::Summary5),
        (State::Action39, Marker::ActionInput) => Some(State::ActionInput39),
        (State::ActionInput39, Marker::Action) => Some(State::Action40),
        (State::ActionInput39, Marker::Summary) => Some(State::Summary5),
        (State::Action40, Marker::ActionInput) => Some(State::ActionInput40),
        (State::ActionInput40, Marker::Summary) => Some(State::Summary5),
        _ => None,
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
        Marker::Summary => true,
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
        (State::Plan, Marker::Action) => Some(State::Action),
        (State::Lemma, Marker::Lemma) => Some(State::Lemma),
        (State::Lemma, Marker::Body) => Some(State::Body),
        (State::Body, Marker::Qed) => Some(State::Qed),
        (State::Action, Marker::ActionInput) => Some(State::ActionInput),
        (State::ActionInput, Marker::Action) => Some(State::Action2),
        (State::ActionInput, Marker::Summary) => Some(State::Summary),
        (State::Action2, Marker::ActionInput) => Some(State::ActionInput2),
        (State::Summary, Marker::Plan) => Some(State::Plan2),
        (State::Summary, Marker::Lemma) => Some(State::Lemma),
        (State::Summary, Marker::Body) => Some(State::Body),
        (State::ActionInput2, Marker::Action) => Some(State::Action3),
        (State::ActionInput2, Marker::Summary) => Some(State::Summary),
        (State::Plan2, Marker::Action) => Some(State::Action4),
        (State::Action3, Marker::ActionInput) => Some(State::ActionInput3),
        (State::Action4, Marker::ActionInput) => Some(State::ActionInput4),
        (State::ActionInput3, Marker::Action) => Some(State::Action5),
        (State::ActionInput3, Marker::Summary) => Some(State::Summary),
        (State::ActionInput4, Marker::Action) => Some(State::Action6),
        (State::ActionInput4, Marker::Summary) => Some(State::Summary2),
        (State::Action5, Marker::ActionInput) => Some(State::ActionInput5),
        (State::Action6, Marker::ActionInput) => Some(State::ActionInput6),
        (State::Summary2, Marker::Plan) => Some(State::Plan3),
        (State::Summary2, Marker::Lemma) => Some(State::Lemma),
        (State::Summary2, Marker::Body) => Some(State::Body),
        (State::ActionInput5, Marker::Action) => Some(State::Action7),
        (State::ActionInput5, Marker::Summary) => Some(State::Summary),
        (State::ActionInput6, Marker::Action) => Some(State::Action8),
        (State::ActionInput6, Marker::Summary) => Some(State::Summary2),
        (State::Plan3, Marker::Action) => Some(State::Action9),
        (State::Action7, Marker::ActionInput) => Some(State::ActionInput7),
        (State::Action8, Marker::ActionInput) => Some(State::ActionInput8),
        (State::Action9, Marker::ActionInput) => Some(State::ActionInput9),
        (State::ActionInput7, Marker::Action) => Some(State::Action10),
        (State::ActionInput7, Marker::Summary) => Some(State::Summary),
        (State::ActionInput8, Marker::Action) => Some(State::Action11),
        (State::ActionInput8, Marker::Summary) => Some(State::Summary2),
        (State::ActionInput9, Marker::Action) => Some(State::Action12),
        (State::ActionInput9, Marker::Summary) => Some(State::Summary3),
        (State::Action10, Marker::ActionInput) => Some(State::ActionInput10),
        (State::Action11, Marker::ActionInput) => Some(State::ActionInput11),
        (State::Action12, Marker::ActionInput) => Some(State::ActionInput12),
        (State::Summary3, Marker::Plan) => Some(State::Plan4),
        (State::Summary3, Marker::Lemma) => Some(State::Lemma),
        (State::Summary3, Marker::Body) => Some(State::Body),
        (State::ActionInput10, Marker::Action) => Some(State::Action13),
        (State::ActionInput10, Marker::Summary) => Some(State::Summary),
        (State::ActionInput11, Marker::Action) => Some(State::Action14),
        (State::ActionInput11, Marker::Summary) => Some(State::Summary2),
        (State::ActionInput12, Marker::Action) => Some(State::Action15),
        (State::ActionInput12, Marker::Summary) => Some(State::Summary3),
        (State::Plan4, Marker::Action) => Some(State::Action16),
        (State::Action13, Marker::ActionInput) => Some(State::ActionInput13),
        (State::Action14, Marker::ActionInput) => Some(State::ActionInput14),
        (State::Action15, Marker::ActionInput) => Some(State::ActionInput15),
        (State::Action16, Marker::ActionInput) => Some(State::ActionInput16),
        (State::ActionInput13, Marker::Action) => Some(State::Action17),
        (State::ActionInput13, Marker::Summary) => Some(State::Summary),
        (State::ActionInput14, Marker::Action) => Some(State::Action18),
        (State::ActionInput14, Marker::Summary) => Some(State::Summary2),
        (State::ActionInput15, Marker::Action) => Some(State::Action19),
        (State::ActionInput15, Marker::Summary) => Some(State::Summary3),
        (State::ActionInput16, Marker::Action) => Some(State::Action20),
        (State::ActionInput16, Marker::Summary) => Some(State::Summary4),
        (State::Action17, Marker::ActionInput) => Some(State::ActionInput17),
        (State::Action18, Marker::ActionInput) => Some(State::ActionInput18),
        (State::Action19, Marker::ActionInput) => Some(State::ActionInput19),
        (State::Action20, Marker::ActionInput) => Some(State::ActionInput20),
        (State::Summary4, Marker::Plan) => Some(State::Plan5),
        (State::Summary4, Marker::Lemma) => Some(State::Lemma),
        (State::Summary4, Marker::Body) => Some(State::Body),
        (State::ActionInput17, Marker::Summary) => Some(State::Summary),
        (State::ActionInput18, Marker::Action) => Some(State::Action21),
        (State::ActionInput18, Marker::Summary) => Some(State::Summary2),
        (State::ActionInput19, Marker::Action) => Some(State::Action22),
        (State::ActionInput19, Marker::Summary) => Some(State::Summary3),
        (State::ActionInput20, Marker::Action) => Some(State::Action23),
        (State::ActionInput20, Marker::Summary) => Some(State::Summary4),
        (State::Plan5, Marker::Action) => Some(State::Action24),
        (State::Action21, Marker::ActionInput) => Some(State::ActionInput21),
        (State::Action22, Marker::ActionInput) => Some(State::ActionInput22),
        (State::Action23, Marker::ActionInput) => Some(State::ActionInput23),
        (State::Action24, Marker::ActionInput) => Some(State::ActionInput24),
        (State::ActionInput21, Marker::Action) => Some(State::Action25),
        (State::ActionInput21, Marker::Summary) => Some(State::Summary2),
        (State::ActionInput22, Marker::Action) => Some(State::Action26),
        (State::ActionInput22, Marker::Summary) => Some(State::Summary3),
        (State::ActionInput23, Marker::Action) => Some(State::Action27),
        (State::ActionInput23, Marker::Summary) => Some(State::Summary4),
        (State::ActionInput24, Marker::Action) => Some(State::Action28),
        (State::ActionInput24, Marker::Summary) => Some(State::Summary5),
        (State::Action25, Marker::ActionInput) => Some(State::ActionInput25),
        (State::Action26, Marker::ActionInput) => Some(State::ActionInput26),
        (State::Action27, Marker::ActionInput) => Some(State::ActionInput27),
        (State::Action28, Marker::ActionInput) => Some(State::ActionInput28),
        (State::Summary5, Marker::Lemma) => Some(State::Lemma),
        (State::Summary5, Marker::Body) => Some(State::Body),
        (State::ActionInput25, Marker::Summary) => Some(State::Summary2),
        (State::ActionInput26, Marker::Action) => Some(State::Action29),
        (State::ActionInput26, Marker::Summary) => Some(State::Summary3),
        (State::ActionInput27, Marker::Action) => Some(State::Action30),
        (State::ActionInput27, Marker::Summary) => Some(State::Summary4),
        (State::ActionInput28, Marker::Action) => Some(State::Action31),
        (State::ActionInput28, Marker::Summary) => Some(State::Summary5),
        (State::Action29, Marker::ActionInput) => Some(State::ActionInput29),
        (State::Action30, Marker::ActionInput) => Some(State::ActionInput30),
        (State::Action31, Marker::ActionInput) => Some(State::ActionInput31),
        (State::ActionInput29, Marker::Action) => Some(State::Action32),
        (State::ActionInput29, Marker::Summary) => Some(State::Summary3),
        (State::ActionInput30, Marker::Action) => Some(State::Action33),
        (State::ActionInput30, Marker::Summary) => Some(State::Summary4),
        (State::ActionInput31, Marker::Action) => Some(State::Action34),
        (State::ActionInput31, Marker::Summary) => Some(State::Summary5),
        (State::Action32, Marker::ActionInput) => Some(State::ActionInput32),
        (State::Action33, Marker::ActionInput) => Some(State::ActionInput33),
        (State::Action34, Marker::ActionInput) => Some(State::ActionInput34),
        (State::ActionInput32, Marker::Summary) => Some(State::Summary3),
        (State::ActionInput33, Marker::Action) => Some(State::Action35),
        (State::ActionInput33, Marker::Summary) => Some(State::Summary4),
        (State::ActionInput34, Marker::Action) => Some(State::Action36),
        (State::ActionInput34, Marker::Summary) => Some(State::Summary5),
        (State::Action35, Marker::ActionInput) => Some(State::ActionInput35),
        (State::Action36, Marker::ActionInput) => Some(State::ActionInput36),
        (State::ActionInput35, Marker::Action) => Some(State::Action37),
        (State::ActionInput35, Marker::Summary) => Some(State::Summary4),
        (State::ActionInput36, Marker::Action) => Some(State::Action38),
        (State::ActionInput36, Marker::Summary) => Some(State::Summary5),
        (State::Action37, Marker::ActionInput) => Some(State::ActionInput37),
        (State::Action38, Marker::ActionInput) => Some(State::ActionInput38),
        (State::ActionInput37, Marker::Summary) => Some(State::Summary4),
        (State::ActionInput38, Marker::Action) => Some(State::Action39),
        (State::ActionInput38, Marker::Summary) => Some(State::Summary5),
        (State::Action39, Marker::ActionInput) => Some(State::ActionInput39),
        (State::ActionInput39, Marker::Action) => Some(State::Action40),
        (State::ActionInput39, Marker::Summary) => Some(State::Summary5),
        (State::Action40, Marker::ActionInput) => Some(State::ActionInput40),
        (State::ActionInput40, Marker::Summary) => Some(State::Summary5),
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
        State::Action => Some(Marker::Action),
        State::Qed => Some(Marker::Qed),
        State::ActionInput => Some(Marker::ActionInput),
        State::Action2 => Some(Marker::Action),
        State::Summary => Some(Marker::Summary),
        State::ActionInput2 => Some(Marker::ActionInput),
        State::Plan2 => Some(Marker::Plan),
        State::Action3 => Some(Marker::Action),
        State::Action4 => Some(Marker::Action),
        State::ActionInput3 => Some(Marker::ActionInput),
        State::ActionInput4 => Some(Marker::ActionInput),
        State::Action5 => Some(Marker::Action),
        State::Action6 => Some(Marker::Action),
        State::Summary2 => Some(Marker::Summary),
        State::ActionInput5 => Some(Marker::ActionInput),
        State::ActionInput6 => Some(Marker::ActionInput),
        State::Plan3 => Some(Marker::Plan),
        State::Action7 => Some(Marker::Action),
        State::Action8 => Some(Marker::Action),
        State::Action9 => Some(Marker::Action),
        State::ActionInput7 => Some(Marker::ActionInput),
        State::ActionInput8 => Some(Marker::ActionInput),
        State::ActionInput9 => Some(Marker::ActionInput),
        State::Action10 => Some(Marker::Action),
        State::Action11 => Some(Marker::Action),
        State::Action12 => Some(Marker::Action),
        State::Summary3 => Some(Marker::Summary),
        State::ActionInput10 => Some(Marker::ActionInput),
        State::ActionInput11 => Some(Marker::ActionInput),
        State::ActionInput12 => Some(Marker::ActionInput),
        State::Plan4 => Some(Marker::Plan),
        State::Action13 => Some(Marker::Action),
        State::Action14 => Some(Marker::Action),
        State::Action15 => Some(Marker::Action),
        State::Action16 => Some(Marker::Action),
        State::ActionInput13 => Some(Marker::ActionInput),
        State::ActionInput14 => Some(Marker::ActionInput),
        State::ActionInput15 => Some(Marker::ActionInput),
        State::ActionInput16 => Some(Marker::ActionInput),
        State::Action17 => Some(Marker::Action),
        State::Action18 => Some(Marker::Action),
        State::Action19 => Some(Marker::Action),
        State::Action20 => Some(Marker::Action),
        State::Summary4 => Some(Marker::Summary),
        State::ActionInput17 => Some(Marker::ActionInput),
        State::ActionInput18 => Some(Marker::ActionInput),
        State::ActionInput19 => Some(Marker::ActionInput),
        State::ActionInput20 => Some(Marker::ActionInput),
        State::Plan5 => Some(Marker::Plan),
        State::Action21 => Some(Marker::Action),
        State::Action22 => Some(Marker::Action),
        State::Action23 => Some(Marker::Action),
        State::Action24 => Some(Marker::Action),
        State::ActionInput21 => Some(Marker::ActionInput),
        State::ActionInput22 => Some(Marker::ActionInput),
        State::ActionInput23 => Some(Marker::ActionInput),
        State::ActionInput24 => Some(Marker::ActionInput),
        State::Action25 => Some(Marker::Action),
        State::Action26 => Some(Marker::Action),
        State::Action27 => Some(Marker::Action),
        State::Action28 => Some(Marker::Action),
        State::Summary5 => Some(Marker::Summary),
        State::ActionInput25 => Some(Marker::ActionInput),
        State::ActionInput26 => Some(Marker::ActionInput),
        State::ActionInput27 => Some(Marker::ActionInput),
        State::ActionInput28 => Some(Marker::ActionInput),
        State::Action29 => Some(Marker::Action),
        State::Action30 => Some(Marker::Action),
        State::Action31 => Some(Marker::Action),
        State::ActionInput29 => Some(Marker::ActionInput),
        State::ActionInput30 => Some(Marker::ActionInput),
        State::ActionInput31 => Some(Marker::ActionInput),
        State::Action32 => Some(Marker::Action),
        State::Action33 => Some(Marker::Action),
        State::Action34 => Some(Marker::Action),
        State::ActionInput32 => Some(Marker::ActionInput),
        State::ActionInput33 => Some(Marker::ActionInput),
        State::ActionInput34 => Some(Marker::ActionInput),
        State::Action35 => Some(Marker::Action),
        State::Action36 => Some(Marker::Action),
        State::ActionInput35 => Some(Marker::ActionInput),
        State::ActionInput36 => Some(Marker::ActionInput),
        State::Action37 => Some(Marker::Action),
        State::Action38 => Some(Marker::Action),
        State::ActionInput37 => Some(Marker::ActionInput),
        State::ActionInput38 => Some(Marker::ActionInput),
        State::Action39 => Some(Marker::Action),
        State::ActionInput39 => Some(Marker::ActionInput),
        State::Action40 => Some(Marker::Action),
        State::ActionInput40 => Some(Marker::ActionInput),
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

} // verus!

fn main() {}
