"""Optimistic and eager conversations: both end conforming, and the effort is what was counted."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verulaw_gate.monitor import CorrectionMode, Mode
from verulaw_gate.monitor.modes import Conversation, converse, stop_sequences
from verulaw_gate.protocol import compile_protocol, load_protocol, shipped

PREFIX = [("question", "Who?")]
RUN = [
    ("thought", " look\n"),
    ("action", " Search\n"),
    ("action-input", " it\n"),
    ("observation", ""),
    ("final-thought", " found\n"),
    ("answer", " him"),
]


class Scripted:
    """A model that has learned a run by heart and goes on from wherever the prompt stands. It
    writes `faults[n]` instead of its n-th piece, once."""

    def __init__(self, name: str, run: list[tuple[str, str]], faults: dict[int, str]) -> None:
        protocol = load_protocol(name)
        self.pieces = [protocol.state(state).text + content for state, content in run]
        self.faults = dict(faults)
        self.prompts: list[str] = []
        self.said: list[str] = []

    def __call__(self, prompt: str, stops: tuple[str, ...]) -> Iterable[str]:
        self.prompts.append(prompt)
        # How much of the run is there: pieces in order, the last one perhaps in part.
        at = prompt.index("\n") + 1 if "\n" in prompt else len(prompt)
        done, left = 0, ""
        for number, piece in enumerate(self.pieces):
            body = piece.strip()
            found = prompt.find(body, at)
            if found < 0:
                size = next((n for n in range(len(body), 0, -1) if prompt.endswith(body[:n])), 0)
                left = piece[size:]
                done = number + 1
                break
            at, done = found + len(body), number + 1
        text = self.faults.pop(done - 1, "") or left + "".join(self.pieces[done:])
        stop = min((text.find(s) for s in stops if s in text), default=len(text))
        self.said.append(text[:stop])
        for n in range(0, stop, 3):
            yield text[n : min(n + 3, stop)]


def answer(state: str, text: str) -> str:
    return "a fact"


def react(mode: Mode, faults: dict[int, str], **more: object) -> tuple[Conversation, Scripted]:
    model = Scripted("react", RUN, faults)
    done = converse(load_protocol("react"), PREFIX, model, answer, mode=mode, **more)  # type: ignore[arg-type]
    return done, model


@pytest.mark.parametrize("mode", Mode)
def test_a_good_model_gets_through_without_correction(mode: Mode) -> None:
    conversation, model = react(mode, {})
    assert conversation.verdict.ok
    assert conversation.effort.corrections == 0
    assert conversation.effort.environment_turns == 1
    assert [s.state for s in conversation.verdict.steps] == ["question", *[s for s, _ in RUN]]
    # Optimistic: one prompt before the environment, one after. Eager: one a state.
    assert conversation.effort.prompts == {"optimistic": 2, "eager": 5}[mode]
    assert conversation.effort.prompts == len(model.prompts)
    assert conversation.effort.prompt_chars == sum(map(len, model.prompts))


FAULTS = ["[Action Input] x\n", "[Answer] at once", "Well,\n", "[Observation] made up\n[Answer] y"]


@given(
    st.sampled_from(Mode),
    st.dictionaries(st.integers(0, 5), st.sampled_from(FAULTS), max_size=3),
    st.sampled_from([CorrectionMode.PREFIX, CorrectionMode.FORCED]),
)
def test_a_faulty_model_is_led_to_a_conforming_run_or_to_the_limit(
    mode: Mode, faults: dict[int, str], correction: CorrectionMode
) -> None:
    conversation, model = react(mode, faults, correction=correction, max_prompts=30)
    effort = conversation.effort
    assert effort.prompts == len(model.prompts) <= 30
    assert effort.prompt_chars == sum(map(len, model.prompts))
    # What was read is no more than what was said; the rest was never asked for.
    assert effort.written_chars <= sum(map(len, model.said))
    assert effort.dropped_chars <= effort.written_chars
    names = [step.state for step in conversation.verdict.steps]
    assert compile_protocol(load_protocol("react")).viable(names)
    for step in conversation.verdict.steps:
        assert conversation.text[step.content_start : step.end] == step.content
    if effort.prompts < 30:
        assert conversation.verdict.ok
        assert conversation.verdict.complete


def test_eager_never_sees_an_illegal_marker_where_one_is_legal() -> None:
    # "[Action Input]" instead of "[Action]": eagerly that marker is already there.
    optimistic, _ = react(Mode.OPTIMISTIC, {0: "[Thought] look\n[Action Input] x\n"})
    eager, _ = react(Mode.EAGER, {})
    assert optimistic.effort.corrections == 1
    assert eager.effort.corrections == 0


def test_the_model_may_end_the_group_of_pass_by_stopping() -> None:
    run = [("plan", " p\n"), ("action", " a\n"), ("action-input", " i\n"), ("summary", ""),
           ("final-thought", " f\n"), ("answer", " x")]  # fmt: skip
    for mode in Mode:
        model = Scripted("pass", run, {})
        done = converse(load_protocol("pass"), PREFIX, model, answer, mode=mode)
        assert done.verdict.ok, mode
        assert done.effort.environment_turns == 1


def test_feedback_reaches_the_model_in_the_next_prompt() -> None:
    conversation, model = react(
        Mode.OPTIMISTIC, {0: "[Answer] at once"}, correction=CorrectionMode.FEEDBACK
    )
    assert "Protocol violation" in model.prompts[1]
    assert "[Thought] or [Final Thought]" in model.prompts[1]
    assert "Protocol violation" not in conversation.text
    assert conversation.verdict.ok


def test_a_model_that_says_nothing_stops_at_the_limit() -> None:
    for mode in Mode:
        done = converse(
            load_protocol("react"), PREFIX, lambda p, s: [], answer, mode=mode, max_prompts=5
        )
        assert done.effort.prompts == 5
        assert not done.verdict.complete


@pytest.mark.parametrize("name", shipped())
def test_stop_sequences(name: str) -> None:
    protocol = load_protocol(name)
    env = {"\n" + s.text for s in protocol.states if s.env_input}
    assert set(stop_sequences(protocol, Mode.OPTIMISTIC)) == env
    assert set(stop_sequences(protocol, Mode.EAGER)) == {"\n" + s.text for s in protocol.states}
