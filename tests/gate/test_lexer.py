"""The lexer against tree-sitter-rust, against itself in chunks, and on what must not be code."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verulaw_gate.data import corpora_dir, tasks_dir
from verulaw_gate.gate.lexer import PAIRS, Kind, Lexer, Tokens, lex
from verulaw_gate.gate.second_reading import parser
from verulaw_gate.monitor import run_trace
from verulaw_gate.protocol import load_protocol
from verulaw_gate.tasks import assemble, labelled_traces, load_suite

# Pieces that meet in bad places: quotes, hashes, comment edges, operators, odd white space.
PIECES = [
    'r#"', '"', "#", "'", "a", "\\", "/*", "*/", "//", "\n", "{", "}", "(", ")", "[", "]", " ",
    "1", ".", "e", "+", "=", "~", "!", "<", ">", "&", "|", "r", "b", "c", "`", "u{", "é", "\r",
    "\ufeff", "#!", "x", "0", "\u2028", "😀", "r#fn", "'a'", "b'\\''", "1e-5", "0xE+1", "assume",
]  # fmt: skip
SOUP = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)


def same(a: Tokens, b: Tokens) -> bool:
    return all(getattr(a, name) == getattr(b, name) for name in Tokens.__slots__)


def in_chunks(text: str, cuts: list[int]) -> Tokens:
    lexer = Lexer()
    places = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    for start, end in pairwise(places):
        lexer.feed(text[start:end])
    lexer.finish()
    return lexer.tokens


@given(SOUP, st.lists(st.integers(0, 60), max_size=12))
def test_chunks_do_not_change_the_tokens(text: str, cuts: list[int]) -> None:
    assert same(in_chunks(text, cuts), in_chunks(text, []))


@given(SOUP)
def test_one_character_at_a_time(text: str) -> None:
    assert same(in_chunks(text, list(range(len(text)))), in_chunks(text, []))


@given(SOUP)
def test_tokens_are_where_they_say(text: str) -> None:
    tokens = lex(text)
    end = 0
    for word, start, stop in zip(tokens.texts, tokens.starts, tokens.ends, strict=True):
        assert text[start:stop] == word
        assert start >= end
        end = stop


@given(SOUP)
def test_partners_are_pairs(text: str) -> None:
    tokens = lex(text)
    for at, there in enumerate(tokens.partner):
        if there >= 0:
            low, high = sorted((at, there))
            assert tokens.partner[there] == at
            assert PAIRS[tokens.texts[low]] == tokens.texts[high]
    brackets = sum(kind in (Kind.OPEN, Kind.CLOSE) for kind in tokens.kinds)
    lone = sum(
        kind in (Kind.OPEN, Kind.CLOSE) and there < 0
        for kind, there in zip(tokens.kinds, tokens.partner, strict=True)
    )
    assert tokens.balanced == (lone == 0), brackets


@given(st.text(alphabet="({[)]} a", max_size=24))
def test_balance_agrees_with_a_stack(text: str) -> None:
    stack: list[str] = []
    good = True
    for char in text:
        if char in PAIRS:
            stack.append(PAIRS[char])
        elif char in ")]}":
            good = good and bool(stack) and stack.pop() == char
    assert lex(text).balanced == (good and not stack)


def sources() -> Iterator[tuple[str, str]]:
    proof = load_protocol("proof")
    for task in load_suite():
        for trace in labelled_traces(task):
            verdict = run_trace(proof, trace.text)
            if verdict.ok:
                yield f"{task.id}/{trace.name}", assemble(task, verdict.steps).source
    for path in sorted(corpora_dir().glob("*.jsonl")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            yield f"{path.stem}:{number}", json.loads(line)["source"]
    for path in sorted((Path(__file__).parent / "adversarial").glob("*/*.rs")):
        yield path.stem, path.read_bytes().decode()


_ATOMS = {"char_literal", "string_literal", "raw_string_literal"}


def tree_sitter_regions(text: str) -> tuple[set[int], set[int], bool]:
    """Byte offsets that tree-sitter takes for comments, and for literals; whether it read the
    whole without an error other than the `~` and the like that it does not know."""
    data = text.encode()
    comments: set[int] = set()
    literals: set[int] = set()
    clean = True
    stack = [parser().parse(data).root_node]
    while stack:
        node = stack.pop()
        if node.type in ("line_comment", "block_comment"):
            comments.update(range(node.start_byte, node.end_byte))
        elif node.type in _ATOMS:
            literals.update(range(node.start_byte, node.end_byte))
        else:
            if node.is_missing or (node.is_error and node.text not in (b"~", b"`", b"@", b"$")):
                clean = False
            stack.extend(node.children)
    return comments, literals, clean


def test_comments_and_literals_are_those_of_tree_sitter() -> None:
    compared = 0
    for name, text in sources():
        comments, literals, clean = tree_sitter_regions(text)
        if not clean or not text.isascii():
            continue
        compared += 1
        tokens = lex(text)
        mine = {at for start, end in tokens.comments for at in range(start, end)}
        # A line comment of tree-sitter's may hold its line end.
        newlines = {at for at, char in enumerate(text) if char in "\r\n"}
        assert mine - newlines == comments - newlines, name
        strings = {
            at
            for kind, start, end in zip(tokens.kinds, tokens.starts, tokens.ends, strict=True)
            if kind in (Kind.STRING, Kind.CHAR)
            for at in range(start, end)
        }
        assert strings == literals, name
    assert compared >= 200


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a /* b /* c */ d */ e", ["a", "e"]),
        ("a // b\nc", ["a", "c"]),
        ("a // b\r\nc", ["a", "c"]),
        ("a // b\rc", ["a"]),
        ("'a' 'b 'c'", ["'a'", "'b", "'c'"]),
        ("&'a str", ["&", "'a", "str"]),
        ("b'\\'' '\\\\' '\"'", ["b'\\''", "'\\\\'", "'\"'"]),
        ('r##"a"#b"## c', ['r##"a"#b"##', "c"]),
        ('br"\\" c', ['br"\\"', "c"]),
        ("r#assume r#fn", ["r#assume", "r#fn"]),
        (
            "1..2 1.0 1.foo x.0.1 1e-5 0xE+1",
            ["1", "..", "2", "1.0", "1", ".", "foo", "x", ".", "0.1", "1e-5", "0xE", "+", "1"],
        ),
        ("a=~=b <==> c==>d", ["a", "=~=", "b", "<==>", "c", "==>", "d"]),
        ("Vec<Vec<u8>>=x", ["Vec", "<", "Vec", "<", "u8", ">", ">", "=", "x"]),
        ("x !is T &&& y ||| z", ["x", "!", "is", "T", "&&&", "y", "|||", "z"]),
        ("'{' \"}\" // )", ["'{'", '"}"']),
        ("#!/bin/sh don't\nfn", ["fn"]),
        ("#![allow(x)]", ["#", "!", "[", "allow", "(", "x", ")", "]"]),
        ("\ufefffn", ["fn"]),
        ("a\u2028b\u00a0c", ["a", "b", "\u00a0", "c"]),
    ],
)
def test_tokens(text: str, words: list[str]) -> None:
    assert lex(text).texts == words


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('a "b', "string"),
        ('a "b\\"', "string"),
        ('r#"a"', "string"),
        ("a /* b", "comment"),
        ("/* /* */", "comment"),
        ("/*/", "comment"),
        ("a // b", None),
        ("'", None),
        ("don't", None),
    ],
)
def test_unterminated(text: str, what: str | None) -> None:
    found = lex(text).unterminated
    assert (found and found[1]) == what


def test_the_shipped_tasks_are_there() -> None:
    assert tasks_dir().is_dir()
