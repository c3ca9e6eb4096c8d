"""The s-expression reader: text to a tree of nodes with spans, nothing about meaning.

Comments run from `;` or `#` to the end of the line. Strings stand in double or single quotes;
a backslash escapes the quote, itself, and `n` and `t`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from verulaw_gate.spans import LineIndex, Span

MAX_DEPTH = 200
"""Parentheses nested deeper than this are refused: no protocol needs it."""

# Read by hand: a parser generator takes longer to import than a check of a trace takes as a whole.
_LEXEME = re.compile(
    r"""(?P<skip>\s+|[;\#][^\n]*) | (?P<atom>[^\s()"';\#]+)
    | (?P<string>"(?:[^"\\]|\\.)*" | '(?:[^'\\]|\\.)*') | (?P<open>\() | (?P<close>\))""",
    re.DOTALL | re.VERBOSE,
)
_ESCAPES = {"n": "\n", "t": "\t"}


@dataclass(frozen=True, slots=True)
class Atom:
    """A bare word."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Text:
    """A quoted string; `text` is without the quotes and with the escapes resolved."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Items:
    """A parenthesised list."""

    items: tuple[Node, ...]
    span: Span


Node = Atom | Text | Items


class Malformed(Exception):
    """The text is no sequence of s-expressions. Turned into a P101 by the caller."""

    def __init__(self, message: str, span: Span, remedy: str) -> None:
        super().__init__(message)
        self.message = message
        self.span = span
        self.remedy = remedy


def read(text: str) -> tuple[Node, ...]:
    """The s-expressions of a text. Raises `Malformed` for the first place that is none."""
    index = LineIndex(text)
    levels: list[list[Node]] = [[]]
    opened: list[int] = []
    at = 0
    while at < len(text):
        match = _LEXEME.match(text, at)
        if match is None:
            raise _open_string(text, index, at)
        start, at = match.span()
        if match.lastgroup == "open":
            if len(opened) == MAX_DEPTH:
                raise _too_deep(index, start)
            opened.append(start)
            levels.append([])
        elif match.lastgroup == "close":
            if not opened:
                raise Malformed(
                    "a ')' without its '('", index.span(start, at), "delete it, or open its list"
                )
            items = tuple(levels.pop())
            levels[-1].append(Items(items, index.span(opened.pop(), at)))
        elif match.lastgroup == "atom":
            levels[-1].append(Atom(match[0], index.span(start, at)))
        elif match.lastgroup == "string":
            levels[-1].append(Text(_unescape(match[0][1:-1]), index.span(start, at)))
    if opened:
        raise Malformed(
            "a '(' without its ')'",
            index.span(opened[-1], opened[-1] + 1),
            "close the list; the editor's bracket matching shows where it ends",
        )
    return tuple(levels[0])


def _unescape(raw: str) -> str:
    return re.sub(r"\\(.)", lambda m: _ESCAPES.get(m[1], m[1]), raw, flags=re.DOTALL)


def _too_deep(index: LineIndex, at: int) -> Malformed:
    return Malformed(
        f"lists nested more than {MAX_DEPTH} deep",
        index.span(at, at + 1),
        "flatten the formula: `next` and `or` take any number of arguments",
    )


def _open_string(text: str, index: LineIndex, at: int) -> Malformed:
    # Every other character begins a lexeme.
    return Malformed(
        "a string without its closing quote", index.span(at, at + 1), f"close it with {text[at]}"
    )
