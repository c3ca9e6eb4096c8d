"""Eager turns: one state a request, the beginning of its marker written; never more than asked."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verulaw_gate.agent.metered import Meter, MeteredClient
from verulaw_gate.agent.model import (
    Capabilities,
    Chunk,
    Finish,
    FinishReason,
    Message,
    Prompt,
    Role,
    Score,
)
from verulaw_gate.agent.pass_loop import ToolEnvironment
from verulaw_gate.agent.runner import End, RunSettings, run_agent
from verulaw_gate.agent.scripted import ScriptedClient, cut_at_stop
from verulaw_gate.agent.tools import Calculator, ToolBox
from verulaw_gate.agent.turn import TurnSettings, take_turn
from verulaw_gate.errors import UsageError
from verulaw_gate.monitor import CorrectionMode, Mode, Monitor, default_prompt, run_trace
from verulaw_gate.protocol import compile_protocol, load_protocol

pytestmark = pytest.mark.anyio
PROMPT = Prompt("s", (Message(Role.USER, "u"),))
PROOF = load_protocol("proof")
REACT = load_protocol("react")
EAGER = TurnSettings(mode=Mode.EAGER)
ABLE = [
    Capabilities(prefill=True, stop=True, reports_stop=True),
    Capabilities(prefill=True, stop=True),
    Capabilities(prefill=True),
]


class ByHeart:
    """A model that knows a text by heart and goes on from where its prefill ends. `wrong` is said
    in place of the first answers."""

    def __init__(self, text: str, wrong: Sequence[str] = (), able: Capabilities = ABLE[0]) -> None:
        self.text, self.wrong, self.capabilities, self.name = text, list(wrong), able, "by-heart"
        self.prefills: list[str] = []
        self.sent = 0

    async def stream(
        self, prompt: Prompt, *, stop: Sequence[str] = (), max_tokens: int = 4096
    ) -> AsyncGenerator[Chunk, None]:
        self.prefills.append(prompt.prefill)
        # The longest beginning of the text that the prefill ends with.
        size = next(
            n for n in range(len(self.text), -1, -1) if prompt.prefill.endswith(self.text[:n])
        )
        text = self.wrong.pop(0) if self.wrong else self.text[size:]
        text, matched = cut_at_stop(text, stop if self.capabilities.stop else ())
        for at in range(0, len(text), 3):
            self.sent += len(text[at : at + 3])
            yield Chunk(text[at : at + 3])
        reason = FinishReason.END if matched is None else FinishReason.STOP_SEQUENCE
        yield Chunk(finish=Finish(reason, matched if self.capabilities.reports_stop else None))

    async def score(self, prompt: Prompt, text: str) -> Score:
        raise NotImplementedError

    async def aclose(self) -> None:
        pass


def ready(protocol=PROOF) -> Monitor:
    monitor = Monitor(protocol)
    monitor.begin(default_prompt(protocol) or (("question", "how?"),))
    return monitor


GOOD = "[Lemma]\nproof fn a() { }\n[Lemma]\nproof fn b() { }\n[Body]\n{ }\n[QED]"


@pytest.mark.parametrize("able", ABLE)
async def test_one_request_a_state_and_the_last_marker_needs_none(anyio_backend, able):
    model, meter = ByHeart(GOOD, able=able), Meter()
    monitor = ready()
    turn = await take_turn(MeteredClient(model, meter), PROMPT, monitor, EAGER)
    assert monitor.complete
    assert turn.text == turn.raw == GOOD
    assert turn.first.ok
    # Two lemmas and the body; [QED] is the only marker left, and nothing follows it.
    assert model.prefills == [
        "[",
        "[Lemma]\nproof fn a() { }\n[",
        "[Lemma]\nproof fn a() { }\n[Lemma]\nproof fn b() { }\n[",
    ]
    assert meter.prompts == 3
    assert meter.prompt_chars == sum(2 + len(p) for p in model.prefills)
    assert meter.answer_chars == model.sent
    assert turn.lead_chars == len("[[[[QED]")
    assert turn.issued == []


async def test_optimistically_it_is_one_request(anyio_backend):
    model, meter = ByHeart(GOOD), Meter()
    turn = await take_turn(MeteredClient(model, meter), PROMPT, ready())
    assert turn.text == GOOD
    assert (meter.prompts, meter.answer_chars, turn.lead_chars) == (1, len(GOOD), 0)


async def test_a_marker_out_of_turn_is_not_taken_where_the_right_one_is_written_for_it(
    anyio_backend,
):
    # After a body the model writes another one: optimistically a violation.
    wrong = "[Body]\n{ }\n[Body]\n{ again }\n"
    optimistic = await take_turn(ByHeart(GOOD, [wrong]), PROMPT, ready())
    assert [i.cause for i in optimistic.issued] == ["unexpected-state"]
    monitor = ready()
    eager = await take_turn(ByHeart(GOOD, [wrong[1:]]), PROMPT, monitor, EAGER)
    assert eager.issued == []
    assert eager.text == "[Body]\n{ }\n[QED]"
    assert monitor.complete


async def test_a_wrong_marker_of_the_state_itself_is_corrected(anyio_backend):
    monitor = ready()
    model = ByHeart(GOOD, ["QED]\n"])
    turn = await take_turn(model, PROMPT, monitor, EAGER)
    assert [i.cause for i in turn.issued] == ["unexpected-state"]
    assert turn.raw == "[QED]\n"
    assert turn.lead_chars == 1
    assert turn.text == GOOD
    assert monitor.complete


@pytest.mark.parametrize("able", ABLE)
async def test_the_environment_is_handed_the_turn(anyio_backend, able):
    text = "[Thought] t\n[Action] calculate\n[Action Input] 1 + 1\n[Observation] made up\n"
    monitor = ready(REACT)
    turn = await take_turn(ByHeart(text, able=able), PROMPT, monitor, EAGER)
    assert turn.requested == "observation"
    assert turn.text == text[: text.index("[Observation]")]
    assert not monitor.rejected


async def test_an_agent_runs_eagerly_to_its_answer(anyio_backend):
    first = "Thought] t\n"
    client = ScriptedClient(
        [first, " calculate\n", " 1 + 1\n", "Final Thought] so\n", " 2"], chunk=2
    )
    run = await run_agent(
        client,
        REACT,
        (("question", "1 + 1?"),),
        ToolEnvironment(ToolBox([Calculator()])),
        RunSettings(EAGER),
    )
    assert run.end is End.COMPLETE
    assert run.answer == "2"
    assert [p.prefill for p in client.prompts] == [
        "[", "[Thought] t\n[Action]", "[Thought] t\n[Action] calculate\n[Action Input]",
        "[", "[Final Thought] so\n[Answer]",
    ]  # fmt: skip


async def test_a_client_that_cannot_prefill_cannot_be_asked(anyio_backend):
    client = ScriptedClient([GOOD], capabilities=Capabilities(stop=True, reports_stop=True))
    with pytest.raises(UsageError, match="one state at a time"):
        await take_turn(client, PROMPT, ready(), EAGER)
    assert client.prompts == []


async def test_a_model_that_says_nothing_is_not_asked_for_ever(anyio_backend):
    client = ScriptedClient([""] * 50)
    monitor = ready()
    turn = await take_turn(client, PROMPT, monitor, EAGER)
    assert monitor.rejected
    assert turn.first.violation.kind == "missing-termination"
    assert len(client.prompts) == 1 + EAGER.max_corrections


async def test_the_token_limit_holds_for_all_requests_of_the_turn(anyio_backend):
    # A model that would write lemmas for ever.
    client = ScriptedClient(["Lemma]\nproof fn a() { }\n"] * 1000)
    monitor = ready()
    turn = await take_turn(
        client, PROMPT, monitor, TurnSettings(mode=Mode.EAGER, max_tokens=200, correction=None)
    )
    assert turn.cut_off
    assert monitor.violation.kind == "missing-termination"
    assert len(client.prompts) <= 200 // 6


PIECES = """[Lemma]~|Lemma]~|[Body]~|Body]|[QED]|QED]~|x~|{ }~|[|~|[Task]~|[bodY]~|""".replace(
    "~", "\n"
).split("|")


@settings(max_examples=150)
@given(
    st.lists(st.lists(st.sampled_from(PIECES), max_size=5).map("".join), min_size=12, max_size=12),
    st.sampled_from(ABLE),
    st.integers(1, 9),
    st.sampled_from([None, CorrectionMode.PREFIX, CorrectionMode.FORCED]),
)
async def test_whatever_the_model_says(lines, able, chunk, correction):
    client = ScriptedClient([*lines, *[""] * 40], chunk=chunk, capabilities=able)
    monitor, meter = ready(), Meter()
    turn = await take_turn(
        MeteredClient(client, meter),
        PROMPT,
        monitor,
        TurnSettings(mode=Mode.EAGER, correction=correction),
    )
    assert meter.prompts == len(client.prompts)
    steps = [s.state for s in monitor.steps]
    assert compile_protocol(PROOF).viable(steps)
    # The first verdict is that on the raw text, and the text is what the run consists of.
    again = run_trace(PROOF, turn.raw)
    assert (again.violation is None) <= (turn.first.violation is None)
    assert turn.first.steps == again.steps[: len(turn.first.steps)]
    if turn.first.violation is not None:
        assert again.violation == turn.first.violation
    assert turn.lead_chars <= len(turn.raw)
    if not monitor.rejected:
        assert run_trace(PROOF, turn.text).ok
        assert monitor.complete
