"""Suppressions in comments, and what becomes of each.

    // verulaw-gate: allow(VG303) the binding is reviewed by hand
    #[verifier::external_body]

A comment at the end of a line is about that line; one on a line of its own is about the next
line that holds code. `allow-file(..)` is about the whole file. Several codes or rule names are
separated by commas.

The author of a cheat can write a comment too. So where there is a base, a suppression that the
base does not have never hushes a finding of the trust or integrity family.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from verulaw_gate.cli.checking.model import GUARDED, Notice, Shown
from verulaw_gate.config import codes_of
from verulaw_gate.errors import ConfigError
from verulaw_gate.gate.context import View
from verulaw_gate.spans import LineIndex

_MARK = re.compile(r"verulaw-gate\s*:\s*(?P<verb>[\w-]*)\s*(?:\((?P<codes>[^)]*)\))?")


@dataclass(frozen=True, slots=True)
class Suppression:
    """One suppression: `line` is the line it is about (None: the whole file), `at` where it
    stands, `text` its own text with that of the line it is about and the item there: the same
    suppression of the same line in the base has the same."""

    codes: frozenset[str]
    line: int | None
    at: int
    text: str


def suppressions(view: View) -> tuple[tuple[Suppression, ...], tuple[Notice, ...]]:
    """The suppressions among the comments of a text, and a notice for each that cannot be
    understood."""
    text, index, comments = view.text, view.lines, view.tokens.comments
    found: list[Suppression] = []
    notices: list[Notice] = []
    for start, end in comments:
        mark = _MARK.search(text, start, end)
        if mark is None:
            continue
        line = index.position(start)[0]
        try:
            codes = _codes(mark)
        except ConfigError as error:
            hint = f"; {error.hint}" if error.hint else ""
            notices.append(Notice("bad-suppression", error.message + hint, line))
            continue
        whole = mark["verb"] == "allow-file"
        about = None if whole else _line_meant(text, index, comments, start, end)
        target = "" if about is None else index.line_text(about)
        item = "" if about is None else _item_at(view, index.line_start(about))
        known_by = " ".join(f"{mark[0]} {target} {item}".split())
        found.append(Suppression(codes, about, line, known_by))
    return tuple(found), tuple(notices)


def _item_at(view: View, start: int) -> str:
    """What the item is called in which the code from `start` on stands. A suppression that moves
    to another item, line and all, is another one."""
    token = bisect_left(view.tokens.starts, start)
    item = view.item_at(token) if token < len(view.tokens) else None
    return "" if item is None else " ".join(item.key)


def _codes(mark: re.Match[str]) -> frozenset[str]:
    if mark["verb"] not in ("allow", "allow-file") or not (mark["codes"] or "").strip():
        raise ConfigError(
            f"suppression '{mark[0].strip()}' is not understood",
            hint="write allow(CODE) or allow-file(CODE)",
        )
    names = [name.strip() for name in mark["codes"].split(",") if name.strip()]
    return codes_of(names, where="suppression")


def _line_meant(
    text: str, index: LineIndex, comments: Sequence[tuple[int, int]], start: int, end: int
) -> int:
    line = index.position(start)[0]
    if text[index.line_start(line) : start].strip():
        return line
    # On a line of its own: the next code, past blanks and further comments.
    at = end
    for other_start, other_end in comments:
        if other_start >= at and not text[at:other_start].strip():
            at = other_end
    rest = text[at:]
    return index.position(at + len(rest) - len(rest.lstrip()))[0] if rest.strip() else line


def hush(
    shown: Iterable[Shown],
    found: Sequence[Suppression],
    base: Sequence[Suppression] | None,
    mute: frozenset[str] = frozenset(),
) -> tuple[tuple[Shown, ...], tuple[Notice, ...]]:
    """The findings with those hushed that a suppression covers, and notices for suppressions
    that cover nothing or that the base (None: there is none) does not have. One of a code that
    could not speak (`mute`) is not called unused."""
    old = None if base is None else Counter(s.text for s in base)
    trusted: list[bool] = []
    for suppression in found:
        known = old is None or old[suppression.text] > 0
        if old is not None and known:
            old[suppression.text] -= 1
        trusted.append(known)
    used: set[int] = set()
    refused: set[int] = set()
    result: list[Shown] = []
    for item in shown:
        hushed = item.hushed
        for number, suppression in enumerate(found):
            covers = item.finding.code in suppression.codes
            if not covers or suppression.line not in (None, item.line):
                continue
            if item.finding.family in GUARDED and not trusted[number]:
                refused.add(number)
                continue
            used.add(number)
            hushed = hushed or "comment"
        result.append(replace(item, hushed=hushed))
    notices: list[Notice] = []
    for number, suppression in enumerate(found):
        codes = ", ".join(sorted(suppression.codes))
        if number in refused:
            message = f"suppression of {codes} is added by this change: it hides nothing"
            notices.append(Notice("added-suppression", message, suppression.at))
        elif number not in used and not suppression.codes & mute:
            message = f"unused suppression of {codes}: nothing of the kind is found here"
            notices.append(Notice("unused-suppression", message, suppression.at))
    return tuple(result), tuple(notices)
