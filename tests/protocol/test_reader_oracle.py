"""The hand-written reader against a parser that lark makes of the grammar."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lark import Lark, Token
from lark.exceptions import UnexpectedCharacters, UnexpectedToken

from verulaw_gate.protocol.syntax import Items, Malformed, Text, read

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
PARSER = Lark(GRAMMAR, parser="lalr", propagate_positions=True)
PIECES = ["(", ")", "define", ":a", "until_5", '"', "'", "\\", '"x y"', "'#'", "; c", "# c", "\n",
          " ", "\r\n", "\t", "\u2028", "\0", "é😀"]  # fmt: skip


def by_lark(child: Any) -> tuple[Any, ...]:
    if isinstance(child, Token):
        return (child.type, str(child), child.start_pos, child.end_pos)
    return (
        "list",
        [by_lark(c) for c in child.children],
        child.meta.start_pos,
        child.meta.end_pos,
    )


def ours(node: Any, text: str) -> tuple[Any, ...]:
    span = node.span
    if isinstance(node, Items):
        return ("list", [ours(n, text) for n in node.items], span.start, span.end)
    kind = "STRING" if isinstance(node, Text) else "ATOM"
    return (kind, text[span.start : span.end], span.start, span.end)


@settings(max_examples=600)
@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
def test_reads_what_the_grammar_says(text: str) -> None:
    try:
        tree = PARSER.parse(text)
    except (UnexpectedCharacters, UnexpectedToken) as problem:
        refused = problem
    else:
        assert [ours(n, text) for n in read(text)] == [by_lark(c) for c in tree.children]
        return
    with pytest.raises(Malformed) as caught:
        read(text)
    at_end = getattr(getattr(refused, "token", None), "type", "") == "$END"
    assert at_end or caught.value.span.start == refused.pos_in_stream
