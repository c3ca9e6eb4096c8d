"""A function body with all proof erased: the executable code that is left.

Erased are proof blocks, assertions of every form, loop clauses, ghost and tracked variables,
`broadcast use`, `reveal` and its kin, proof macros, attributes, and the ghost name of a `for`
loop's iterator (Verus guide, "Ghost code vs. exec code").
"""

from __future__ import annotations

import itertools

from verulaw_gate.gate import loops
from verulaw_gate.gate.lexer import Kind, Tokens
from verulaw_gate.gate.names import PROOF_MACROS

_PROOF_CALLS = frozenset({"reveal", "reveal_with_fuel", "reveal_strlit", "hide", "assume", "admit"})
# Of these, what is a function and no keyword: the file may have another of the name.
_FUNCTIONS = frozenset({"admit", "reveal_strlit"})
_DEFINING = frozenset({"fn", "struct", "enum", "union", "type", "const", "static", "as"})
_GHOST_TYPES = frozenset({"Ghost", "Tracked"})


def executable(tokens: Tokens, first: int, stop: int) -> list[int]:
    """The indices of the tokens of `[first, stop)` that are executable code. Semicolons that only
    separate are left out."""
    kept: list[int] = []
    _Eraser(tokens, kept).run(first, stop)
    texts = tokens.texts
    out: list[int] = []
    for at in kept:
        if texts[at] == ";" and (not out or texts[out[-1]] in (";", "{", "}")):
            continue
        out.append(at)
    return out


class _Eraser:
    def __init__(self, tokens: Tokens, kept: list[int]) -> None:
        self._tokens = tokens
        self._texts = tokens.texts
        self._kept = kept

    def run(self, at: int, stop: int) -> None:
        while at < stop:
            after = self._erased(at, stop)
            if after > at:
                at = after
                continue
            text = self._texts[at]
            self._kept.append(at)
            at += 1
            if text in loops.KEYWORDS:
                at = self._loop_header(at - 1, stop)

    def _erased(self, at: int, stop: int) -> int:
        """The token after the proof that begins at `at`; `at` when none begins there."""
        text, after = self._texts[at], self._text(at + 1)
        if text == "#" and (after == "[" or (after == "!" and self._text(at + 2) == "[")):
            return self._past(at + 1 if after == "[" else at + 2, stop)
        if self._tokens.kinds[at] != Kind.WORD or self._text(at - 1) in (".", "::"):
            return at
        if text == "assert" and after in ("(", "forall"):
            return self._assertion(at + 1, stop)
        if text == "proof" and after == "{":
            return self._past(at + 1, stop)
        if text == "let" and self._ghost_let(at):
            return self._statement(at, stop)
        if text == "broadcast" and after == "use":
            return self._statement(at, stop)
        if text in _PROOF_CALLS and after == "(":
            if text in _FUNCTIONS and self._own(text, at):
                return at
            return self._past(at + 1, stop)
        if after == "!" and text in PROOF_MACROS:
            return self._past(at + 2, stop)
        return at

    def _own(self, name: str, at: int) -> bool:
        """Whether a call is of a function of the file's own, which may well do something."""
        if name == "admit" and self._text(at + 2) != ")":
            return True
        return self._defines(name)

    def _defines(self, name: str) -> bool:
        """Whether the text itself gives the name a meaning."""
        pairs = itertools.pairwise(self._texts)
        return any(b.removeprefix("r#") == name and a in _DEFINING for a, b in pairs)

    def _assertion(self, at: int, stop: int) -> int:
        """Past what follows `assert`: the claim, its `by`, its requires, its proof."""
        texts = self._texts
        if texts[at] == "(":
            at = self._past(at, stop)
        else:
            while at < stop and texts[at] not in ("by", ";"):
                at = self._past(at, stop)
        if self._text(at, stop) != "by":
            return at
        at += 1
        if self._text(at, stop) == "(":
            at = self._past(at, stop)
        if self._text(at, stop) == "requires":
            while at < stop and texts[at] not in ("{", ";"):
                at = self._past(at, stop)
        if self._text(at, stop) == "{":
            at = self._past(at, stop)
        return at

    def _ghost_let(self, at: int) -> bool:
        """`let ghost`, `let tracked`, or a variable that is made of `Ghost(..)`, `Tracked(..)`."""
        after = self._text(at + 1)
        if after in ("ghost", "tracked") and self._text(at + 2) not in ("=", ":", ";"):
            return True
        while self._text(at) not in ("=", ";", ""):
            at = self._past(at, len(self._tokens))
        made = self._text(at + 1) in _GHOST_TYPES and self._text(at + 2) == "("
        made = made and not self._defines(self._text(at + 1))
        # Behind the value something executable may follow: `Ghost(0).then(run())`.
        return made and self._text(self._past(at + 2, len(self._tokens))) == ";"

    def _statement(self, at: int, stop: int) -> int:
        while at < stop and self._texts[at] != ";":
            at = self._past(at, stop)
        return at

    def _loop_header(self, keyword: int, stop: int) -> int:
        """Keep the header of a loop, drop its clauses; returns where its body begins."""
        clauses, body = loops.parts(self._tokens, keyword, stop)
        at = keyword + 1
        while at < clauses:
            self._kept.append(at)
            # The ghost name of a `for` loop's iterator: `in NAME: expression`.
            named = self._texts[at] == "in" and self._text(at + 2) == ":"
            at += 3 if named else 1
        return body

    def _past(self, at: int, stop: int) -> int:
        there = self._tokens.partner[at] if at < len(self._tokens) else -1
        if at < len(self._tokens) and self._tokens.kinds[at] == Kind.OPEN and there > at:
            return min(there + 1, stop)
        return at + 1

    def _text(self, at: int, stop: int | None = None) -> str:
        limit = len(self._tokens) if stop is None else stop
        return self._texts[at] if 0 <= at < limit else ""
