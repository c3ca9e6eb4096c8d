"""The code tokens of Rust/Verus, small and simple: enough to find functions and compare texts.

Deliberately apart from the gate's lexer: the importers need no rules, and the frozen judge of an
experiment must not share a fault with the rules that it judges.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_TOKEN = re.compile(
    r"""
    \s*+(?:
      (?P<plain>(?:r\#)?[A-Za-z_]\w*+(?!["'\#]))
    | (?P<line>//[^\n]*)
    | (?P<block>/\*)
    | (?P<raw>(?:b|c)?r(?P<hashes>\#*)")
    | (?P<string>(?:b|c)?"(?:\\.|[^"\\])*")
    | (?P<open>(?:b|c)?")
    | (?P<char>b?'(?:\\(?:u\{[^}]*\}|x[0-9a-fA-F]{2}|.)|[^'\\\n])')
    | (?P<word>(?:r\#)?[A-Za-z_]\w*|'[A-Za-z_]\w*|[0-9]\w*)
    | (?P<mark>.)
    )
    """,
    re.VERBOSE | re.DOTALL,
)
_CODE = frozenset({"plain", "string", "char", "word", "mark"})
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
    found = _read(text)
    if found is None:
        return None
    return [Token(code, at, at + len(code)) for code, at in zip(*found, strict=True)]


def read_texts(text: str) -> list[str] | None:
    """The texts of `read_tokens` alone, for half of its time."""
    found = _read(text)
    return None if found is None else found[0]


def _read(text: str) -> tuple[list[str], list[int]] | None:
    texts: list[str] = []
    starts: list[int] = []
    at, size = 0, len(text)
    while at < size:
        for match in _TOKEN.finditer(text, at):
            kind = match.lastgroup
            if kind in _CODE:
                texts.append(match[kind])
                starts.append(match.start(kind))
            elif kind == "open":
                return None
            elif kind == "block":
                end = _comment_end(text, match.end())
                if end is None:
                    return None
                at = end
                break
            elif kind == "raw":
                close = text.find('"' + match["hashes"], match.end())
                if close < 0:
                    return None
                start, at = match.start(kind), close + 1 + len(match["hashes"])
                texts.append(text[start:at])
                starts.append(start)
                break
        else:
            break
    return texts, starts


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
