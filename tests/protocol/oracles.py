"""Independent readings of the behaviour language, and strategies for formulas and sequences.

`meaning` is the reference: the definition of the operators by recursion over splits. `to_regex`
reads a formula as a regular expression with one letter a state. Neither shares a line with the
compiler.
"""

from __future__ import annotations

from functools import lru_cache

from hypothesis import strategies as st

from verulaw_gate.protocol.model import (
    Formula,
    MarkerMode,
    Next,
    Or,
    Protocol,
    Ref,
    Repeat,
    State,
)

NAMES = ("a", "b", "c", "d")


@lru_cache(maxsize=100_000)
def meaning(formula: Formula, run: tuple[str, ...]) -> bool:
    """Whether the sequence is in the language of the formula."""
    if isinstance(formula, Ref):
        return run == (formula.name,)
    if isinstance(formula, Or):
        return any(meaning(item, run) for item in formula.items)
    if isinstance(formula, Next):
        if len(formula.items) == 1:
            return meaning(formula.items[0], run)
        rest = Next(formula.items[1:])
        return any(
            meaning(formula.items[0], run[:i]) and meaning(rest, run[i:])
            for i in range(len(run) + 1)
        )
    return _repeated(formula, run, 0)


@lru_cache(maxsize=100_000)
def _repeated(formula: Repeat, run: tuple[str, ...], done: int) -> bool:
    if done >= formula.low:
        left = run == () if formula.exit is None else meaning(formula.exit, run)
        if left:
            return True
    if formula.high is not None and done >= formula.high:
        return False
    # An empty round past the lower bound changes nothing; without a bound it would not end.
    first = 0 if done < formula.low else 1
    return any(
        meaning(formula.loop, run[:i]) and _repeated(formula, run[i:], min(done + 1, _cap(formula)))
        for i in range(first, len(run) + 1)
    )


def _cap(formula: Repeat) -> int:
    return formula.low if formula.high is None else formula.high


def to_regex(formula: Formula) -> str:
    """The formula as a regular expression over one-letter names, for `re` and automata-lib."""
    if isinstance(formula, Ref):
        return formula.name
    if isinstance(formula, Or):
        return "(" + "|".join(map(to_regex, formula.items)) + ")"
    if isinstance(formula, Next):
        return "(" + "".join(map(to_regex, formula.items)) + ")"
    loop = to_regex(formula.loop)
    leave = "" if formula.exit is None else to_regex(formula.exit)
    if formula.high is None:
        return f"({f'({loop})' * formula.low}({loop})*{leave})"
    optional = ""
    for _ in range(formula.high - formula.low):
        optional = f"(({loop}){optional})?"
    return f"({f'({loop})' * formula.low}{optional}{leave})"


def to_sexp(formula: Formula) -> str:
    """The formula in the protocol language."""
    if isinstance(formula, Ref):
        return formula.name
    if isinstance(formula, Next | Or):
        word = "next" if isinstance(formula, Next) else "or"
        return f"({word} {' '.join(map(to_sexp, formula.items))})"
    if formula.exit is None:
        return f"(always {to_sexp(formula.loop)})"
    if formula.high is None:
        word = "until"
    elif formula.low == 0:
        word = f"until_{formula.high}"
    else:
        word = f"until_{formula.low}_{formula.high}"
    return f"({word} {to_sexp(formula.loop)} {to_sexp(formula.exit)})"


def protocol_of(formula: Formula, mode: MarkerMode = MarkerMode.LINE_START) -> Protocol:
    """A protocol with that behaviour; every state is the model's, its marker in brackets."""
    states = tuple(State(name, f"[{name.upper()}]") for name in NAMES)
    behavior = formula if isinstance(formula, Next) else Next((formula,))
    return Protocol("generated", states, behavior, mode)


def _grow(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    parts = st.lists(inner, min_size=1, max_size=3).map(tuple)
    bounds = st.one_of(
        st.just((0, None)),
        st.tuples(st.integers(0, 3), st.integers(1, 4)).map(lambda b: (min(b), max(b))),
    )
    return st.one_of(
        parts.map(Next),
        parts.map(Or),
        st.builds(lambda f: Repeat(f, None), inner),
        st.builds(lambda f, g, b: Repeat(f, g, *b), inner, inner, bounds),
    )


def formulas(max_leaves: int = 8) -> st.SearchStrategy[Formula]:
    """Formulas with all operators, nested."""
    return st.recursive(st.sampled_from(NAMES).map(Ref), _grow, max_leaves=max_leaves)


def random_runs(max_size: int = 8) -> st.SearchStrategy[tuple[str, ...]]:
    """Sequences that know nothing of the formula: most die at once."""
    return st.lists(st.sampled_from(NAMES), max_size=max_size).map(tuple)


@st.composite
def regex_runs(draw: st.DrawFn, formula: Formula, max_size: int = 8) -> tuple[str, ...]:
    """A sequence of the language, drawn from the formula itself (not from an automaton), then
    perhaps damaged in one place."""
    run = tuple(draw(_words(formula)))[:max_size]
    damage = draw(st.sampled_from(("none", "none", "drop", "swap", "insert")))
    if damage == "none" or not run:
        return run
    at = draw(st.integers(0, len(run) - 1))
    name = draw(st.sampled_from(NAMES))
    middle = {"drop": (), "swap": (name,), "insert": (name, run[at])}[damage]
    return (*run[:at], *middle, *run[at + 1 :])


@st.composite
def _words(draw: st.DrawFn, formula: Formula) -> list[str]:
    if isinstance(formula, Ref):
        return [formula.name]
    if isinstance(formula, Or):
        return draw(_words(draw(st.sampled_from(formula.items))))
    if isinstance(formula, Next):
        return [name for item in formula.items for name in draw(_words(item))]
    top = formula.low + 2 if formula.high is None else formula.high
    rounds = draw(st.integers(formula.low, top))
    words = [name for _ in range(rounds) for name in draw(_words(formula.loop))]
    return words if formula.exit is None else [*words, *draw(_words(formula.exit))]
