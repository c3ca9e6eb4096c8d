"""Formulas to a nondeterministic automaton (Thompson's construction, bounds unrolled).

`(until_M_N f g)` becomes M copies of f in a row, then N-M nested optional ones, then g. The size
of the unrolled formula is computed before anything is built, so that a blow-up is refused and
never tried.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from verulaw_gate.protocol.model import Formula, Next, Or, Ref, Repeat

MAX_POSITIONS = 20_000
"""Limit on the state occurrences of a formula once its bounds are unrolled."""


class TooLarge(Exception):
    """The automaton would pass a documented limit; `formula` is where the most weight lies."""

    def __init__(self, message: str, formula: Formula) -> None:
        super().__init__(message)
        self.message = message
        self.formula = formula


@dataclass(slots=True)
class Nfa:
    """Numbered places; `silent[p]` are moves without a state, `moves[p]` the one move by name."""

    silent: list[list[int]] = field(default_factory=list)
    moves: list[tuple[str, int] | None] = field(default_factory=list)

    def place(self) -> int:
        """A new place."""
        self.silent.append([])
        self.moves.append(None)
        return len(self.silent) - 1


def positions(formula: Formula) -> int:
    """The number of state occurrences of a formula with its bounds unrolled."""
    match formula:
        case Ref():
            return 1
        case Next(items=items) | Or(items=items):
            return sum(map(positions, items))
        case Repeat(loop=loop, exit=leave, high=high):
            rest = 0 if leave is None else positions(leave)
            return positions(loop) * (high or 1) + rest


def build(formula: Formula) -> tuple[Nfa, int, int]:
    """The automaton with its first and last place. Raises `TooLarge` past `MAX_POSITIONS`."""
    size = positions(formula)
    if size > MAX_POSITIONS:
        raise TooLarge(
            f"the bounds unroll to {size:,} state occurrences; the limit is {MAX_POSITIONS:,}",
            _heaviest(formula),
        )
    nfa = Nfa()
    first = nfa.place()
    return nfa, first, _add(nfa, formula, first)


def _heaviest(formula: Formula) -> Formula:
    """The innermost bounded part that alone is over the limit."""
    match formula:
        case Next(items=items) | Or(items=items):
            parts: tuple[Formula, ...] = items
        case Repeat(loop=loop, exit=leave):
            parts = (loop,) if leave is None else (loop, leave)
        case _:
            return formula
    return next((_heaviest(p) for p in parts if positions(p) > MAX_POSITIONS), formula)


def _add(nfa: Nfa, formula: Formula, start: int) -> int:
    """Add a formula that begins at a place; the answer is the place where it ends."""
    match formula:
        case Ref(name=name):
            end = nfa.place()
            fresh = nfa.place()
            # A place has at most one move, so the move gets a place of its own.
            nfa.silent[start].append(fresh)
            nfa.moves[fresh] = (name, end)
            return end
        case Next(items=items):
            for item in items:
                start = _add(nfa, item, start)
            return start
        case Or(items=items):
            end = nfa.place()
            for item in items:
                nfa.silent[_add(nfa, item, start)].append(end)
            return end
        case Repeat():
            done = _repeat(nfa, formula, start)
            return done if formula.exit is None else _add(nfa, formula.exit, done)


def _repeat(nfa: Nfa, formula: Repeat, start: int) -> int:
    for _ in range(formula.low):
        start = _add(nfa, formula.loop, start)
    done = nfa.place()
    if formula.high is None:
        # A hub of its own: moves into `start` from elsewhere must not enter the loop's middle.
        hub = nfa.place()
        nfa.silent[start].append(hub)
        nfa.silent[_add(nfa, formula.loop, hub)].append(hub)
        nfa.silent[hub].append(done)
        return done
    for _ in range(formula.high - formula.low):
        nfa.silent[start].append(done)
        start = _add(nfa, formula.loop, start)
    nfa.silent[start].append(done)
    return done
