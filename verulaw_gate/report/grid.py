"""A table as lines of plain text: figures stay whole, names of columns and texts are wrapped."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from verulaw_gate.report import formatting
from verulaw_gate.report.model import Table

GAP = "  "
NARROWEST = 14


def grid(table: Table, width: int) -> list[str]:
    """The header, a rule and the rows. Texts are wrapped so that the lines fit into `width`, as
    far as figures and single words allow; where that is not enough, intervals go below their
    figures. Nothing is ever cut off."""
    cells = [[formatting.cell(value) for value in row.cells] for row in table.rows]
    right = [
        all(formatting.is_number(r.cells[at]) or r.cells[at] is None for r in table.rows)
        for at in range(len(table.columns))
    ]
    widths = [_natural(table.columns[at], [row[at] for row in cells]) for at in range(len(right))]
    least = [
        max(_longest_word(name), *(len(row[at]) for row in cells))
        if right[at]
        else max(NARROWEST, _longest_word(name))
        for at, name in enumerate(table.columns)
    ]
    _shrink(widths, least, right, width)
    if _full(widths) > width:
        parts = [
            max(len(part) for row in cells for part in _parts(row[at])) for at in range(len(right))
        ]
        names = [_longest_word(name) for name in table.columns]
        least = [max(names[at], parts[at]) if right[at] else least[at] for at in range(len(right))]
        _shrink(widths, least, right, width)
    lines = _row(table.columns, widths, right)
    rule = "-" * _full(widths)
    lines.append(rule)
    for at, (row, shown) in enumerate(zip(table.rows, cells, strict=True)):
        if row.total and at:
            lines.append(rule)
        lines += _row(shown, widths, right)
    return lines


def _longest_word(text: str) -> int:
    return max((len(word) for word in text.split()), default=0)


def _natural(name: str, column: Sequence[str]) -> int:
    return max([_longest_word(name), min(len(name), NARROWEST), *(len(text) for text in column)])


def _shrink(widths: list[int], least: list[int], right: list[bool], width: int) -> None:
    """Take from headings over figures first, then from the widest text, until the row fits."""
    while _full(widths) > width:
        loose = [at for at in range(len(widths)) if widths[at] > least[at]]
        if not loose:
            return
        widths[max(loose, key=lambda at: (right[at], widths[at]))] -= 1


def _full(widths: Sequence[int]) -> int:
    return sum(widths) + len(GAP) * (len(widths) - 1)


def _parts(figure: str) -> list[str]:
    """A figure and its interval: all that may stand below one another."""
    head, bracket, rest = figure.partition(" [")
    return [head, f"[{rest}"] if bracket else [head]


def _row(shown: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> list[str]:
    columns = [
        _parts(text) if number and " [" in text and len(text) > size else _lines(text, size)
        for text, size, number in zip(shown, widths, right, strict=True)
    ]
    lines = []
    for at in range(max(len(column) for column in columns)):
        parts = []
        for column, size, number in zip(columns, widths, right, strict=True):
            text = column[at] if at < len(column) else ""
            parts.append(text.rjust(size) if number else text.ljust(size))
        lines.append(GAP.join(parts).rstrip())
    return lines


def _lines(text: str, size: int) -> list[str]:
    return textwrap.wrap(text, size) if text else [""]
