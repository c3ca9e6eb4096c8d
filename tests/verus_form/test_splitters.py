"""The Verus splitters, compiled, against the Python splitter in both marker modes."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest

from verulaw_gate.monitor.splitter import Splitter
from verulaw_gate.protocol import MarkerMode, load_protocol, shipped

TEXTS = 4_000


def _markers(rng: random.Random) -> list[str]:
    """Shipped markers, or short ones over a small alphabet, so that they overlap and nest."""
    if rng.random() < 0.3:
        return [state.text for state in load_protocol(rng.choice(shipped())).states]
    made = set()
    while len(made) < rng.randint(1, 4):
        first = rng.choice("[ab#")
        made.add(first + "".join(rng.choices("[ab] é", k=rng.randint(0, 3))))
    return sorted(made)


def _text(rng: random.Random, markers: Sequence[str]) -> str:
    pieces = [*markers, "\n", "\n", "\r\n", " ", "\t", "a", "b", "[", "]", "é", "x y"]
    pieces += [marker[:-1] for marker in markers] + [f"\n{marker}" for marker in markers]
    return "".join(rng.choices(pieces, k=rng.randint(0, 12)))


def _python(markers: Sequence[str], mode: MarkerMode, text: str, rng: random.Random) -> str:
    """NUMBER:POSITION in bytes for every marker, from the text fed in random chunks."""
    splitter = Splitter(markers, mode)
    pieces, at = [], 0
    while at < len(text):
        size = rng.randint(1, 4)
        pieces += splitter.feed(text[at : at + size])
        at += size
    pieces += splitter.flush()
    found, place = [], 0
    for marker, piece in pieces:
        if marker is not None:
            found.append(f"{markers.index(marker)}:{place}")
        place += len(piece.encode())
    assert "".join(piece for _, piece in pieces) == text
    return " ".join(found)


@pytest.mark.parametrize(
    ("mode", "word"), [(MarkerMode.ANYWHERE, "any"), (MarkerMode.LINE_START, "line")]
)
def test_same_markers_at_the_same_places(
    mode: MarkerMode, word: str, ask: Callable[[Sequence[str]], list[str]]
) -> None:
    rng = random.Random(f"splitters {word}")
    cases = [(markers, _text(rng, markers)) for markers in (_markers(rng) for _ in range(TEXTS))]
    answers = ask(
        [
            f"split {word} {','.join(m.encode().hex() for m in markers)} {text.encode().hex()}"
            for markers, text in cases
        ]
    )
    several = 0
    for (markers, text), answer in zip(cases, answers, strict=True):
        assert answer == _python(markers, mode, text, rng), (markers, text)
        several += " " in answer
    assert several > TEXTS / 10
