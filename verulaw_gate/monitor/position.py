"""A place in a growing text, moved forward piece by piece."""

from __future__ import annotations

from dataclasses import dataclass, replace

_BLANKS = " \t"


@dataclass(frozen=True, slots=True)
class Position:
    """Offset in characters from 0, line and column from 1. `line_blank`: only blanks and tabs
    stand between the start of the line (or a change of speaker) and this place, so a marker of a
    line-start protocol may begin here."""

    offset: int = 0
    line: int = 1
    column: int = 1
    line_blank: bool = True

    def after(self, text: str) -> Position:
        """The place after `text`. Lines end at LF (CRLF ends in LF; a lone CR ends nothing)."""
        last = text.rfind("\n")
        if last < 0:
            return Position(
                self.offset + len(text),
                self.line,
                self.column + len(text),
                self.line_blank and not text.strip(_BLANKS),
            )
        return Position(
            self.offset + len(text),
            self.line + text.count("\n"),
            len(text) - last,
            not text[last + 1 :].strip(_BLANKS),
        )

    def fresh_line(self) -> Position:
        """The same place, counted as the start of a line: the speaker has changed."""
        return replace(self, line_blank=True)
