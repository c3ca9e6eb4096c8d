"""Prompt, model and environment: who may write what, and what the harness is told."""

from __future__ import annotations

import pytest

from verulaw_gate.errors import UsageError
from verulaw_gate.monitor import Monitor, Speaker, ViolationKind, default_prompt, run_trace
from verulaw_gate.protocol import Protocol, load_protocol, parse_protocol

REACT = load_protocol("react")
ROUND = "[Thought] a\n[Action] b\n[Action Input] c\n"


def begun(protocol: Protocol = REACT) -> Monitor:
    monitor = Monitor(protocol)
    monitor.begin([(protocol.states[0].name, "Who?")])
    return monitor


def kind_of(monitor: Monitor) -> ViolationKind | None:
    return monitor.violation.kind if monitor.violation else None


def test_what_the_monitor_writes_for_the_harness() -> None:
    monitor = Monitor(REACT)
    assert monitor.begin([("question", "Who?"), ("thought", " a\n")]) == (
        "[Question]\nWho?\n[Thought] a\n"
    )
    assert [(s.state, s.content, s.speaker) for s in monitor.steps] == [
        ("question", "Who?", Speaker.PROMPT),
        ("thought", " a\n", Speaker.PROMPT),
    ]
    monitor.feed("[Action] b\n[Action Input] c")
    # The model's turn ended within a line; the environment's marker begins one.
    assert monitor.feed_environment("observation", "him") == "\n[Observation]\nhim\n"
    assert monitor.steps[-1].line == 6


def test_properties_while_it_runs() -> None:
    monitor = begun()
    assert (monitor.state, monitor.legal_next) == ("question", ("thought", "final-thought"))
    monitor.feed("[Thou")
    assert monitor.state == "question"
    monitor.feed("ght] a\n")
    assert (monitor.state, monitor.legal_next) == ("thought", ("action",))
    monitor.feed("[Action] b\n[Action Input] c\n[Observation]")
    assert (monitor.requested, monitor.legal_next) == ("observation", ("observation",))
    assert monitor.state == "action-input"
    assert not monitor.complete
    monitor.feed_environment("observation", "him")
    assert (monitor.requested, monitor.state) == (None, "observation")
    monitor.feed("[Final Thought] d\n[Answer]")
    monitor.end_turn()
    assert monitor.complete
    assert not monitor.done, "the answer's text may follow"
    assert monitor.finish().ok


def test_done_when_nothing_but_blanks_can_follow() -> None:
    monitor = begun(load_protocol("proof"))
    monitor.feed("[Body]\n{}\n[QED]")
    monitor.end_turn()
    assert monitor.done


@pytest.mark.parametrize("blank", ["", "\n", " \n\t\r\n"])
def test_the_marker_alone_asks_for_the_environment(blank: str) -> None:
    monitor = begun()
    monitor.feed(ROUND + "[Observation]" + blank)
    assert monitor.requested == "observation"
    assert not monitor.rejected
    monitor.feed_environment("observation", "him")
    step = monitor.steps[-1]
    assert (step.state, step.content, step.speaker) == (
        "observation", "him", Speaker.ENVIRONMENT,
    )  # fmt: skip
    assert not monitor.rejected


def test_an_unanswered_request_is_a_missing_termination() -> None:
    monitor = begun()
    monitor.feed(ROUND + "[Observation]")
    violation = monitor.finish().violation
    assert violation is not None
    assert violation.kind is ViolationKind.MISSING_TERMINATION
    assert violation.legal_next == ("observation",)


def test_the_environment_may_only_write_its_own_states_where_they_are_legal() -> None:
    monitor = begun()
    assert monitor.feed_environment("observation", "early") == ""
    assert kind_of(monitor) is ViolationKind.UNEXPECTED_STATE
    monitor = begun()
    monitor.feed_environment("thought", "mine")
    assert kind_of(monitor) is ViolationKind.MODEL_CONTENT_FROM_ENVIRONMENT
    # After the latch the environment is not heard either.
    assert monitor.feed_environment("observation", "x") == ""
    assert [s.state for s in monitor.finish().steps] == ["question"]


