"""The code tokens of Rust/Verus, small and simple: enough to find functions and compare texts.

Deliberately apart from the gate's lexer: the importers need no rules, and the frozen judge of an
experiment must not share a fault with the rules that it judges.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_TOKEN = re.compile(
    r"""
      (?P<space>\s+)
    | (?P<line>//[^\n]*)
    | (?P<block>/\*)
    | (?P<raw>(?:b|c)?r(?P<hashes>\#*)")
    | (?P<string>(?:b|c)?"(?:\\.|[^"\\])*")
    | (?P<open>(?:b|c)?")
    | (?P<char>b?'(?:\\(?:u\{[^}]*\}|x[0-9a-fA-F]{2}|.)|[^'\\\n])')
    | (?P<word>(?:r\#)?[A-Za-z_]\w*|'[A-Za-z_]\w*|[0-9]\w*)
    | (?P<mark>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_COMMENT_EDGE = re.compile(r"/\*|\*/")

OPEN, CLOSE = frozenset("([{"), frozenset(")]}")


@dataclass(frozen=True, slots=True)
class Token:
    """One code token and where it stands, in characters from 0."""

    text: str
    start: int
    end: int


def read_tokens(text: str) -> list[Token] | None:
    """Code tokens without comments and white space; None where one is left open."""
    out: list[Token] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        assert match is not None
        start, at = at, match.end()
        kind = "raw" if match["hashes"] is not None else match.lastgroup
        if kind == "open":
            return None
        if kind == "block":
            end = _comment_end(text, at)
            if end is None:
                return None
            at = end
        elif kind == "raw":
            close = text.find('"' + match["hashes"], at)
            if close < 0:
                return None
            at = close + 1 + len(match["hashes"])
            out.append(Token(text[start:at], start, at))
        elif kind not in ("space", "line"):
            out.append(Token(match.group(), start, at))
    return out


def _comment_end(text: str, at: int) -> int | None:
    depth = 1
    for match in _COMMENT_EDGE.finditer(text, at):
        depth += 1 if match.group() == "/*" else -1
        if depth == 0:
            return match.end()
    return None


def closing(tokens: list[Token], at: int) -> int | None:
    """The index of the bracket that closes the one at `at`; None when there is none."""
    depth = 0
    for i in range(at, len(tokens)):
        depth += (tokens[i].text in OPEN) - (tokens[i].text in CLOSE)
        if depth == 0:
            return i
    return None
