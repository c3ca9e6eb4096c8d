"""The automaton against three independent readings of the language."""

from __future__ import annotations

import re

import pytest
from automata.fa.dfa import DFA
from automata.fa.nfa import NFA
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.protocol.oracles import (
    NAMES,
    formulas,
    meaning,
    protocol_of,
    random_runs,
    regex_runs,
    to_regex,
    to_sexp,
)
from verulaw_gate.errors import ProtocolError
from verulaw_gate.protocol import compile_protocol, parse_protocol
from verulaw_gate.protocol.automaton import Automaton
from verulaw_gate.protocol.model import Formula, Next, Or, Ref, Repeat
from verulaw_gate.protocol.nfa import MAX_POSITIONS, positions


def compiled(formula: Formula) -> Automaton:
    return compile_protocol(protocol_of(formula))


@st.composite
def cases(draw: st.DrawFn) -> tuple[Formula, tuple[str, ...]]:
    formula = draw(formulas())
    run = draw(st.one_of(random_runs(), regex_runs(formula)))
    return formula, run


@given(cases())
def test_agrees_with_the_reference_meaning(case: tuple[Formula, tuple[str, ...]]) -> None:
    formula, run = case
    assert compiled(formula).accepts(run) == meaning(formula, run)


@given(cases())
def test_agrees_with_re(case: tuple[Formula, tuple[str, ...]]) -> None:
    formula, run = case
    found = re.fullmatch(to_regex(formula), "".join(run)) is not None
    assert compiled(formula).accepts(run) == found


def as_dfa(automaton: Automaton) -> DFA:
    rows = {
        q: {n: automaton.step(q, n) for n in automaton.legal_next(q)} for q in range(automaton.size)
    }
    return DFA(
        states=set(rows),
        input_symbols=set(NAMES),
        transitions=rows,
        initial_state=automaton.start,
        final_states={q for q in rows if automaton.accepting(q)},
        allow_partial=True,
    )


@given(formulas(max_leaves=5))
@settings(deadline=None)
def test_is_the_minimal_automaton_of_automata_lib(formula: Formula) -> None:
    automaton = compiled(formula)
    ours = as_dfa(automaton)
    theirs = DFA.from_nfa(NFA.from_regex(to_regex(formula), input_symbols=set(NAMES)))
    assert ours == theirs
    # Theirs may keep a state from which nothing is accepted; ours never has one.
    minimal = theirs.to_partial(minify=True)
    assert automaton.size == len(minimal.states)


@given(formulas(), st.data())
def test_viable_is_prefix_of_something_accepted(formula: Formula, data: st.DataObject) -> None:
    automaton = compiled(formula)
    run: list[str] = []
    q = automaton.start
    for _ in range(data.draw(st.integers(0, 8))):
        legal = automaton.legal_next(q)
        if not legal:
            break
        name = data.draw(st.sampled_from(legal))
        run.append(name)
        step = automaton.step(q, name)
        assert step is not None
        q = step
    assert automaton.viable(run)
    # Walk on by the distances: every viable prefix can be completed, and soonest so.
    distances = automaton.distances()
    left = distances[q]
    assert left is not None
    while not automaton.accepting(q):
        nearer = [
            (name, target)
            for name in automaton.legal_next(q)
            if (target := automaton.step(q, name)) is not None
            and (distances[target] or 0) < (distances[q] or 0)
        ]
        name, q = nearer[0]
        run.append(name)
    assert meaning(protocol_of(formula).behavior, tuple(run)) or len(run) > 30
    # And an illegal name ends viability for good.
    for name in NAMES:
        if name not in automaton.legal_next(q):
            assert not automaton.viable([*run, name])
            assert not automaton.accepts([*run, name])


@given(formulas())
def test_distances_are_those_of_the_shortest_completion(formula: Formula) -> None:
    automaton = compiled(formula)
    distances = automaton.distances()
    for q in range(automaton.size):
        if automaton.accepting(q):
            assert distances[q] == 0
            continue
        after = [distances[automaton.step(q, n) or 0] for n in automaton.legal_next(q)]
        assert distances[q] == 1 + min(d for d in after if d is not None)


