"""Corrections: what is appended, what is handed over, what is rolled back, and their counting."""

from __future__ import annotations

import pytest

from tests.monitor.worlds import ANYWHERE, BARE, TRICKY, WordChecker
from verulaw_gate.errors import UsageError
from verulaw_gate.monitor import Correction, CorrectionMode, Monitor, count
from verulaw_gate.protocol import load_protocol, parse_protocol

REACT = load_protocol("react")
PASS = load_protocol("pass")


def react(text: str, mode: CorrectionMode = CorrectionMode.PREFIX) -> Correction:
    monitor = Monitor(REACT)
    monitor.begin([("question", "Who?")])
    monitor.feed(text)
    monitor.finish()
    correction = monitor.correction(mode)
    assert correction is not None
    return correction


@pytest.mark.parametrize(
    ("text", "accepted", "append"),
    [
        # Only [Action] is legal: the whole marker.
        ("[Thought] a\n[Answer] b", "[Thought] a\n", "[Action]"),
        # [Thought] and [Final Thought]: what they have in common.
        ("[Answer] b", "", "["),
        ("Hello", "", "["),
        # The newline that a marker needs.
        ("[Thought] a", "[Thought] a", "\n[Action]"),
        ("[Thought] a\n  ", "[Thought] a\n  ", "[Action]"),
        ("[Thought] a\r\n", "[Thought] a\r\n", "[Action]"),
        ("[Thought]", "[Thought]", "\n[Action]"),
        ("[Thought] a\n[Act", "[Thought] a\n[Act", "\n[Action]"),
        # Text after the end: nothing may follow.
        ("[Final Thought] a\n[Answer] b\n[Thought] c", "[Final Thought] a\n[Answer] b\n", ""),
    ],
)
def test_valid_state_prefixing(text: str, accepted: str, append: str) -> None:
    correction = react(text)
    assert (correction.accepted, correction.append) == (accepted, append)
    assert correction.hand_over is None


def test_environment_markers_count_in_the_prefix_as_in_the_paper() -> None:
    monitor = Monitor(PASS)
    monitor.begin([("question", "Who?")])
    monitor.feed("[Thought] a\n[Action] b\n[Action Input] c\n[Answer]")
    correction = monitor.correction()
    assert correction is not None
    # [Action] and [Summary]: the model chooses, its own or the environment's.
    assert correction.append == "["
    monitor.resume(correction)
    monitor.feed("Summary]")
    monitor.end_turn()
    assert monitor.requested == "summary"


@pytest.mark.parametrize(
    "text",
    [
        # Only the environment may speak.
        "[Thought] a\n[Action] b\n[Action Input] c\n[Answer] d",
        "[Thought] a\n[Action] b\n[Action Input] c\n",
        # The model asked for it and wrote on.
        "[Thought] a\n[Action] b\n[Action Input] c\n[Observation] made up",
    ],
)
@pytest.mark.parametrize("mode", CorrectionMode)
def test_the_turn_is_handed_over(text: str, mode: CorrectionMode) -> None:
    correction = react(text, mode)
    assert correction.hand_over == "observation"
    assert correction.append == ""
    assert text.startswith(correction.accepted)


def test_after_a_hand_over_the_environment_answers_the_same_request() -> None:
    monitor = Monitor(REACT)
    monitor.begin([("question", "Who?")])
    monitor.feed("[Thought] a\n[Action] b\n[Action Input] c\n[Observation]\nmade up")
    correction = monitor.correction()
    assert correction is not None
    monitor.resume(correction)
    written = monitor.feed_environment("observation", "a fact")
    assert written == "a fact\n", "the model's own marker stands"
    assert monitor.steps[-1].content == "a fact"
    assert "made up" not in "".join(step.content for step in monitor.steps)
    monitor.feed("[Final Thought] d\n[Answer] e")
    assert monitor.finish().ok


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("[Ask]\n[Act] goes", "not-one-of"),
        ("[Ask]\n[Act] stop it\n", "not-one-of"),
        ("[Ask]\n[Act]\n[Act In] x", "not-one-of"),
        ("[Ask]\n[Act In] far too long", "too-long"),
        ("[Ask]\n[Data] {,}\n[Obs]x", "not-json"),
        ("[Ask]\nan admit here\n", "content-finding"),
        ("[Ask]\nquite odd\n[Act] go", "content-finding"),
    ],
)
@pytest.mark.parametrize("world", [TRICKY, ANYWHERE])
def test_a_rejected_content_is_rolled_back_to_its_marker(text: str, what: str, world: str) -> None:
    monitor = Monitor(parse_protocol(world), [WordChecker()])
    monitor.feed(text)
    monitor.finish()
    assert monitor.rejected
    kind = monitor.violation.kind.value if monitor.violation else "content-finding"
    assert kind == what
    correction = monitor.correction()
    assert correction is not None
    assert correction.append == ""
    assert correction.accepted.endswith("]")
    assert text.startswith(correction.accepted)
    assert not monitor.verdict().complete
    monitor.resume(correction)
    assert monitor.findings == ()
    assert monitor.state is not None
    assert correction.accepted.endswith(monitor.protocol.state(monitor.state).text)


