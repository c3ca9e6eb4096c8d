"""Content rules and streaming content checks: the first hopeless character, at its place."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.monitor.worlds import BARE, WordChecker
from verulaw_gate.monitor import Monitor
from verulaw_gate.monitor.content import MaxChars, OneOf
from verulaw_gate.protocol import parse_protocol

CHARS = st.text("ab \n\t", max_size=12)


def outcome(rule: OneOf | MaxChars, chunks: list[str]) -> int | str | None:
    at = 0
    for chunk in chunks:
        index = rule.feed(chunk)
        if index is not None:
            return at + index
        at += len(chunk)
    return None if rule.complete() else "incomplete"


@given(st.lists(st.text("ab ", min_size=1, max_size=4).map(str.strip), min_size=1), CHARS)
def test_one_of(options: list[str], text: str) -> None:
    found = outcome(OneOf(tuple(options)), list(text))
    assert found == outcome(OneOf(tuple(options)), [text])
    assert (found is None) == (text.strip() in options)
    if isinstance(found, int):
        # Before that character some option was possible, with it none is.
        def possible(part: str) -> bool:
            return any(option.startswith(part.strip()) for option in options)

        assert not text[found].isspace()
        assert possible(text[:found])
        grown = text[: found + 1].lstrip()
        assert not any(option.startswith(grown) for option in options)


@given(st.integers(0, 6), CHARS)
def test_max_chars(limit: int, text: str) -> None:
    found = outcome(MaxChars(limit), list(text))
    assert found == outcome(MaxChars(limit), [text])
    assert (found is None) == (len(text.strip()) <= limit)
    if isinstance(found, int):
        assert len(text[:found].strip()) <= limit < len(text[: found + 1].strip())


JSON = parse_protocol(
    '(define p (:states (d (:text "[D]") (:content json)) (e (:text "[E]") (:content empty)))'
    " (:behavior (next d e)))"
)


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(),
                    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)),
       st.sampled_from([None, 2]))  # fmt: skip
def test_any_json_is_accepted(value: object, indent: int | None) -> None:
    monitor = Monitor(JSON)
    monitor.feed(f"[D] {json.dumps(value, indent=indent)}\n[E]")
    assert monitor.finish().ok


@pytest.mark.parametrize(
    ("content", "column"),
    [("{,}", 6), ("NaN", 4), ("[1 2]", 8), ("'a'", 5), ("1" * 5_000, 4), ("{} {}", 8)],
)
def test_what_is_not_json_is_told_with_its_place(content: str, column: int) -> None:
    monitor = Monitor(JSON)
    monitor.feed(f"[D] {content}\n[E]")
    violation = monitor.finish().violation
    assert violation is not None
    assert violation.kind == "not-json"
    assert (violation.line, abs(violation.column - column) <= 1) == (1, True)


def test_json_nested_too_deep_is_a_violation_and_no_crash() -> None:
    monitor = Monitor(JSON)
    monitor.feed("[D]" + "[" * 200_000 + "\n[E]")
    violation = monitor.finish().violation
    assert violation is not None
    assert violation.kind == "not-json"


def test_empty_between_states_and_at_the_end() -> None:
    protocol = parse_protocol(
        '(define p (:states (a (:text "[A]") (:content empty)) (b (:text "[B]") (:content empty)))'
        " (:behavior (next a b)))"
    )
    for text, kind, offset in (
        ("[A] x\n[B]", "text-before-first-marker", 4),
        ("[A]\n[B]\n x", "text-after-termination", 9),
        ("[A]\n\t\n[B]\n\n", None, None),
    ):
        monitor = Monitor(protocol)
        monitor.feed(text)
        violation = monitor.finish().violation
        assert (violation and violation.kind.value, violation and violation.offset) == (
            kind,
            offset,
        )
        # The marker was legal: its step is there, with the blank text only.
        assert [s.state for s in monitor.steps][:1] == ["a"]
        assert not monitor.steps[0].content.strip()


# -- content checkers ----------------------------------------------------------------------------


def test_a_finding_is_certain_before_the_step_ends_and_at_its_place() -> None:
    monitor = Monitor(parse_protocol(BARE), [WordChecker()])
    text = "\n[Lemma]\nfn g() {}\n[Body] {\n  x\n  admit();\n  more\n}\n[QED]"
    told = None
    for number, char in enumerate(text):
        monitor.feed(char)
        if monitor.rejected and told is None:
            told = number
    line_end = text.index("admit();") + len("admit();")
    assert told == line_end, "as soon as its line is complete"
    (finding,) = monitor.findings
    assert finding.span is not None
    assert text[finding.span.start : finding.span.end] == "admit"
    assert (finding.span.line, finding.span.column) == (6, 3)
    verdict = monitor.finish()
    assert verdict.violation is None, "a finding is no protocol violation"
    assert not verdict.ok
    assert not verdict.complete
    assert [s.state for s in verdict.steps] == ["lemma"]


def test_a_finding_in_the_first_line_of_content_counts_its_marker() -> None:
    monitor = Monitor(parse_protocol(BARE), [WordChecker()])
    monitor.feed("  [Body] admit\n")
    (finding,) = monitor.findings
    assert finding.span is not None
    assert (finding.span.line, finding.span.column, finding.span.start) == (1, 10, 9)


def test_a_finding_at_the_end_of_a_section_keeps_the_next_marker_out() -> None:
    monitor = Monitor(parse_protocol(BARE), [WordChecker()])
    monitor.feed("[Body]\nodd\n[QED]\n")
    verdict = monitor.finish()
    assert [f.code for f in verdict.findings] == ["VG101"]
    assert verdict.steps == ()
    assert verdict.accepted_end == len("[Body]")


def test_a_protocol_violation_in_the_same_line_comes_first() -> None:
    protocol = parse_protocol(
        '(define p (:states (a (:text "[A]") (:max-chars 4))) (:behavior (next a)))'
    )
    for chunks in (["[A] abcde admit\n"], list("[A] abcde admit\n")):
        monitor = Monitor(protocol, [WordChecker()])
        for chunk in chunks:
            monitor.feed(chunk)
        verdict = monitor.finish()
        assert verdict.violation is not None
        assert verdict.violation.kind == "too-long"
        assert verdict.findings == ()
