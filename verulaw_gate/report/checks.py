"""Sums that must add up. A report whose parts do not give the whole is not printed."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R", bound=Hashable)
C = TypeVar("C", bound=Hashable)


class ConsistencyError(RuntimeError):
    """The parts of a figure do not add up to the whole: a bug of the report or a damaged store.

    Not a VerulawError on purpose: no option mends it, and the report must not appear without it.
    """


@dataclass(slots=True)
class Checks:
    """Collects the checks of one section, in words, as they are made."""

    done: list[str] = field(default_factory=list)

    def partition(self, what: str, total: int, parts: Mapping[str, int]) -> None:
        """`parts` are disjoint and exhaust `total`. Raises ConsistencyError otherwise."""
        if any(count < 0 for count in parts.values()) or sum(parts.values()) != total:
            raise ConsistencyError(f"{what}: {total} is not {_sum(parts)}")
        self.done.append(f"{what}: {total} = {_sum(parts)}")

    def equal(self, what: str, one: int, other: int) -> None:
        """Two ways of counting the same thing agree. Raises ConsistencyError otherwise."""
        if one != other:
            raise ConsistencyError(f"{what}: {one} counted one way, {other} the other")
        self.done.append(f"{what}: {one}, counted two ways")


def _sum(parts: Mapping[str, int]) -> str:
    return " + ".join(f"{count} {name}" for name, count in parts.items()) or "nothing"


@dataclass(frozen=True, slots=True)
class Cross(Generic[R, C]):
    """A table of counts with both margins. Every item is in exactly one cell."""

    rows: tuple[R, ...]
    columns: tuple[C, ...]
    counts: Mapping[tuple[R, C], int]
    total: int

    def cell(self, row: R, column: C) -> int:
        """The count of one cell."""
        return self.counts.get((row, column), 0)

    def row_total(self, row: R) -> int:
        """The sum over the columns."""
        return sum(self.cell(row, column) for column in self.columns)

    def column_total(self, column: C) -> int:
        """The sum over the rows."""
        return sum(self.cell(row, column) for row in self.rows)


def cross(
    what: str,
    items: Iterable[T],
    rows: Sequence[R],
    columns: Sequence[C],
    row_of: Callable[[T], R],
    column_of: Callable[[T], C],
    checks: Checks,
) -> Cross[R, C]:
    """Count items by row and column, and check that the margins give the whole.

    Raises ConsistencyError when an item falls into no row or column.
    """
    counts: dict[tuple[R, C], int] = {}
    total = 0
    for item in items:
        key = (row_of(item), column_of(item))
        if key[0] not in rows or key[1] not in columns:
            raise ConsistencyError(f"{what}: no cell for {key[0]} x {key[1]}")
        counts[key] = counts.get(key, 0) + 1
        total += 1
    found = Cross(tuple(rows), tuple(columns), counts, total)
    by_row = {str(row): found.row_total(row) for row in found.rows}
    by_column = {str(column): found.column_total(column) for column in found.columns}
    checks.partition(f"{what}, by row", total, by_row)
    checks.partition(f"{what}, by column", total, by_column)
    return found
