"""Asking for one state: what follows it is not taken, and however it arrives."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verulaw_gate.monitor import Monitor
from verulaw_gate.protocol import load_protocol, parse_protocol

PROOF = load_protocol("proof")
REACT = load_protocol("react")
BLANK = parse_protocol(
    '(define b (:states (go (:text "[Go]") (:content empty)) (end (:text "[End]")))'
    " (:behavior (next (until go end) end)))"
)
JSON = parse_protocol(
    '(define j (:states (args (:text "[Args]") (:content json)) (end (:text "[End]")))'
    " (:behavior (next args end)))"
)


def asked(protocol, *said: str) -> Monitor:
    monitor = Monitor(protocol)
    for text in said:
        monitor.feed(monitor.lead())
        monitor.feed(text)
        monitor.end_turn()
    return monitor


@given(st.lists(st.integers(0, 60), max_size=12))
def test_what_goes_past_the_state_is_not_taken_however_it_arrives(cuts):
    text = "Body]\n{ }\n[QED]\n[Body] again [Lemma]\n" + "chatter\n"
    monitor = Monitor(PROOF)
    opening = monitor.begin([("task", "t")])
    lead = monitor.lead()
    assert lead == "["
    monitor.feed(lead)
    bounds = sorted({0, len(text), *(c for c in cuts if c < len(text))})
    for a, b in pairwise(bounds):
        monitor.feed(text[a:b])
    monitor.end_turn()
    assert monitor.over
    assert monitor.untaken == len(text) - len("Body]\n{ }\n")
    assert monitor.position.offset == len(opening) + len("[Body]\n{ }\n")
    assert not monitor.rejected
    assert monitor.begun == 2
    assert monitor.lead() == "[QED]"
    assert not monitor.over


def test_an_illegal_further_marker_is_no_violation_for_nobody_asked_for_it():
    monitor = Monitor(PROOF)
    monitor.begin([("task", "t")])
    monitor.feed(monitor.lead())
    monitor.feed("Body]\n{ }\n[Task]\nmine\n")
    assert monitor.over
    assert not monitor.rejected


def test_bytes_past_the_state_are_not_looked_at():
    monitor = Monitor(PROOF)
    monitor.begin([("task", "t")])
    monitor.feed(monitor.lead())
    monitor.feed_bytes(b"Body]\n{ }\n[QED]\n\xff")
    monitor.feed_bytes(b"\xe2\x82")
    monitor.end_turn()
    assert not monitor.rejected
    assert monitor.over


def test_a_state_that_stays_blank_does_not_stop_the_run():
    # Each answer stops at the next marker: with it (not taken) or before it (a stop sequence).
    for said in ("Go]\n[Go]\n", "Go]\n", "Go]"):
        monitor = asked(BLANK, *[said] * 4)
        assert [s.state for s in monitor.steps] == ["go"] * 3
        assert not monitor.rejected


def test_after_a_correction_that_wrote_the_marker_only_its_content_is_asked_for():
    monitor = Monitor(REACT)
    monitor.begin([("question", "q")])
    monitor.feed("[Thought] a\n[Answer] at once")
    monitor.resume(monitor.correction("forced", state="action"))
    assert monitor.lead() == ""
    monitor.feed(" look\n[Action Input] x")
    assert monitor.over
    assert monitor.steps[-1].state == "thought"
    assert monitor.state == "action"
    # A second time nothing of it is left: the next marker is offered.
    assert monitor.lead() == "[Action Input]"


def test_an_environment_turn_or_a_correction_lifts_the_limit():
    monitor = Monitor(REACT)
    monitor.begin([("question", "q")])
    for said in ("Thought] x", "x", "x"):
        monitor.feed(monitor.lead())
        monitor.feed(said)
        monitor.end_turn()
    assert monitor.legal_next == ("observation",)
    monitor.feed_environment("observation", "o")
    monitor.feed("[Thought] a\n[Action] b\n[Action Input] c\n")
    monitor.end_turn()
    assert [s.state for s in monitor.steps][-3:] == ["observation", "thought", "action"]


def test_a_lead_closes_the_section_before_it_and_can_find_it_wrong():
    monitor = asked(JSON, " {x: 1}\n")
    assert not monitor.rejected
    monitor.feed(monitor.lead())
    assert monitor.violation is not None
    assert monitor.violation.kind == "not-json"


@pytest.mark.parametrize("protocol", [PROOF, REACT, BLANK, JSON])
def test_without_a_lead_nothing_is_limited(protocol):
    monitor = Monitor(protocol)
    monitor.feed("[x]")
    assert not monitor.over
    assert monitor.untaken == 0
