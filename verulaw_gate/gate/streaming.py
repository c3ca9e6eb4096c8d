"""Gate rules while the text streams in: a content checker for the monitor.

A session sees one section. It reports as soon as something is certain whatever follows: brackets
that can no longer balance, a fence, a complete forbidden construct, a section that leaves its
place. At the end it reports the rest, so that streaming and whole agree.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence

from verulaw_gate.codes import CODES
from verulaw_gate.findings import Finding
from verulaw_gate.gate.heads import keyword_at, past_attributes
from verulaw_gate.gate.hits import Hit, TokenCheck
from verulaw_gate.gate.items import next_item
from verulaw_gate.gate.lexer import PAIRS, Kind, Lexer, Tokens
from verulaw_gate.gate.rules import trust_attributes, trust_words
from verulaw_gate.gate.sections import (
    Problem,
    after_block,
    block_problems,
    is_code_of_other_rules,
    items_problems,
)
from verulaw_gate.monitor.model import ContentSession
from verulaw_gate.protocol.model import ContentKind, State
from verulaw_gate.spans import LineIndex

_CHECKS: dict[str, TokenCheck] = {**trust_words.CHECKS, **trust_attributes.CHECKS}
_KINDS = frozenset({ContentKind.VERUS_ITEMS, ContentKind.VERUS_BLOCK, ContentKind.VERUS_FILE})
_FENCE = "write the code alone, without Markdown"
# How many tokens behind a word settle what the word is.
_LOOKAHEAD = 2


class VerusContent:
    """The content checker for `verus-items`, `verus-block` and `verus-file`.

    `keep` says which findings count and how (the gate's own filter; None drops one). With
    `fences_mended` a fence that opens a section is left to repair.
    """

    def __init__(
        self,
        keep: Callable[[Finding], Finding | None] = lambda finding: finding,
        *,
        fences_mended: bool = False,
    ) -> None:
        self._keep = keep
        self._fences_mended = fences_mended

    def start(self, state: State) -> ContentSession | None:
        """A session, or None for contents of other kinds."""
        if state.content not in _KINDS:
            return None
        return VerusSession(state.content, self._keep, fences_mended=self._fences_mended)


class VerusSession:
    """One section under check."""

    def __init__(
        self,
        content: ContentKind,
        keep: Callable[[Finding], Finding | None],
        *,
        fences_mended: bool = False,
    ) -> None:
        self._content = content
        self._keep = keep
        self._fences_mended = fences_mended
        self._lexer = Lexer()
        self._text: list[str] = []
        self._seen = 0
        self._strays = 0
        self._waiting: list[int] = []
        self._item = 0
        self._told: set[tuple[str, int]] = set()

    def feed(self, text: str) -> Sequence[Finding]:
        """More content; findings that are certain whatever follows."""
        self._text.append(text)
        self._lexer.feed(text)
        return self._report(self._certain(final=False))

    def finish(self) -> Sequence[Finding]:
        """The content is complete; the remaining findings."""
        self._lexer.finish()
        return self._report([*self._certain(final=True), *self._at_end()])

    @property
    def _tokens(self) -> Tokens:
        return self._lexer.tokens

    def _certain(self, *, final: bool) -> list[Problem]:
        tokens = self._tokens
        if len(tokens) == self._seen and not final:
            return []
        found = [*self._brackets(), *self._fences(), *self._trust(final=final)]
        if self._content is ContentKind.VERUS_BLOCK and len(tokens):
            after = after_block(tokens, 0, len(tokens))
            if after >= 0 and tokens.texts[after] not in ("`", "}"):
                found += block_problems(tokens, 0, len(tokens))
        elif self._content is ContentKind.VERUS_ITEMS and not self._strays:
            found += self._items()
        self._seen = len(tokens)
        return found

    def _brackets(self) -> Iterator[Problem]:
        tokens = self._tokens
        for at, opener in tokens.stray[self._strays :]:
            text = tokens.texts[at]
            if opener >= 0:
                message = f"`{text}` where `{tokens.texts[opener]}` wants its partner"
                hint = f"close `{tokens.texts[opener]}` first"
                yield Problem("VG101", at, message, hint)
            elif text == "}" and self._content is not ContentKind.VERUS_FILE:
                yield Problem("VG401", at, "`}` closes what the section did not open", "")
            else:
                yield Problem("VG101", at, f"`{text}` closes nothing", "remove it")
        self._strays = len(tokens.stray)

    def _fences(self) -> Iterator[Problem]:
        texts, starts = self._tokens.texts, self._tokens.starts
        if self._fences_mended and texts[:3] == ["`"] * 3:
            return
        for at in range(max(0, self._seen - 2), len(texts) - 2):
            if texts[at : at + 3] == ["`"] * 3 and starts[at + 2] == starts[at] + 2:
                yield Problem("VG102", at, "a Markdown fence in the code", _FENCE)

    def _trust(self, *, final: bool) -> Iterator[Problem]:
        tokens = self._tokens
        texts = tokens.texts
        for at in range(self._seen, len(texts)):
            if texts[at] in _CHECKS:
                self._waiting.append(at)
        waiting, self._waiting = self._waiting, []
        for at in waiting:
            if not final and not self._settled(at):
                self._waiting.append(at)
                continue
            yield from (_problem(hit) for hit in _CHECKS[texts[at]](tokens, at))

    def _settled(self, at: int) -> bool:
        """Whether the check at a token can no longer change its mind."""
        tokens = self._tokens
        if len(tokens) <= at + _LOOKAHEAD:
            return False
        if tokens.texts[at] != "#":
            return True
        bracket = at + 2 if tokens.texts[at + 1] == "!" else at + 1
        return tokens.kinds[bracket] != Kind.OPEN or tokens.partner[bracket] > 0

    def _items(self) -> Iterator[Problem]:
        """Look at each item as soon as its beginning is there; go on when it has ended."""
        tokens = self._tokens
        size = len(tokens)
        while self._item < size:
            head = past_attributes(tokens, self._item, size)
            settled, kind = keyword_at(tokens, head, size)
            if settled + _LOOKAHEAD + 2 >= size:
                return
            if not kind and not is_code_of_other_rules(tokens, head, size):
                yield from items_problems(tokens, self._item, size)
                # One is enough: what follows cannot be told into items.
                self._item = sys.maxsize
                return
            if tokens.open and tokens.open[0] >= self._item:
                return
            item = next_item(tokens, self._item)
            if item.last >= size - 1:
                return
            self._item = item.last + 1

    def _at_end(self) -> Iterable[Problem]:
        tokens = self._tokens
        if tokens.unterminated is not None:
            what = tokens.unterminated[1]
            yield Problem("VG107", -1, f"a {what} without its end", "end it")
        else:
            for at in tokens.open:
                closer = PAIRS[tokens.texts[at]]
                yield Problem(
                    "VG101", at, f"`{tokens.texts[at]}` is never closed", f"add `{closer}`"
                )
        if self._content is ContentKind.VERUS_ITEMS:
            yield from items_problems(tokens, 0, len(tokens))
        elif self._content is ContentKind.VERUS_BLOCK:
            yield from block_problems(tokens, 0, len(tokens))

    def _report(self, problems: Iterable[Problem]) -> list[Finding]:
        found = []
        tokens = self._tokens
        lines: LineIndex | None = None
        for problem in problems:
            if (problem.code, problem.first) in self._told:
                continue
            self._told.add((problem.code, problem.first))
            # The text is put together only when there is something to say.
            lines = lines or LineIndex("".join(self._text))
            if problem.first >= 0:
                span = lines.span(tokens.starts[problem.first], tokens.ends[problem.first])
            else:
                start = tokens.unterminated[0] if tokens.unterminated else 0
                span = lines.span(start, start)
            severity = CODES[problem.code].severity
            finding = Finding(problem.code, problem.message, span, severity, problem.hint)
            kept = self._keep(finding)
            if kept is not None:
                found.append(kept)
        return found


def _problem(hit: Hit) -> Problem:
    return Problem(hit.code, hit.first, hit.message, hit.hint)
