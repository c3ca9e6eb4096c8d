"""The s-expression reader: text to a tree of nodes with spans, nothing about meaning.

Comments run from `;` or `#` to the end of the line. Strings stand in double or single quotes;
a backslash escapes the quote, itself, and `n` and `t`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from verulaw_gate.spans import LineIndex, Span

if TYPE_CHECKING:
    from lark import Lark, Token, Tree

MAX_DEPTH = 200
"""Parentheses nested deeper than this are refused: no protocol needs it."""

GRAMMAR = r"""
    start: node*
    ?node: list | STRING | ATOM
    list: "(" node* ")"
    STRING: /"(?:[^"\\]|\\.)*"/s | /'(?:[^'\\]|\\.)*'/s
    ATOM: /[^\s()"';#]+/
    COMMENT: /[;#][^\n]*/
    %ignore COMMENT
    %ignore /\s+/
"""

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


@cache
def _parser() -> Lark:
    # Imported here: half of what reading a protocol costs is importing lark.
    from lark import Lark

    return Lark(GRAMMAR, parser="lalr", propagate_positions=True)


def read(text: str) -> tuple[Node, ...]:
    """The s-expressions of a text. Raises `Malformed` for the first place that is none."""
    from lark.exceptions import UnexpectedCharacters, UnexpectedToken

    index = LineIndex(text)
    _refuse_depth(text, index)
    try:
        tree = _parser().parse(text)
    except UnexpectedCharacters as error:
        raise _stray_character(text, index, error.pos_in_stream or 0) from None
    except UnexpectedToken as error:
        at = error.pos_in_stream
        # Every lexeme but a ")" may begin a node: the rest is the end of the text.
        if error.token.type == "$END" or at is None:
            raise _unclosed(text, index) from None
        raise Malformed(
            "a ')' without its '('", index.span(at, at + 1), "delete it, or open its list"
        ) from None
    return tuple(_node(child, index) for child in tree.children)


def _node(child: Tree[Any] | Token | Any, index: LineIndex) -> Node:
    from lark import Token

    if isinstance(child, Token):
        start = child.start_pos or 0
        span = index.span(start, start + len(child))
        if child.type == "ATOM":
            return Atom(str(child), span)
        return Text(_unescape(child[1:-1]), span)
    span = index.span(child.meta.start_pos, child.meta.end_pos)
    return Items(tuple(_node(c, index) for c in child.children), span)


def _unescape(raw: str) -> str:
    return re.sub(r"\\(.)", lambda m: _ESCAPES.get(m[1], m[1]), raw, flags=re.DOTALL)


_LEXEME = re.compile(r"""[;#][^\n]*|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[()]""", re.DOTALL)


def _open_lists(text: str) -> list[int]:
    """Offsets of the '(' that are still open at the end."""
    stack: list[int] = []
    for match in _LEXEME.finditer(text):
        if match[0] == "(":
            stack.append(match.start())
        elif match[0] == ")" and stack:
            stack.pop()
    return stack


def _refuse_depth(text: str, index: LineIndex) -> None:
    depth = 0
    for match in _LEXEME.finditer(text):
        depth += {"(": 1, ")": -1}.get(match[0], 0)
        if depth > MAX_DEPTH:
            raise Malformed(
                f"lists nested more than {MAX_DEPTH} deep",
                index.span(match.start(), match.end()),
                "flatten the formula: `next` and `or` take any number of arguments",
            )


def _stray_character(text: str, index: LineIndex, at: int) -> Malformed:
    if text[at] in "\"'":
        return Malformed(
            "a string without its closing quote",
            index.span(at, at + 1),
            f"close it with {text[at]}",
        )
    return Malformed(
        f"unexpected character {text[at]!r}", index.span(at, at + 1), "delete it or quote it"
    )


def _unclosed(text: str, index: LineIndex) -> Malformed:
    stack = _open_lists(text)
    at = stack[-1] if stack else max(len(text) - 1, 0)
    return Malformed(
        "a '(' without its ')'",
        index.span(at, min(at + 1, len(text))),
        "close the list; the editor's bracket matching shows where it ends",
    )
