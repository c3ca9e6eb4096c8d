"""Protocols, texts and chunkings for the monitor's properties, and a naive second monitor."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from hypothesis import strategies as st

from verulaw_gate.findings import Finding
from verulaw_gate.monitor import Monitor
from verulaw_gate.protocol import Protocol, compile_protocol, load_protocol, parse_protocol
from verulaw_gate.protocol.model import ContentKind, MarkerMode, State
from verulaw_gate.spans import LineIndex

TRICKY = """
(define tricky
  (:states
    (ask    (:text "[Ask]"))
    (act    (:text "[Act]") (:one-of "go" "go on" "stop"))
    (actin  (:text "[Act In]") (:max-chars 6))
    (data   (:text "[Data]") (:content json))
    (obs    (:text "[Obs]") (:flags :env-input))
    (obsx   (:text "[Obs]x") (:flags :env-input))
    (mark   (:text "--") (:content empty))
    (end    (:text "---") (:content empty)))
  (:behavior
    (next ask (until (next (or act (next actin obs) (next data obsx)) (always mark)) end))))
"""
ANYWHERE = TRICKY.replace("(:behavior", "(:markers anywhere) (:behavior")
OVERLAP = """
(define overlap
  (:states (a (:text "aab")) (b (:text "aabaab")) (c (:text "b")) (d (:text "[[D")))
  (:markers anywhere)
  (:behavior (next (always (or a b c)) d)))
"""

# As proof, but for the harness's part: the model's text alone gets far.
BARE = """
(define bare
  (:states
    (lemma (:text "[Lemma]") (:content verus-items))
    (body  (:text "[Body]") (:content verus-block))
    (qed   (:text "[QED]") (:content empty)))
  (:behavior (next (until lemma body) qed)))
