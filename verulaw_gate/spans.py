"""Places in a text.

Offsets count characters of `str` from 0; lines and columns count from 1. A line ends at LF or
CRLF only: a lone CR, form feed or Unicode line separator is an ordinary character.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open range `[start, end)` of character offsets with the place of its start."""

    start: int
    end: int
    line: int
    column: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"span {self.start}..{self.end} is not a range")


class LineIndex:
    """Turns offsets of one text into lines and columns."""

    def __init__(self, text: str) -> None:
        self.text = text
        starts = [0]
        at = text.find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = text.find("\n", at + 1)
        self._starts = starts

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column (both from 1) of a character offset."""
        row = bisect_right(self._starts, offset) - 1
        return row + 1, offset - self._starts[row] + 1

    def span(self, start: int, end: int) -> Span:
        """The span of `[start, end)`."""
        line, column = self.position(start)
        return Span(start, end, line, column)

    def line_start(self, line: int) -> int:
        """The offset at which a line (from 1) begins."""
        return self._starts[line - 1]

    def line_text(self, line: int) -> str:
        """One line (from 1) without its line end."""
        start = self._starts[line - 1]
        end = self._starts[line] - 1 if line < len(self._starts) else len(self.text)
        return self.text[start:end].removesuffix("\r")
