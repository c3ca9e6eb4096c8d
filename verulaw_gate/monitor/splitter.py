"""Chunks of text to markers and the text between them, in a stream.

The result does not depend on how the text is cut into chunks: what could still become a marker
(or a longer one) is held back until it is decided, or until the turn ends. At each place the
longest marker wins; places are tried from left to right.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from verulaw_gate.protocol.model import MarkerMode

Piece = tuple[str | None, str]
"""`(marker, marker)` for a marker, `(None, text)` for text between markers."""

_BLANKS = " \t"


class Splitter:
    """Splits one speaker's text. `line_blank` says whether the text begins at a line start."""

    def __init__(self, markers: Sequence[str], mode: MarkerMode) -> None:
        ordered = sorted(markers, key=len, reverse=True)
        any_marker = "|".join(re.escape(marker) for marker in ordered)
        self._line_start = mode is MarkerMode.LINE_START
        self._anywhere = re.compile(any_marker)
        self._at_head = re.compile(rf"[ \t]*+({any_marker})")
        self._at_line = re.compile(rf"\n[ \t]*+({any_marker})")
        self._longest = max(map(len, ordered), default=0)
        # Proper prefixes: text that may still grow into a marker.
        self._growing = frozenset(m[:n] for m in ordered for n in range(1, len(m)))
        self._held = ""
        self._blank = True

    @property
    def held(self) -> str:
        """The text that is held back: it may become a marker."""
        return self._held

    def reset(self, line_blank: bool) -> str:
        """Forget the held text (the answer) and go on at a place of that kind."""
        held, self._held = self._held, ""
        self._blank = line_blank
        return held

    def feed(self, text: str) -> list[Piece]:
        """The pieces that are certain after `text`."""
        buffer = self._held + text if self._held else text
        self._held = ""
        if self._line_start:
            return self._split_lines(buffer, self._hold_line(buffer))
        return self._split_anywhere(buffer)

    def flush(self) -> list[Piece]:
        """The turn has ended: what was held back is decided as it stands."""
        buffer, self._held = self._held, ""
        if self._line_start:
            return self._split_lines(buffer, len(buffer))
        return self._split_anywhere(buffer, last=True)

    def _hold_line(self, buffer: str) -> int:
        """Where the held tail begins; the length of the buffer when nothing is held."""
        end = len(buffer)
        line = buffer.rfind("\n") + 1
        if line == 0 and not self._blank:
            return end
        # A candidate longer than the longest marker is decided: do not walk all the blanks.
        tail = buffer[line:].lstrip(_BLANKS)
        if tail and len(tail) < self._longest and tail in self._growing:
            return end - len(tail)
        return end

    def _split_lines(self, buffer: str, end: int) -> list[Piece]:
        pieces: list[Piece] = []
        at = 0
        match = self._at_head.match(buffer, 0, end) if self._blank else None
        if match is None:
            match = self._at_line.search(buffer, 0, end)
        while match is not None:
            begin = match.start(1)
            if begin > at:
                pieces.append((None, buffer[at:begin]))
            pieces.append((match[1], match[1]))
            at = match.end()
            self._blank = False
            match = self._at_line.search(buffer, at, end)
        if at < end:
            rest = buffer[at:end]
            pieces.append((None, rest))
            line = rest.rfind("\n")
            if line >= 0 or self._blank:
                self._blank = not rest[line + 1 :].strip(_BLANKS)
        self._held = buffer[end:]
        return pieces

    def _split_anywhere(self, buffer: str, last: bool = False) -> list[Piece]:
        pieces: list[Piece] = []
        at = 0
        hold = len(buffer) if last else self._hold_anywhere(buffer, 0)
        match = self._anywhere.search(buffer)
        while match is not None and match.start() < hold:
            if match.start() > at:
                pieces.append((None, buffer[at : match.start()]))
            pieces.append((match[0], match[0]))
            at = match.end()
            if hold < at:
                hold = self._hold_anywhere(buffer, at)
            match = self._anywhere.search(buffer, at)
        if at < hold:
            pieces.append((None, buffer[at:hold]))
        self._held = buffer[hold:]
        return pieces

    def _hold_anywhere(self, buffer: str, at: int) -> int:
        end = len(buffer)
        for start in range(max(at, end - self._longest + 1), end):
            if buffer[start:] in self._growing:
                return start
        return end