@given(formulas())
def test_the_size_that_is_limited_is_that_of_the_unrolled_formula(formula: Formula) -> None:
    assert positions(formula) == sum(char in NAMES for char in to_regex(formula))


@given(formulas())
def test_reading_the_text_gives_the_same_automaton(formula: Formula) -> None:
    states = " ".join(f'({n} (:text "[{n.upper()}]"))' for n in NAMES)
    text = f"(define p (:states {states}) (:behavior (next {to_sexp(formula)})))"
    assert compile_protocol(parse_protocol(text)).table == compiled(Next((formula,))).table


@given(formulas(), formulas())
def test_equal_languages_have_equal_tables(first: Formula, second: Formula) -> None:
    union = compiled(Or((first, second)))
    assert union.table == compiled(Or((second, first, second))).table
    assert (
        compiled(Next((first, second))).table
        == compiled(Next((Next((first,)), Or((second, second))))).table
    )


def test_legal_next_is_in_order_of_declaration() -> None:
    automaton = compiled(Or((Ref("d"), Ref("b"), Ref("a"))))
    assert automaton.legal_next(automaton.start) == ("a", "b", "d")


def test_final_has_no_way_on() -> None:
    automaton = compiled(Next((Ref("a"), Repeat(Ref("b"), None))))
    after = automaton.run(["a"])
    assert after is not None
    assert automaton.accepting(after)
    assert not automaton.final(after)


# -- what the authors' logic refuses -------------------------------------------------------------


@pytest.mark.parametrize(
    ("formula", "run"),
    [
        # An `or` whose branches begin alike.
        (Or((Next((Ref("a"), Ref("b"))), Next((Ref("a"), Ref("c"))))), ("a", "c")),
        # An `until` whose exit also begins its body.
        (Repeat(Next((Ref("a"), Ref("b"))), Next((Ref("a"), Ref("c")))), ("a", "b", "a", "c")),
        (Repeat(Ref("a"), Next((Ref("a"), Ref("b")))), ("a", "a", "b")),
    ],
)
def test_ambiguous_choices_are_all_followed(formula: Formula, run: tuple[str, ...]) -> None:
    assert compiled(formula).accepts(run)


# -- limits ------------------------------------------------------------------------------------


def nested(outer: int, inner: int) -> Formula:
    return Repeat(Repeat(Ref("a"), Ref("b"), 0, inner), Ref("c"), 0, outer)


def test_nested_bounds_within_the_limit_are_exact() -> None:
    automaton = compiled(nested(50, 50))
    assert automaton.accepts(("a",) * 50 + ("b",) + ("c",))
    assert not automaton.accepts(("a",) * 51 + ("b", "c"))
    assert automaton.accepts((("a",) * 50 + ("b",)) * 50 + ("c",))
    assert not automaton.accepts(("b",) * 51 + ("c",))


@given(st.integers(1, 10**9), st.integers(1, 10**9))
def test_bounds_past_the_limit_are_refused_at_once(outer: int, inner: int) -> None:
    formula = nested(max(outer, MAX_POSITIONS), inner)
    assert positions(formula) > MAX_POSITIONS
    with pytest.raises(ProtocolError, match="P114"):
        compiled(formula)


def test_the_limit_is_the_documented_one() -> None:
    at_limit = Repeat(Ref("a"), Ref("b"), 0, MAX_POSITIONS - 1)
    assert compiled(at_limit).accepts(["a"] * (MAX_POSITIONS - 1) + ["b"])
    with pytest.raises(ProtocolError, match=f"{MAX_POSITIONS + 1:,}.*{MAX_POSITIONS:,}"):
        compiled(Repeat(Ref("a"), Ref("b"), 0, MAX_POSITIONS))


def test_exponential_subsets_are_refused() -> None:
    # "The 40th state from the end is a": 2^40 subsets.
    any_of = Or((Ref("a"), Ref("b")))
    formula = Next((Repeat(any_of, None), Ref("a"), Repeat(any_of, Ref("c"), 40, 40)))
    with pytest.raises(ProtocolError, match="P114"):
        compiled(formula)
