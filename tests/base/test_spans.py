"""Lines and columns, against a count by splitting."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verulaw_gate.spans import LineIndex, Span

TEXT = st.text(alphabet=st.sampled_from("ab\n\r\x0c\u2028é"), max_size=40)


@given(TEXT, st.data())
def test_position_is_what_splitting_at_lf_counts(text: str, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(text)))
    before = text[:offset].split("\n")
    assert LineIndex(text).position(offset) == (len(before), len(before[-1]) + 1)


@given(TEXT)
def test_line_text_rebuilds_the_text(text: str) -> None:
    index = LineIndex(text)
    lines = text.split("\n")
    for number, line in enumerate(lines, start=1):
        assert index.line_text(number) == line.removesuffix("\r")
        assert text[index.line_start(number) :].startswith(line)


def test_only_lf_ends_a_line() -> None:
    assert LineIndex("a\rb\x0cc\u2028d").position(6) == (1, 7)


@pytest.mark.parametrize(("start", "end"), [(-1, 0), (3, 2)])
def test_a_span_is_a_range(start: int, end: int) -> None:
    with pytest.raises(ValueError):
        Span(start, end, 1, 1)
