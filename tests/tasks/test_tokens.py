"""The small token reader: places fit the text, and what is left out is no code."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from verulaw_gate.tasks.tokens import read_texts, read_tokens

PARTS = (
    *("/*", "*/", "//", "\n", '"', "'", 'r#"', '"#', 'b"', "b'x'", "'a", "r#x", "\\", "é", " "),
    *("x", "fn", "0x1", "{", "}", "#", "br", "\r\n", "\u2028", "'\\u{1}'", "r", "\t"),
)
TEXTS = st.lists(st.sampled_from(PARTS), max_size=30).map("".join)


@given(TEXTS)
def test_tokens_stand_where_they_say(text: str) -> None:
    tokens = read_tokens(text)
    if tokens is None:
        return
    ends = [0, *(token.end for token in tokens)]
    for token, before in zip(tokens, ends, strict=False):
        assert before <= token.start < token.end
        assert text[token.start : token.end] == token.text
        assert token.text[:1].strip()


@given(TEXTS)
def test_the_texts_alone_are_the_same(text: str) -> None:
    tokens = read_tokens(text)
    assert read_texts(text) == (None if tokens is None else [token.text for token in tokens])


@given(TEXTS)
def test_without_comments_only_white_space_is_left_out(text: str) -> None:
    text = text.replace("/", "+")
    tokens = read_tokens(text)
    if tokens is not None:
        code = "".join(token.text for token in tokens)
        assert "".join(code.split()) == "".join(text.split())