"""

WORLDS: tuple[Protocol, ...] = (
    *(load_protocol(name) for name in ("proof", "react", "pass")),
    parse_protocol(BARE),
    parse_protocol(TRICKY),
    parse_protocol(ANYWHERE),
    parse_protocol(OVERLAP),
)


class WordSession:
    """Reports every `admit`, certain as soon as the word is there."""

    def __init__(self) -> None:
        self.text = ""
        self.told = 0

    def feed(self, text: str) -> Sequence[Finding]:
        self.text += text
        lines = LineIndex(self.text)
        found = list(re.finditer("admit", self.text))[self.told :]
        self.told += len(found)
        return [Finding("VG302", "admit", lines.span(*m.span())) for m in found]

    def finish(self) -> Sequence[Finding]:
        if self.text.rstrip().endswith("odd"):
            return [Finding("VG101", "odd end")]
        return []


class WordChecker:
    """A content checker for the tests: text and block contents."""

    def start(self, state: State) -> WordSession | None:
        return WordSession() if state.content is not ContentKind.EMPTY else None


def fragments(protocol: Protocol) -> st.SearchStrategy[str]:
    markers = [state.text for state in protocol.states]
    parts = [m[:n] for m in markers for n in range(1, len(m))]
    near = ["**[Body]**", "## [Ask]", "[act]", "[ Act In ]", "【Act】", "[Done]", "[Act]:"]
    words = ["go", "go on", "stop", "{ x }", "word", "1", '{"a": [1]}', "admit", "odd", "é", "\x00"]
    blanks = [" ", "\t", "\n", "\r\n", "\r", "\n\n", "\n ", "\u00a0"]
    line_markers = ["\n" + m for m in markers]
    return st.one_of(
        st.sampled_from(line_markers),
        st.sampled_from(markers),
        st.sampled_from(parts),
        st.sampled_from(words),
        st.sampled_from(blanks),
        st.sampled_from(near),
        st.text(max_size=3),
    )


@st.composite
def likely_texts(draw: st.DrawFn, protocol: Protocol) -> str:
    """A text that follows the protocol for a while: random ones die at the first marker."""
    automaton = compile_protocol(protocol)
    q = automaton.start
    parts: list[str] = []
    for _ in range(draw(st.integers(0, 8))):
        legal = automaton.legal_next(q)
        if not legal:
            break
        name = draw(st.sampled_from(legal))
        step = automaton.step(q, name)
        assert step is not None
        q = step
        parts.append(draw(st.sampled_from(["\n", "\n", "\r\n", "\n  ", ""])))
        parts.append(protocol.state(name).text)
        parts.append(draw(st.sampled_from(["", "\n", " go", "\ngo on\n", "\n{ x }\n", " word\n"])))
    parts += draw(st.lists(fragments(protocol), max_size=4))
    return "".join(parts)


@st.composite
def worlds(draw: st.DrawFn) -> tuple[Protocol, str]:
    """A protocol and a text for it."""
    protocol = draw(st.sampled_from(WORLDS))
    wild = st.lists(fragments(protocol), max_size=12).map("".join)
    return protocol, draw(st.one_of(likely_texts(protocol), likely_texts(protocol), wild))


@st.composite
def cut(draw: st.DrawFn, text: str) -> list[str]:
    """The text in chunks."""
    if draw(st.booleans()):
        return list(text)
    places = draw(st.lists(st.integers(0, len(text)), max_size=6))
    edges = [0, *sorted(places), len(text)]
    return [text[a:b] for a, b in pairwise(edges)]


def fed(protocol: Protocol, chunks: Sequence[str], *, checked: bool = True) -> Monitor:
    monitor = Monitor(protocol, [WordChecker()] if checked else [])
    for chunk in chunks:
        monitor.feed(chunk)
    return monitor


@dataclass(frozen=True)
class Plain:
    """What the naive monitor says: kind and offset of the violation, and (state, content)s."""

    kind: str | None
    offset: int | None
    steps: tuple[tuple[str, str], ...]


def naive(protocol: Protocol, text: str) -> Plain:
    """A whole model turn judged with one regular expression and no streaming.

    Content rules: only `empty`. Used on protocols without the others.
    """
    markers = sorted((s.text for s in protocol.states), key=len, reverse=True)
    lead = r"(?m)^[ \t]*" if protocol.markers is MarkerMode.LINE_START else ""
    pattern = re.compile(lead + "(" + "|".join(map(re.escape, markers)) + ")")
    by_marker = {s.text: s for s in protocol.states}
    automaton = compile_protocol(protocol)
    marks = [(m.start(1), m.end(1), by_marker[m[1]]) for m in pattern.finditer(text)]
    q, steps = automaton.start, []
    end_of_lead = marks[0][0] if marks else len(text)
    stray = re.search(r"\S", text[:end_of_lead])
    if stray:
        final = automaton.final(q)
        kind = "text-after-termination" if final else "text-before-first-marker"
        return Plain(kind, stray.start(), ())
    asked = None
    for number, (begin, content_at, state) in enumerate(marks):
        if asked:
            return Plain("environment-content-from-model", begin, tuple(steps))
        target = automaton.step(q, state.name)
        if target is None:
            final = automaton.final(q)
            kind = "text-after-termination" if final else "unexpected-state"
            return Plain(kind, begin, tuple(steps))
        end = marks[number + 1][0] if number + 1 < len(marks) else len(text)
        content = text[content_at:end]
        stray = re.search(r"\S", content)
        if state.env_input:
            asked = state.name
            if stray:
                at = content_at + stray.start()
                return Plain("environment-content-from-model", at, tuple(steps))
            continue
        q = target
        if state.content is ContentKind.EMPTY and stray:
            steps.append((state.name, content[: stray.start()]))
            final = automaton.final(q)
            kind = "text-after-termination" if final else "text-before-first-marker"
            return Plain(kind, content_at + stray.start(), tuple(steps))
        steps.append((state.name, content))
    if asked or not automaton.accepting(q):
        return Plain("missing-termination", len(text), tuple(steps))
    return Plain(None, None, tuple(steps))
