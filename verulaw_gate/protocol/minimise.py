"""Nondeterministic to minimal deterministic: subsets, trimming, partition refinement.

Hopcroft's algorithm on the partial transition table (as Valmari and Lehtinen show, it needs no
sink state when every first block is a splitter). States are numbered breadth-first from the
start, names in order of declaration, so equal behaviours give equal tables.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from verulaw_gate.protocol.nfa import Nfa

MAX_WORK = 2_000_000
"""Limit on the summed sizes of all subsets built: what a construction may cost."""


class TooMuchWork(Exception):
    """The subset construction passed `MAX_WORK`."""


@dataclass(frozen=True, slots=True)
class Table:
    """A deterministic automaton: `rows[q]` maps names to states; state 0 is the start."""

    rows: tuple[dict[str, int], ...]
    accepting: frozenset[int]


def determinise(nfa: Nfa, first: int, last: int) -> Table:
    """The subset construction. Raises `TooMuchWork` past the limit."""
    start = _closure(nfa, [first])
    numbers = {start: 0}
    order = [start]
    rows: list[dict[str, int]] = []
    work = len(start)
    for subset in order:
        targets: dict[str, list[int]] = {}
        for place in subset:
            move = nfa.moves[place]
            if move is not None:
                targets.setdefault(move[0], []).append(move[1])
        row: dict[str, int] = {}
        for name, places in targets.items():
            reached = _closure(nfa, places)
            work += len(reached)
            if work > MAX_WORK:
                raise TooMuchWork
            if reached not in numbers:
                numbers[reached] = len(order)
                order.append(reached)
            row[name] = numbers[reached]
        rows.append(row)
    accepting = frozenset(i for i, subset in enumerate(order) if last in subset)
    return Table(tuple(rows), accepting)


def _closure(nfa: Nfa, places: list[int]) -> frozenset[int]:
    seen = set(places)
    stack = list(seen)
    while stack:
        for place in nfa.silent[stack.pop()]:
            if place not in seen:
                seen.add(place)
                stack.append(place)
    return frozenset(seen)


def trim(table: Table) -> Table:
    """Without the states from which no accepting state is reached. The start stays."""
    back: list[list[int]] = [[] for _ in table.rows]
    for source, row in enumerate(table.rows):
        for target in row.values():
            back[target].append(source)
    alive = set(table.accepting)
    stack = list(alive)
    while stack:
        for source in back[stack.pop()]:
            if source not in alive:
                alive.add(source)
                stack.append(source)
    rows = tuple(
        {name: target for name, target in row.items() if target in alive} if q in alive else {}
        for q, row in enumerate(table.rows)
    )
    return Table(rows, table.accepting)


def minimise(table: Table, names: tuple[str, ...]) -> Table:
    """The smallest table of the same language; unreachable states fall away."""
    block_of = _refine(table, names)
    return _renumber(table, block_of, names)


def _refine(table: Table, names: tuple[str, ...]) -> list[int]:
    sources: dict[str, dict[int, list[int]]] = {name: {} for name in names}
    for state, row in enumerate(table.rows):
        for name, target in row.items():
            sources[name].setdefault(target, []).append(state)
    everything = set(range(len(table.rows)))
    blocks = [set(b) for b in (table.accepting, everything - table.accepting) if b]
    block_of = [0] * len(table.rows)
    for number, block in enumerate(blocks):
        for state in block:
            block_of[state] = number
    waiting = set(range(len(blocks)))
    while waiting:
        splitter = list(blocks[waiting.pop()])
        for name in names:
            into = sources[name]
            hit: dict[int, set[int]] = {}
            for target in splitter:
                for state in into.get(target, ()):
                    hit.setdefault(block_of[state], set()).add(state)
            for number, inside in hit.items():
                if len(inside) == len(blocks[number]):
                    continue
                blocks[number] -= inside
                # The smaller half gets the new number: each state moves at most log n times.
                small, large = sorted((inside, blocks[number]), key=len)
                blocks[number] = large
                blocks.append(small)
                for state in small:
                    block_of[state] = len(blocks) - 1
                # If the old block still waits, both halves do now; else the smaller is enough.
                waiting.add(len(blocks) - 1)
    return block_of


def _renumber(table: Table, block_of: list[int], names: tuple[str, ...]) -> Table:
    representative = {block: state for state, block in reversed(list(enumerate(block_of)))}
    numbers = {block_of[0]: 0}
    queue = deque([block_of[0]])
    rows: list[dict[str, int]] = []
    accepting = set()
    while queue:
        block = queue.popleft()
        state = representative[block]
        if state in table.accepting:
            accepting.add(numbers[block])
        row: dict[str, int] = {}
        for name in names:
            target = table.rows[state].get(name)
            if target is None:
                continue
            reached = block_of[target]
            if reached not in numbers:
                numbers[reached] = len(numbers)
                queue.append(reached)
            row[name] = numbers[reached]
        rows.append(row)
    return Table(tuple(rows), frozenset(accepting))
