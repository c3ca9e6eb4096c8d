"""Lines that look like a marker and are none.

Models write `**[Body]**`, `## [Body]`, `[body]`, `[ Body ]` or full-width brackets. Such a line is
content like any other, never a state; but it is never silent: a hint names the marker meant.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from difflib import get_close_matches

from verulaw_gate.monitor.model import Hint
from verulaw_gate.monitor.position import Position

MAX_LINE = 200
"""Only this many characters of a line are looked at: no marker line is longer."""
MAX_HINTS = 100
"""A trace keeps this many hints; memory stays flat on a text full of them."""

_BRACKETS = str.maketrans("【〔［〖】〕］〗", "[[[[]]]]")
_DECORATION = r"[ \t]*(?:[#>*_`~=|+-]+[ \t]*|\d{1,3}[.)][ \t]+)*"
_TRAILING = " \t\r*_`~#=|:：.。"
_BRACKETED = re.compile(r"\[[^\[\]]{1,60}\]")
_TITLE = re.compile(r"[ \t]*\[[A-Z][A-Za-z]*(?:[ _-][A-Za-z]+)*\][*_`~]*(?=[ \t\r:：]|$)")
_AFTER_MARKER = re.compile(r"[ \t]*(?:[:：]|\*\*|__|``?)")


class HintScanner:
    """Watches one trace line by line. `hints` grows as lines are complete."""

    def __init__(self, markers: Sequence[str]) -> None:
        self.hints: list[Hint] = []
        self._markers = tuple(markers)
        self._by_shape = {shape(marker): marker for marker in reversed(self._markers)}
        firsts = {"[", "［", "【", "〔", "〖"}
        for marker in markers:
            firsts |= {marker[0].lower(), marker[0].upper()}
        heads = "".join(re.escape(first) for first in sorted(firsts))
        tails = "|".join(re.escape(m) for m in sorted(markers, key=len, reverse=True))
        # A cheap sieve; whole lines are judged by `_judge`.
        self._sieve = re.compile(rf"{_DECORATION}[{heads}]|[^\n]*?(?:{tails})[ \t\r]*$")
        self._tail = re.compile(rf"(?:{tails})(?=[ \t\r]*$)")
        self._line: str | None = ""
        self._start = Position()
        self._marker: str | None = None
        # After the first violation, where the rest of its line goes on; None: not looked at.
        self._rest_at: Position | None = None

    def feed(self, marker: str | None, text: str, at: Position, own: bool = True) -> None:
        """A piece that begins at `at`. `own` is False for text in which a marker is content (the
        environment's)."""
        if marker is not None and own:
            self._marker = marker
        start = 0
        end = text.find("\n")
        while end >= 0:
            self._extend(text[start:end], at)
            self._close()
            at = at.after(text[start : end + 1])
            self._start, self._line = at, ""
            start, end = end + 1, text.find("\n", end + 1)
        self._extend(text[start:], at)

    def _extend(self, text: str, at: Position) -> None:
        if self._line is None:
            return
        if not self._line:
            self._start = at
        if len(self._line) < MAX_LINE:
            self._line += text[: MAX_LINE - len(self._line)]

    def end(self) -> None:
        """The speaker stops: an unfinished line counts as it stands."""
        self._close()
        self._line, self._rest_at = "", None

    def only_rest(self, at: Position) -> None:
        """Everything from `at` on is rejected: only the rest of its line is still looked at, for a
        near miss may stand there."""
        self._rest_at = at

    def rest(self, text: str) -> None:
        """Rejected text that follows."""
        if self._rest_at is None:
            return
        line, newline, _ = text.partition("\n")
        self.feed(None, line + newline, self._rest_at, own=False)
        self._rest_at = None if newline else self._rest_at.after(line)

    def near_miss(self, since: int) -> str:
        """Names the marker that a line at or after an offset seems to mean; empty without one."""
        near = [hint for hint in self.hints if hint.meant and hint.offset >= since]
        return f" (line {near[-1].line}: {near[-1].message})" if near else ""

    def cut(self, held: str, at: Position) -> None:
        """The turn ended inside what could have become a marker: it is content now."""
        meant = [m for m in self._markers if m.startswith(held) and m != held]
        if len(held) > 1 and held not in self._markers and len(self.hints) < MAX_HINTS:
            self.hints.append(
                Hint(
                    at.offset,
                    at.line,
                    at.column,
                    held,
                    meant[0] if len(meant) == 1 else None,
                    f"the turn ends inside {' or '.join(meant)}: {held!r} is content",
                )
            )

    def restart(self, at: Position) -> None:
        """Go on at an earlier place; the rest of a line that had begun there is not judged."""
        self.hints = [hint for hint in self.hints if hint.offset < at.offset]
        self._line = "" if at.line_blank else None
        self._marker, self._rest_at = None, None

    def _close(self) -> None:
        line, marker = self._line, self._marker
        self._line, self._marker = "", None
        if line and len(self.hints) < MAX_HINTS and (marker or self._sieve.match(line)):
            self._judge(line, marker)

    def _judge(self, line: str, marker: str | None) -> None:
        if marker is not None:
            self._judge_marked(line, marker)
            return
        lead = len(line) - len(line.lstrip(" \t"))
        text = line.strip()
        meant = self.meant_by(line)
        if meant is not None:
            exact = text.startswith(meant)
            why = "is content here" if exact else f"looks like the marker {meant} and is not it"
            self._add(lead, text, meant, f"{text[:80]!r} {why}")
        elif _TITLE.match(line):
            near = get_close_matches(shape(text), list(self._by_shape), 1, 0.8)
            ask = f"; did you mean {self._by_shape[near[0]]}?" if near else ""
            self._add(lead, text, None, f"{text[:80]!r} is no marker of this protocol{ask}")
        else:
            tail = self._tail.search(line)
            if tail is not None and "//" not in line[: tail.start()]:
                found = tail[0]
                self._add(
                    tail.start(),
                    found,
                    found,
                    f"{found} does not begin its line, so it is content",
                )

    def _judge_marked(self, line: str, marker: str) -> None:
        end = line.find(marker) + len(marker)
        after = _AFTER_MARKER.match(line, end)
        if after is not None:
            self._add(
                line.find(marker),
                line.strip(),
                marker,
                f"{after[0].strip()!r} right after {marker} is part of its content; "
                "the marker stands alone",
            )

    def meant_by(self, line: str) -> str | None:
        """The marker that a line resembles, if any."""
        plain = unicodedata.normalize("NFKC", line.translate(_BRACKETS))
        plain = re.sub(_DECORATION, "", plain, count=1)
        if plain.startswith("["):
            head = _BRACKETED.match(plain)
            return self._by_shape.get(shape(head[0])) if head else None
        whole = self._by_shape.get(shape(plain))
        if whole is not None:
            return whole
        label, colon, _ = plain.partition(":")
        return self._by_shape.get(shape(label)) if colon else None

    def _add(self, lead: int, text: str, meant: str | None, message: str) -> None:
        at = self._start
        self.hints.append(
            Hint(at.offset + lead, at.line, at.column + lead, text[:80], meant, message)
        )


def shape(text: str) -> str:
    """A marker or a line without what models vary: case, blanks, emphasis, a trailing colon."""
    plain = unicodedata.normalize("NFKC", text.translate(_BRACKETS)).casefold()
    plain = re.sub(_DECORATION, "", plain, count=1).strip(_TRAILING)
    return re.sub(r"[\s_-]+", "", plain)
