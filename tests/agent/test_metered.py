"""What a generation costs, and that no request goes past what is left of a budget."""

from __future__ import annotations

from contextlib import aclosing

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from verulaw_gate.agent.errors import BudgetEnded, ClientServerFault
from verulaw_gate.agent.metered import Meter, MeteredClient
from verulaw_gate.agent.model import (
    Answer,
    Chunk,
    Finish,
    FinishReason,
    Message,
    Price,
    Prompt,
    Role,
    Usage,
    collect,
    estimate_tokens,
)
from verulaw_gate.agent.scripted import Line, ScriptedClient
from verulaw_gate.agent.turn import TurnSettings, take_turn
from verulaw_gate.monitor import Monitor
from verulaw_gate.protocol import load_protocol

pytestmark = pytest.mark.anyio

PROMPT = Prompt("", (Message(Role.USER, "x" * 350),))


async def test_a_whole_answer_costs_what_the_server_states(anyio_backend):
    meter = Meter(price=Price(1.0, 2.0))
    client = MeteredClient(ScriptedClient(["a" * 70]), meter)
    await collect(client, PROMPT)
    assert (meter.prompts, meter.requests, meter.prompt_chars) == (1, 1, 350)
    assert (meter.prompt_tokens.stated, meter.completion_tokens.stated) == (100, 20)
    assert meter.cost == pytest.approx(140 / 1e6)
    assert (meter.short, meter.seconds > 0) == ("", True)


@pytest.mark.parametrize("how", ["closed", "cancelled", "failed", "unheard"])
async def test_what_is_not_whole_is_counted_and_said_to_be_an_estimate(anyio_backend, how):
    fault = ClientServerFault("down")
    line = {"failed": Line("a" * 70, error=fault), "unheard": Line("", error=fault)}.get(how)
    pause = 0.02 if how == "cancelled" else 0.0
    meter = Meter()
    client = MeteredClient(ScriptedClient([line or "a" * 7000], pause=pause), meter)
    answer = Answer()
    if how == "cancelled":
        with anyio.move_on_after(0.1):
            async for chunk in client.stream(PROMPT):
                answer.add(chunk)
    elif how == "closed":
        async with aclosing(client.stream(PROMPT)) as chunks:
            answer.add(await anext(chunks))
    else:
        answer.text = line.text
        with pytest.raises(ClientServerFault):
            await collect(client, PROMPT)
    assert meter.prompts == 1
    assert meter.prompt_tokens.stated is meter.completion_tokens.stated is None
    # Who answers with a fault before the first word has not read the prompt.
    assert meter.prompt_tokens.estimated == (0 if how == "unheard" else 100)
    assert meter.completion_tokens.total == estimate_tokens(len(answer.text))
    assert meter.seconds > 0


async def test_an_answer_that_was_taken_up_again_has_no_stated_counts(anyio_backend):
    """The counts of one request are not those of the answer: here the first one's prompt."""

    class Continued(ScriptedClient):
        async def stream(self, prompt, *, stop=(), max_tokens=4096):
            yield Chunk(usage=Usage(100, None))
            yield Chunk("a" * 35)
            yield Chunk("b" * 35, request=2)
            yield Chunk(usage=Usage(110, 10), finish=Finish(FinishReason.END), request=2)

    meter = Meter()
    answer = await collect(MeteredClient(Continued([]), meter), PROMPT)
    assert answer.restarts == [35]
    assert meter.prompt_tokens.stated is meter.completion_tokens.stated is None
    assert meter.prompt_tokens.total == 100 + 100 + 10
    assert meter.completion_tokens.total == 20
    assert (meter.prompts, meter.requests) == (1, 2)


@given(
    st.integers(0, 5000), st.integers(1, 2000), st.integers(1, 4000),
    st.none() | st.integers(-5, 5000), st.none() | st.floats(0, 20),
    st.tuples(st.floats(0, 20), st.floats(0, 20)),
)  # fmt: skip
def test_an_answer_of_the_allowed_length_stays_within_every_budget(
    chars, spent, wanted, tokens, money, price
):
    meter = Meter(tokens=tokens, money=None if money is None else money / 1000, price=Price(*price))
    meter.completion_tokens.add(spent, 0)
    given_tokens = estimate_tokens(chars)
    try:
        limit = meter.limit(chars, wanted)
    except BudgetEnded:
        limit = 0
        assert meter.short in ("tokens", "money")
    assert limit <= wanted
    assert (limit < wanted) == bool(meter.short)
    if limit:
        meter.prompt_tokens.add(given_tokens, 0)
        meter.completion_tokens.add(limit, 0)
        total = meter.prompt_tokens.total + meter.completion_tokens.total
        assert tokens is None or total <= tokens
        assert meter.money is None or meter.cost <= meter.money + 1e-12


async def test_what_is_not_covered_is_not_asked(anyio_backend):
    inner = ScriptedClient(["a"], scorer=lambda prompt, text: [0.0])
    client = MeteredClient(inner, Meter(tokens=99))
    with pytest.raises(BudgetEnded):
        await collect(client, PROMPT)
    with pytest.raises(BudgetEnded):
        await client.score(PROMPT, "text")
    assert inner.prompts == []


async def test_scores_are_counted_and_never_stated(anyio_backend):
    meter = Meter()
    client = MeteredClient(ScriptedClient([], scorer=lambda prompt, text: [-1.0]), meter)
    assert (await client.score(PROMPT, "y" * 35)).logprobs == (-1.0,)
    assert (meter.prompts, meter.prompt_tokens.stated, meter.prompt_tokens.total) == (1, None, 110)
    assert meter.completion_tokens.stated == 0


@pytest.mark.parametrize("early_stop", [True, False])
async def test_after_the_stop_sequence_the_counts_are_read_and_it_is_said_once(
    anyio_backend, early_stop
):
    """As vLLM does it: the finish with the stop sequence, then a chunk with the counts alone."""
    found = Finish(FinishReason.STOP_SEQUENCE, "\n[Observation]")

    class Vllm(ScriptedClient):
        async def stream(self, prompt, *, stop=(), max_tokens=4096):
            yield Chunk("[Thought] t\n[Action] a\n[Action Input] x")
            yield Chunk(finish=found)
            yield Chunk(usage=Usage(123, 9))

    meter = Meter()
    monitor = Monitor(load_protocol("react"))
    monitor.begin([("question", "how?")])
    settings = TurnSettings(early_stop=early_stop)
    turn = await take_turn(MeteredClient(Vllm([]), meter), PROMPT, monitor, settings)
    assert turn.requested == "observation"
    assert turn.raw.count("[Observation]") == 1
    assert (meter.prompt_tokens.stated, meter.completion_tokens.stated) == (123, 9)


async def test_a_stop_sequence_that_is_not_legal_is_said_once_too(anyio_backend):
    class Vllm(ScriptedClient):
        async def stream(self, prompt, *, stop=(), max_tokens=4096):
            yield Chunk("[Thought] t")
            yield Chunk(finish=Finish(FinishReason.STOP_SEQUENCE, "\n[Observation]"))
            yield Chunk(usage=Usage(123, 9))

    monitor = Monitor(load_protocol("react"))
    monitor.begin([("question", "how?")])
    settings = TurnSettings(early_stop=False, correction=None)
    turn = await take_turn(Vllm([]), PROMPT, monitor, settings)
    assert monitor.rejected
    assert turn.raw == "[Thought] t\n[Observation]"
