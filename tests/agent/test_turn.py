"""One turn under the monitor: stopped, corrected, continued; never a word from past a violation."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verulaw_gate.agent.model import Capabilities, Message, Prompt, Role
from verulaw_gate.agent.scripted import ScriptedClient
from verulaw_gate.agent.turn import TurnSettings, take_turn
from verulaw_gate.monitor import CorrectionMode, Mode, Monitor, default_prompt
from verulaw_gate.monitor.modes import stop_sequences
from verulaw_gate.protocol import load_protocol

pytestmark = pytest.mark.anyio
PROMPT = Prompt("s", (Message(Role.USER, "u"),))
PROOF = load_protocol("proof")
REACT = load_protocol("react")
GOOD = "[Lemma]\nproof fn a() { }\n[Body]\n{ }\n[QED]\n"
NO_PREFILL = Capabilities(stop=True, reports_stop=True)


def ready(protocol=PROOF) -> Monitor:
    monitor = Monitor(protocol)
    prompt = default_prompt(protocol) or (("question", "how?"),)
    monitor.begin(prompt)
    return monitor


async def test_a_good_answer(anyio_backend):
    client = ScriptedClient([GOOD])
    monitor = ready()
    turn = await take_turn(client, PROMPT, monitor)
    assert turn.raw == turn.text == GOOD
    assert monitor.complete
    assert turn.first.ok
    assert (len(client.prompts), turn.stopped_at, turn.issued) == (1, None, [])


async def test_the_stream_is_stopped_at_the_violation_and_goes_on_from_the_prefix(anyio_backend):
    bad = "[Lemma]\nproof fn a() { }\n[QED]\n" + "chatter " * 500
    client = ScriptedClient([bad, "Body]\n{ }\n[QED]\n"], chunk=5)
    monitor = ready()
    turn = await take_turn(client, PROMPT, monitor)
    assert turn.stopped_at is not None
    assert turn.stopped_at < 60
    assert turn.unread_tokens > 0
    assert client.remaining_chars == 0
    (issued,) = turn.issued
    assert issued.cause == "unexpected-state"
    assert issued.correction.append == "["
    assert client.prompts[1].prefill == "[Lemma]\nproof fn a() { }\n["
    assert turn.text == "[Lemma]\nproof fn a() { }\n[Body]\n{ }\n[QED]\n"
    assert monitor.complete


@pytest.mark.parametrize(
    ("mode", "append"), [(CorrectionMode.PREFIX, "["), (CorrectionMode.FORCED, "[Body]")]
)
async def test_modes(anyio_backend, mode, append):
    first = "[Lemma]\nproof fn a() { }\n[QED]\n"
    rest = "Body]\n{ }\n[QED]\n" if mode is CorrectionMode.PREFIX else "\n{ }\n[QED]\n"
    client = ScriptedClient([first, rest])
    monitor = ready()
    turn = await take_turn(client, PROMPT, monitor, TurnSettings(correction=mode))
    assert turn.issued[0].correction.append == append
    assert turn.text == "[Lemma]\nproof fn a() { }\n[Body]\n{ }\n[QED]\n"
    assert monitor.complete
    assert not monitor.rejected


@pytest.mark.parametrize("able", [NO_PREFILL, Capabilities()])
async def test_without_prefill_the_turn_ends_rejected(anyio_backend, able):
    client = ScriptedClient(["[Lemma]\nproof fn a() { }\n[QED]\nmore"], capabilities=able)
    monitor = ready()
    turn = await take_turn(client, PROMPT, monitor)
    assert monitor.rejected
    assert turn.text == "[Lemma]\nproof fn a() { }\n"
    assert turn.dropped_chars > 0


async def test_text_after_the_end_is_cut_without_another_request(anyio_backend):
    client = ScriptedClient([GOOD + "This completes the proof. " * 50], chunk=4)
    monitor = ready()
    turn = await take_turn(client, PROMPT, monitor)
    assert len(client.prompts) == 1
    assert turn.text.rstrip() == GOOD.rstrip()
    assert monitor.complete
    assert turn.stopped_at < len(GOOD) + 10


async def test_a_missing_qed_is_supplied_without_another_request(anyio_backend):
    client = ScriptedClient(["[Body]\n{ }"])
    monitor = ready()
    turn = await take_turn(client, PROMPT, monitor)
    assert len(client.prompts) == 1
    assert turn.text == "[Body]\n{ }\n[QED]"
    assert monitor.complete


async def test_prose_first_is_read_on_when_only_repair_can_mend_it(anyio_backend):
    text = "Here is the proof:\n" + GOOD
    client = ScriptedClient([text], capabilities=NO_PREFILL)
    turn = await take_turn(client, PROMPT, ready())
    assert turn.raw == text
    assert turn.stopped_at is None
    client = ScriptedClient([text, "Body]\n{ }\n[QED]"])
    turn = await take_turn(client, PROMPT, ready())
    assert turn.stopped_at is not None


@pytest.mark.parametrize(
    "able", [Capabilities(stop=True, reports_stop=True), Capabilities(stop=True), Capabilities()]
)
async def test_the_environment_is_handed_the_turn(anyio_backend, able):
    """By a stop sequence that is reported, or by watching; never a word of the model's own
    observation is kept."""
    text = (
        "[Thought] t\n[Action] calc\n[Action Input] 1\n[Observation] 2 I made this up\n"
        "[Final Thought] x\n"
    )
    client = ScriptedClient([text], chunk=3, capabilities=able)
    monitor = ready(REACT)
    turn = await take_turn(client, PROMPT, monitor, TurnSettings(correction=None))
    assert turn.requested == "observation"
    assert not monitor.rejected
    assert "made" not in "".join(step.content for step in monitor.steps)
    assert client.stops[0] == (stop_sequences(REACT, Mode.OPTIMISTIC) if able.reports_stop else ())
    monitor.feed_environment("observation", "really 2")
    assert monitor.steps[-1].content.strip() == "really 2"


async def test_a_turn_that_just_ends_is_handed_over_where_only_the_environment_may_speak(
    anyio_backend,
):
    client = ScriptedClient(["[Thought] t\n[Action] calc\n[Action Input] 1"])
    monitor = ready(REACT)
    turn = await take_turn(client, PROMPT, monitor)
    assert turn.requested == "observation"
    assert len(client.prompts) == 1


async def test_an_observation_of_the_models_own_in_one_chunk_is_taken_back(anyio_backend):
    text = "[Thought] t\n[Action] calc\n[Action Input] 1\n[Observation] 2 I made this up\n"
    client = ScriptedClient([text], chunk=1000, capabilities=Capabilities(prefill=True))
    monitor = ready(REACT)
    turn = await take_turn(client, PROMPT, monitor)
    assert turn.requested == "observation"
    assert "made" not in turn.text
    assert turn.issued[0].correction.hand_over == "observation"


@settings(max_examples=150, deadline=None)
@given(
    pieces=st.lists(
        st.sampled_from(
            ["[Lemma]\n", "[Body]\n", "[QED]\n", "fn a() { }\n", "{ }\n", "x", "\n", "[Task]\n"]
        ),
        max_size=10,
    ),
    rest=st.lists(st.sampled_from(["Body]\n{ }\n[QED]", "emma]\n", "\n{ }\n", "zz"]), max_size=4),
    chunk=st.integers(1, 9),
    mode=st.sampled_from([*CorrectionMode, None]),
)
def test_whatever_is_said_the_text_is_viable(pieces, rest, chunk, mode):
    """The text that stays in the conversation, fed to a fresh monitor, is never rejected, unless
    it is only incomplete; and the run never hangs."""
    import anyio

    async def main():
        client = ScriptedClient(["".join(pieces), *rest, *["zz"] * 9], chunk=chunk)
        monitor = ready()
        turn = await take_turn(client, PROMPT, monitor, TurnSettings(correction=mode))
        return monitor, turn

    monitor, turn = anyio.run(main)
    fresh = ready()
    fresh.feed(turn.text)
    fresh.end_turn()
    assert not fresh.rejected
    if not monitor.rejected:
        assert fresh.complete == monitor.complete
        assert fresh.complete or turn.requested


async def test_an_answer_cut_at_the_token_limit_gets_no_new_section(anyio_backend):
    text = "[Lemma]\nproof fn a() { " + "assert(true); " * 200
    client = ScriptedClient([text, "Body]\n{ }\n[QED]"])
    monitor = ready()
    turn = await take_turn(client, PROMPT, monitor, TurnSettings(max_tokens=50))
    assert turn.cut_off
    assert turn.issued == []
    assert len(client.prompts) == 1
    assert monitor.violation.kind == "missing-termination"