def test_another_environment_state_than_the_one_asked_for() -> None:
    protocol = parse_protocol(
        '(define p (:states (a (:text "[A]")) (x (:text "[X]") (:flags :env-input))'
        ' (y (:text "[Y]") (:flags :env-input))) (:behavior (next a (or x y))))'
    )
    monitor = Monitor(protocol)
    monitor.feed("[A]\n[X]\n")
    monitor.feed_environment("y", "")
    assert kind_of(monitor) is ViolationKind.UNEXPECTED_STATE
    assert monitor.violation is not None
    assert monitor.violation.legal_next == ("x",)


def test_marker_lines_of_the_environment_are_content_and_told() -> None:
    monitor = begun()
    monitor.feed(ROUND)
    content = "page:\n[Answer] no\n  [Thought]\n"
    monitor.feed_environment("observation", content)
    assert monitor.steps[-1].content == content
    assert [(h.line, h.meant) for h in monitor.hints] == [(8, "[Answer]"), (9, "[Thought]")]
    assert all("content" in hint.message for hint in monitor.hints)


def test_after_the_environment_a_marker_is_due_and_the_line_counts_as_begun() -> None:
    monitor = begun()
    monitor.feed(ROUND)
    monitor.feed_environment("observation", "him")
    monitor.feed("[Final Thought] d")
    assert not monitor.rejected
    monitor = begun()
    monitor.feed(ROUND)
    monitor.feed_environment("observation", "him")
    monitor.feed(" so it is him")
    assert kind_of(monitor) is ViolationKind.TEXT_BEFORE_FIRST_MARKER


def test_the_prompt_is_held_to_the_protocol_too() -> None:
    monitor = Monitor(REACT)
    assert monitor.begin([("answer", "x")]) == ""
    assert kind_of(monitor) is ViolationKind.UNEXPECTED_STATE


def test_text_after_an_environment_state_that_ends_the_run() -> None:
    monitor = begun(load_protocol("rewoo"))
    monitor.feed("[Answer]")
    monitor.feed_environment("solver", "him")
    assert monitor.done
    monitor.feed("\nIndeed.")
    assert kind_of(monitor) is ViolationKind.TEXT_AFTER_TERMINATION
    assert monitor.complete, "the run was complete before"


def test_misuse_is_one_clear_error() -> None:
    monitor = begun()
    with pytest.raises(UsageError, match="comes first"):
        monitor.begin([])
    with pytest.raises(UsageError, match="no state 'nobody'") as caught:
        monitor.feed_environment("nobody", "")
    assert "observation" in caught.value.hint
    monitor.finish()
    for call in (
        lambda: monitor.feed("x"),
        lambda: monitor.feed_bytes(b"x"),
        lambda: monitor.feed_environment("observation", ""),
    ):
        with pytest.raises(UsageError, match="finished"):
            call()
    assert monitor.finish() == monitor.finish()


def test_the_default_prompt_is_what_only_the_environment_can_write() -> None:
    assert default_prompt(load_protocol("proof")) == (("task", ""),)
    assert default_prompt(REACT) == ()
    verdict = run_trace(load_protocol("proof"), "[Body]\n{}\n[QED]")
    assert verdict.ok
    assert [(s.state, s.start, s.line) for s in verdict.steps] == [("body", 0, 1), ("qed", 10, 3)]


def test_places_in_a_turn_of_a_protocol_with_markers_anywhere() -> None:
    protocol = parse_protocol(
        '(define p (:states (q (:text "<q>") (:flags :env-input)) (a (:text "<a>")))'
        " (:markers anywhere) (:behavior (next q a)))"
    )
    verdict = run_trace(protocol, "no <a>", prompt=[("q", " why?")])
    assert verdict.violation is not None
    assert (verdict.violation.offset, verdict.violation.column) == (0, 1)
