"""The splitter against one regular expression over the whole text."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from verulaw_gate.monitor.splitter import Piece, Splitter
from verulaw_gate.protocol.model import MarkerMode

LETTERS = "ab[ \t\n\r"
markers_of = st.lists(st.text("ab[", min_size=1, max_size=5), min_size=1, max_size=4, unique=True)


def joined(pieces: list[Piece]) -> list[Piece]:
    """Neighbouring texts as one: where they are cut depends on the chunks."""
    found: list[Piece] = []
    for marker, text in pieces:
        if marker is None and found and found[-1][0] is None:
            found[-1] = (None, found[-1][1] + text)
        else:
            found.append((marker, text))
    return found


def by_regex(markers: list[str], mode: MarkerMode, text: str, line_blank: bool) -> list[Piece]:
    longest = "|".join(map(re.escape, sorted(markers, key=len, reverse=True)))
    if mode is MarkerMode.ANYWHERE:
        pattern = re.compile(f"({longest})")
    else:
        start = "^" if line_blank else r"(?<=\n)"
        pattern = re.compile(rf"(?m)(?:{start}|(?<=\n))[ \t]*({longest})")
        if line_blank:
            pattern = re.compile(rf"(?m)^[ \t]*({longest})")
    pieces: list[Piece] = []
    at = 0
    for match in pattern.finditer(text):
        if match.start(1) > at:
            pieces.append((None, text[at : match.start(1)]))
        pieces.append((match[1], match[1]))
        at = match.end(1)
    if at < len(text):
        pieces.append((None, text[at:]))
    return joined(pieces)


@given(
    markers_of,
    st.sampled_from(MarkerMode),
    st.text(LETTERS, max_size=40),
    st.booleans(),
    st.data(),
)
def test_any_chunking_gives_the_leftmost_longest_markers(
    markers: list[str], mode: MarkerMode, text: str, line_blank: bool, data: st.DataObject
) -> None:
    expected = by_regex(markers, mode, text, line_blank)
    size = data.draw(st.integers(1, max(1, len(text))))
    splitter = Splitter(markers, mode)
    splitter.reset(line_blank)
    pieces: list[Piece] = []
    for start in range(0, len(text), size):
        pieces += splitter.feed(text[start : start + size])
        assert len(splitter.held) < max(map(len, markers)), "held text is shorter than a marker"
    pieces += splitter.flush()
    assert joined(pieces) == expected
    assert splitter.held == ""


@given(markers_of, st.sampled_from(MarkerMode), st.text(LETTERS, max_size=40), st.data())
def test_what_was_said_is_never_taken_back(
    markers: list[str], mode: MarkerMode, text: str, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(text)))
    early, whole = Splitter(markers, mode), Splitter(markers, mode)
    said = joined(early.feed(text[:at]))
    everything = joined(whole.feed(text) + whole.flush())
    settled = said if not said or said[-1][0] is not None else said[:-1]
    assert everything[: len(settled)] == settled


def test_a_marker_at_the_very_end_counts() -> None:
    splitter = Splitter(["[A]", "[A]x"], MarkerMode.LINE_START)
    assert splitter.feed("[A]") == []
    assert splitter.flush() == [("[A]", "[A]")]


def test_only_line_feeds_end_lines() -> None:
    for other in ("\r", "\x0b", "\x0c", "\x85", "\u2028"):
        splitter = Splitter(["[A]"], MarkerMode.LINE_START)
        text = f"x{other}[A]"
        assert joined(splitter.feed(text) + splitter.flush()) == [(None, text)]
