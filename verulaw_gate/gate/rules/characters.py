"""VG314: characters that no reader sees."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator

from verulaw_gate.findings import Finding
from verulaw_gate.gate.context import Context, View
from verulaw_gate.gate.rule import LayerName, Rule, RuleDoc

# Controls of writing direction turn the order of what follows, in comments too (CVE-2021-42574).
_DIRECTION = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
# Characters without a glyph, or with one that looks like a blank.
_INVISIBLE = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200d\u2028\u2029\u2060-\u2065"
    "\u206a-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e007f\U000e0100-\U000e01ef"
)
_ANY = re.compile(f"[{_DIRECTION}{_INVISIBLE}]")
_TURNS = re.compile(f"[{_DIRECTION}]")


def _run(context: Context) -> Iterable[Finding]:
    if context.text.isascii():
        return
    earlier: Counter[str] = Counter()
    if context.base is not None:
        earlier.update(char for _, char in _unseen(context.base))
    for at, char in _unseen(context.view):
        if earlier[char] > 0:
            earlier[char] -= 1
            continue
        kind = "bidirectional control" if _TURNS.match(char) else "invisible character"
        yield context.over(
            "VG314", at, at + 1, f"the {kind} U+{ord(char):04X}", "remove the character"
        )


def _unseen(view: View) -> Iterator[tuple[int, str]]:
    """The characters that deceive, with their places. In a comment only what turns the direction
    can; joiners make up emoji there. A byte order mark may begin a file."""
    comments = view.tokens.comments
    starts = [start for start, _ in comments]
    for match in _ANY.finditer(view.text):
        at, char = match.start(), match[0]
        place = bisect_right(starts, at) - 1
        in_comment = place >= 0 and at < comments[place][1]
        if (in_comment and not _TURNS.match(char)) or (at == 0 and char == "\ufeff"):
            continue
        yield at, char


DOCS = {
    "VG314": RuleDoc(
        "Controls of writing direction anywhere, comments and strings included; characters "
        "without a glyph in code and strings.",
        "What a reader sees is not what Verus reads.",
        "a comment with U+202E in which the code after it seems to stand",
        "Remove the character.",
    )
}

RULE = Rule(tuple(DOCS), LayerName.TOKENS, _run, DOCS)
