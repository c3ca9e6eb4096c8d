"""Attributes: their brackets, their words, and which of them hold at a token."""

from __future__ import annotations

from verulaw_gate.gate.context import View
from verulaw_gate.gate.heads import past_attributes
from verulaw_gate.gate.lexer import Kind, Tokens


def group(tokens: Tokens, at: int) -> tuple[int, int] | None:
    """The brackets of the attribute whose `#` is at `at`, or None when it is no attribute."""
    bracket = at + 1
    if bracket < len(tokens) and tokens.texts[bracket] == "!":
        bracket += 1
    if bracket >= len(tokens) or tokens.texts[bracket] != "[":
        return None
    there = tokens.partner[bracket]
    return (bracket, there) if there > bracket else None


def words(tokens: Tokens, first: int, last: int) -> list[str]:
    """The words among the tokens `first` to `last`, raw identifiers without their `r#`."""
    return [
        tokens.texts[i].removeprefix("r#")
        for i in range(first, last + 1)
        if tokens.kinds[i] == Kind.WORD
    ]


def in_force(view: View, at: int) -> frozenset[str]:
    """The words of all attributes that hold at a token: those of the items around it, inner ones
    at the head of their bodies, and those of the file and the modules that it stands in."""
    tokens = view.tokens
    found: set[str] = set()
    around = [item for item in view.all_items if item.first <= at <= item.last]
    for item in around:
        found.update(words(tokens, item.first, item.head - 1))
        if item.kind == "fn" and item.body:
            first, last = item.body
            found.update(words(tokens, first, past_attributes(tokens, first + 1, last) - 1))
    path = around[-1].path if around else ()
    for item in view.all_items:
        if item.kind == "attribute" and item.path == path[: len(item.path)]:
            found.update(words(tokens, item.first, item.last))
    return frozenset(found)
