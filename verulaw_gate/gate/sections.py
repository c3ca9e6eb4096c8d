"""What a section of items and a block may hold; the same for a whole file and for a stream."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from verulaw_gate.gate.items import parse_items_in
from verulaw_gate.gate.lexer import Kind, Tokens

_ITEMS = "a lemma section holds items only; put prose into comments"
_BLOCK = "the body is one block, braces included"
_ESCAPE = "a body section is one block; lemmas go into lemma sections before it"


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem of a section; `first` is the token it is about, -1 when there is none."""

    code: str
    first: int
    message: str
    hint: str


def items_problems(tokens: Tokens, first: int, stop: int) -> Iterator[Problem]:
    """What is wrong with the tokens `[first, stop)` as a section of items."""
    escape = escaping(tokens, first, stop)
    if escape >= 0:
        yield _escape(tokens, escape)
    for item in parse_items_in(tokens, first, escape if escape >= 0 else stop):
        if item.kind == "unknown" and not is_code_of_other_rules(tokens, item.head, stop):
            yield Problem("VG104", item.head, f"`{tokens.texts[item.head]}` begins no item", _ITEMS)
            break


def block_problems(tokens: Tokens, first: int, stop: int) -> Iterator[Problem]:
    """What is wrong with the tokens `[first, stop)` as the block of a function."""
    if first == stop:
        yield Problem("VG105", -1, "the body section holds no code", _BLOCK)
        return
    blockless = "{" not in tokens.texts[first:stop] and tokens.texts[stop - 1] != ";"
    if blockless and tokens.kinds[first] != Kind.CLOSE and tokens.texts[first] != "`":
        yield Problem("VG105", first, "the body section holds no block", _BLOCK)
    escape = escaping(tokens, first, stop)
    if escape >= 0:
        yield _escape(tokens, escape)
    after = after_block(tokens, first, stop)
    if after >= 0 and (escape < 0 or after < escape) and tokens.texts[after] != "`":
        yield Problem(
            "VG401", after, f"`{tokens.texts[after]}` stands after the body's block", _ESCAPE
        )


def escaping(tokens: Tokens, first: int, stop: int) -> int:
    """The first `}` in `[first, stop)` that closes what was opened before the section, or -1.

    Holes stand in braces: a `)` or `]` too many can close nothing and is a matter of balance.
    """
    texts, partner = tokens.texts, tokens.partner
    for at in range(first, stop):
        outwards = texts[at] == "}" and partner[at] < first
        if outwards and (partner[at] >= 0 or (at, -1) in tokens.stray):
            return at
    return -1


def after_block(tokens: Tokens, first: int, stop: int) -> int:
    """The first token after the block that begins the section, or -1."""
    if tokens.texts[first] != "{":
        return -1
    there = tokens.partner[first]
    return there + 1 if first < there < stop - 1 else -1


def is_code_of_other_rules(tokens: Tokens, at: int, stop: int) -> bool:
    """What other rules speak of: a fence is VG102, a lone `;` or bracket is left to the parser."""
    if at >= stop:
        return True
    return tokens.texts[at] in ("`", ";", "~") or tokens.kinds[at] == Kind.CLOSE


def _escape(tokens: Tokens, at: int) -> Problem:
    return Problem(
        "VG401", at, f"`{tokens.texts[at]}` closes what the section did not open", _ESCAPE
    )
