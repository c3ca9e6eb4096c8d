"""The automaton of a protocol: minimal, without dead states.

A behaviour denotes a regular language over state names (Crouse et al. 2023, section 2.1, in its
informal reading). A prefix is viable exactly when the automaton has a run on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from verulaw_gate.errors import ProtocolError
from verulaw_gate.protocol.minimise import (
    MAX_WORK,
    Table,
    TooMuchWork,
    determinise,
    minimise,
    trim,
)
from verulaw_gate.protocol.model import Protocol
from verulaw_gate.protocol.nfa import TooLarge, build


@dataclass(frozen=True, slots=True)
class Automaton:
    """A trimmed minimal DFA. States are 0 (the start) to `size - 1`."""

    names: tuple[str, ...]
    table: Table

    @property
    def start(self) -> int:
        """The state before the first step."""
        return 0

    @property
    def size(self) -> int:
        """The number of states."""
        return len(self.table.rows)

    def step(self, q: int, name: str) -> int | None:
        """The state after `name`, or None when `name` is not legal in `q`."""
        return self.table.rows[q].get(name)

    def legal_next(self, q: int) -> tuple[str, ...]:
        """The names with a move from `q`, in order of declaration."""
        return tuple(self.table.rows[q])

    def accepting(self, q: int) -> bool:
        """Whether a run that ends in `q` is complete."""
        return q in self.table.accepting

    def final(self, q: int) -> bool:
        """Whether a run in `q` is complete and nothing may follow."""
        return q in self.table.accepting and not self.table.rows[q]

    def run(self, names: Iterable[str]) -> int | None:
        """The state after a sequence of names, or None when some step is not legal."""
        q: int | None = self.start
        for name in names:
            if q is None:
                return None
            q = self.step(q, name)
        return q

    def accepts(self, names: Iterable[str]) -> bool:
        """Whether the sequence is a complete run."""
        q = self.run(names)
        return q is not None and self.accepting(q)

    def viable(self, names: Iterable[str]) -> bool:
        """Whether some complete run begins with the sequence."""
        q = self.run(names)
        return q is not None and (self.accepting(q) or bool(self.legal_next(q)))

    def edges(self) -> Iterator[tuple[int, str, int]]:
        """All moves, by state and then in order of declaration."""
        for q, row in enumerate(self.table.rows):
            for name, target in row.items():
                yield q, name, target

    def distances(self) -> tuple[int | None, ...]:
        """For each state the fewest steps to a complete run (None only for a start without)."""
        back: list[list[int]] = [[] for _ in self.table.rows]
        for source, _, target in self.edges():
            back[target].append(source)
        found: list[int | None] = [None] * self.size
        layer = sorted(self.table.accepting)
        depth = 0
        while layer:
            fresh = []
            for q in layer:
                if found[q] is None:
                    found[q] = depth
                    fresh.extend(back[q])
            layer, depth = fresh, depth + 1
        return tuple(found)


@lru_cache(maxsize=128)
def compile_protocol(protocol: Protocol) -> Automaton:
    """The automaton of a protocol; kept, because a loop makes a monitor for every answer.

    Raises `ProtocolError` when the bounds pass the documented limits
    (`nfa.MAX_POSITIONS`, `minimise.MAX_WORK`).
    """
    try:
        return compile_unlocated(protocol)
    except TooLarge as problem:
        span = problem.formula.span
        raise ProtocolError(
            f"{problem.message} [P114 bounds-blow-up]",
            hint="lower the bounds, or use an unbounded until",
            path=protocol.path,
            line=span.line if span else None,
            column=span.column if span else None,
        ) from None


def compile_unlocated(protocol: Protocol) -> Automaton:
    """As `compile_protocol`, but raises `TooLarge`; for the lint, which places it itself."""
    names = tuple(state.name for state in protocol.states)
    nfa, first, last = build(protocol.behavior)
    try:
        table = determinise(nfa, first, last)
    except TooMuchWork:
        raise TooLarge(
            f"making the automaton deterministic takes over {MAX_WORK:,} subset entries",
            protocol.behavior,
        ) from None
    return Automaton(names, minimise(trim(table), names))