def test_forced_mode_goes_the_shortest_way_and_may_be_told_another() -> None:
    assert react("[Answer] b", CorrectionMode.FORCED).append == "[Final Thought]"
    monitor = Monitor(REACT)
    monitor.begin([("question", "Who?")])
    monitor.feed("[Answer]")
    chosen = monitor.correction(CorrectionMode.FORCED, state="thought")
    assert chosen is not None
    assert chosen.append == "[Thought]"
    for wrong in ("answer", "observation", "nobody"):
        with pytest.raises(UsageError):
            monitor.correction(CorrectionMode.FORCED, state=wrong)


def test_feedback_names_the_violation_and_the_legal_markers() -> None:
    correction = react("[Thought] a\n[Answer] b", CorrectionMode.FEEDBACK)
    assert correction.append == ""
    assert correction.accepted == "[Thought] a\n"
    assert "[Answer] is not legal" in correction.feedback
    assert "[Action]" in correction.feedback
    monitor = Monitor(parse_protocol(BARE), [WordChecker()])
    monitor.feed("[Body]\nadmit\n")
    told = monitor.correction(CorrectionMode.FEEDBACK)
    assert told is not None
    assert "VG302" in told.feedback


def test_markers_that_could_join_across_the_cut_are_kept_apart() -> None:
    protocol = parse_protocol(
        '(define p (:states (a (:text "<a")) (b (:text "a>")) (c (:text "<<a")))'
        " (:markers anywhere) (:behavior (next a b c)))"
    )
    monitor = Monitor(protocol)
    monitor.feed("<a x <")
    monitor.finish()
    correction = monitor.correction()
    assert correction is not None
    # "<" and "a>" would make "<a", which is not legal here.
    assert correction.append == "\na>"
    monitor.resume(correction)
    monitor.end_turn()
    assert monitor.state == "b"


def test_no_violation_no_correction() -> None:
    monitor = Monitor(REACT)
    monitor.begin([("question", "Who?")])
    assert monitor.correction() is None
    with pytest.raises(UsageError, match="nothing to correct"):
        monitor.resume(Correction(CorrectionMode.PREFIX, "", "", None, ()))


def test_outcomes_are_counted_by_kind_and_mode() -> None:
    outcomes = []
    # (text, what the model says after the correction, the mode)
    for text, after, mode in (
        ("[Answer] b", "Final Thought] c\n[Answer] d", "prefix"),  # legal, complete
        ("[Answer] b", "Final Thought] c\n", "prefix"),  # legal, not complete
        ("[Answer] b", "Answer] again", "prefix"),  # not legal
        ("[Answer] b", "[Final Thought] c\n[Answer] d", "feedback"),
        ("Hm.", " c\n[Answer] d", "forced"),
    ):
        monitor = Monitor(REACT)
        monitor.begin([("question", "Who?")])
        monitor.feed(text)
        correction = monitor.correction(CorrectionMode(mode))
        assert correction is not None
        monitor.resume(correction)
        monitor.feed(after)
        monitor.finish()
        outcomes += monitor.outcomes
    rows = {
        (row.kind, row.mode.value): (row.issued, row.next_legal, row.next_known, row.run_complete,
                                     row.run_known)
        for row in count(outcomes)
    }  # fmt: skip
    assert rows == {
        ("unexpected-state", "prefix"): (3, 2, 3, 1, 3),
        ("unexpected-state", "feedback"): (1, 1, 1, 1, 1),
        ("text-before-first-marker", "forced"): (1, 1, 1, 1, 1),
    }


def test_an_open_outcome_is_in_no_denominator() -> None:
    monitor = Monitor(REACT)
    monitor.begin([("question", "Who?")])
    monitor.feed("[Answer] b")
    correction = monitor.correction()
    assert correction is not None
    monitor.resume(correction)
    (row,) = count(monitor.outcomes)
    assert (row.issued, row.next_known, row.run_known) == (1, 0, 0)
