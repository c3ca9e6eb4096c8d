"""Lines that look like a marker and are none.

Models write `**[Body]**`, `## [Body]`, `[body]`, `[ Body ]`, full-width brackets, `"[Body]"`,
`### Body`, `Body:`, or put a byte order mark or another blank than space and tab before a marker.
Such a line is content like any other, never a state; but it is never silent: a hint names the
marker meant.
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
# Blanks that nobody sees, and the line ends of other tools: none of them begins a line here.
_ODD = "\x00\x0b\x0c\r\x1c-\x1f\x85\xa0\xad\u2000-\u200f\u2028-\u202f\u205f-\u2064\u3000\ufeff"
_ODD_BREAK = "\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029"
_INVISIBLE = re.compile("[\x00\xad\u200b-\u200f\u2060-\u2064\ufeff]")
_WRAP = r"""[\s#*_`~"'“”‘’\\<({\[>|+-]"""
_CLOSE = r"""[\])}>"'“”‘’\\*_`~]"""
_DECORATION = r"[ \t]*(?:[#>*_`~=|+-]+[ \t]*|\d{1,3}[.)][ \t]+)*"
_TRAILING = " \t\r*_`~#=|:：.。"
_BRACKETED = re.compile(r"\[[^\[\]]{1,60}\]")
_TITLE = re.compile(r"[ \t]*\[[A-Z][A-Za-z]*(?:[ _-]?#?[A-Za-z0-9]+)*\][*_`~]*(?=[ \t\r:：]|$)")
_AFTER_MARKER = re.compile(r"[ \t]*(?:[:：]|\*\*|__|``?|[.\]](?=\s|$))")


class HintScanner:
    """Watches one trace line by line. `hints` grows as lines are complete. `anywhere`: markers
    count anywhere in a line, so that one which is content is no misplaced one."""

    def __init__(self, markers: Sequence[str], anywhere: bool = False) -> None:
        self._anywhere = anywhere
        self.hints: list[Hint] = []
        self._markers = tuple(markers)
        # What a marker says without its brackets; only markers that have some.
        self._by_name = {n: m for m in reversed(self._markers) if (n := m.strip("[]<>(){} ")) != m}
        self._by_shape = {shape(marker): marker for marker in reversed(self._markers)}
        firsts = {"[", "［", "【", "〔", "〖"}
        for marker in markers:
            firsts |= {marker[0].lower(), marker[0].upper()}
        heads = "".join(re.escape(first) for first in sorted(firsts))
        tails = "|".join(re.escape(m) for m in sorted(markers, key=len, reverse=True))
        # A cheap sieve; whole lines are judged by `_judge`.
        end = rf"(?:{tails})[ \t\r]*$|[{_ODD_BREAK}][ \t]*(?:{tails})"
        names = "|".join(re.escape(name) for name in self._by_name) or "(?!)"
        self._sieve = re.compile(
            rf"[{_ODD}]*{_DECORATION}[{heads}]|{_WRAP}*(?:{names})(?!\w)|[^\n]*?(?:{end})"
        )
        self._tail = re.compile(rf"(?:{tails})(?=[ \t\r]*$)")
        self._after_break = re.compile(rf"([{_ODD_BREAK}])[ \t]*({tails})")
        self._odd_lead = re.compile(rf"[ \t]*([{_ODD}])[ \t{_ODD}]*({tails})")
        end = rf"(?:([:：]){_CLOSE}*(?=\s|$)|$)"
        self._label = re.compile(rf"({_WRAP}*)({names})({_CLOSE}*)[ \t\r]*{end}")
        self._line: str | None = ""
        self._start = Position()
        self._marker: str | None = None
        # After the first violation, where the rest of its line goes on; None: not looked at.
        self._rest_at: Position | None = None
        self._rejected = False

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
        self._rest_at, self._rejected = at, True

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
        self._marker, self._rest_at, self._rejected = None, None, False

    def _close(self) -> None:
        line, marker = self._line, self._marker
        self._line, self._marker = "", None
        if line and len(self.hints) < MAX_HINTS and (marker or self._sieve.match(line)):
            self._judge(line, marker)

    def _judge(self, line: str, marker: str | None) -> None:
        odd = self._after_break.search(line) or self._odd_lead.match(line)
        if odd is not None and not self._anywhere:
            what = f"{odd[2]} stands after U+{ord(odd[1]):04X} on its line, so it is content"
            self._add(odd.start(2), odd[2], odd[2], what)
            return
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
            self._judge_tail(line, 0)

    def _judge_tail(self, line: str, start: int) -> None:
        tail = self._tail.search(line, start)
        # After a violation nothing is content; nor is what follows a comment sign a marker.
        if tail is None or "//" in line[: tail.start()] or (self._anywhere and self._rejected):
            return
        found = tail[0]
        why = "is content here" if self._anywhere else "does not begin its line, so it is content"
        self._add(tail.start(), found, found, f"{found} {why}")

    def _judge_marked(self, line: str, marker: str) -> None:
        begin = line.find(marker)
        end = begin + len(marker)
        after = _AFTER_MARKER.match(line, end)
        if after is None:
            self._judge_tail(line, end)
            return
        self._add(
            begin,
            line.strip(),
            marker,
            f"{after[0].strip()!r} right after {marker} is part of its content; "
            "the marker stands alone",
        )

    def meant_by(self, line: str) -> str | None:
        """The marker that a line resembles, if any."""
        plain = unicodedata.normalize("NFKC", _INVISIBLE.sub("", line.translate(_BRACKETS)))
        plain = re.sub(_DECORATION, "", plain.lstrip(), count=1)
        head = _BRACKETED.match(plain)
        if head is not None:
            return self._by_shape.get(shape(head[0])) or self._named(line)
        whole = self._by_shape.get(shape(plain))
        if whole is not None:
            return whole
        label, colon, _ = plain.partition(":")
        return (self._by_shape.get(shape(label)) if colon else None) or self._named(line)

    def _named(self, line: str) -> str | None:
        """The marker whose words stand in the line in other dress: `"[Body]"`, `### Body`,
        `(Body)`, `Body:`; upper and lower case as in the marker. Bare words are just words."""
        label = self._label.match(line)
        if label is None:
            return None
        before, name, after, colon = label.groups()
        return self._by_name[name] if before.strip(" \t-+>|") or after or colon else None

    def _add(self, lead: int, text: str, meant: str | None, message: str) -> None:
        at = self._start
        self.hints.append(
            Hint(at.offset + lead, at.line, at.column + lead, text[:80], meant, message)
        )


def shape(text: str) -> str:
    """A marker or a line without what models vary: case, blanks, emphasis, a trailing colon."""
    plain = _INVISIBLE.sub("", text.translate(_BRACKETS))
    plain = unicodedata.normalize("NFKC", plain).casefold().lstrip()
    plain = re.sub(_DECORATION, "", plain, count=1).strip(_TRAILING)
    return re.sub(r"[\s_-]+", "", plain)
