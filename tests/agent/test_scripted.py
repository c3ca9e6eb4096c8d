"""The scripted client behaves as a server would; recordings come back whole or not at all."""

from __future__ import annotations

import json
from contextlib import aclosing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verulaw_gate.agent.errors import ClientCut, ClientDiverged, ClientExhausted
from verulaw_gate.agent.model import (
    Capabilities,
    Finish,
    FinishReason,
    Message,
    Price,
    Prompt,
    Role,
    Score,
    TokenCount,
    Usage,
    collect,
    estimate_tokens,
)
from verulaw_gate.agent.recorded import RecordedClient, RecordingClient
from verulaw_gate.agent.scripted import Line, ScriptedClient, cut_at_stop
from verulaw_gate.errors import LogError, UsageError

pytestmark = pytest.mark.anyio
PROMPT = Prompt("s", (Message(Role.USER, "u"),))


async def read(client, into: list[str]) -> None:
    async for chunk in client.stream(PROMPT):
        into.append(chunk.text)


async def test_lines_in_order_then_exhausted():
    client = ScriptedClient(["one", "two"])
    assert (await collect(client, PROMPT)).text == "one"
    assert (await collect(client, PROMPT.with_prefill("x"))).text == "two"
    assert client.prompts[1].prefill == "x"
    with pytest.raises(ClientExhausted, match="2 answers"):
        await collect(client, PROMPT)


@given(
    text=st.text("ab[]\n", max_size=60),
    stops=st.lists(st.text("ab[]\n", min_size=1, max_size=3), max_size=3),
)
def test_cut_at_stop_is_the_leftmost_longest(text, stops):
    kept, which = cut_at_stop(text, stops)
    places = [(text.find(s), s) for s in stops if s in text]
    if not places:
        assert (kept, which) == (text, None)
        return
    first = min(at for at, _ in places)
    assert kept == text[:first]
    assert which == max((s for at, s in places if at == first), key=len)


async def test_stop_sequences_and_limits():
    client = ScriptedClient(["abc\n[Verus]rest", "x" * 100, "abc\n[Verus]rest"], chunk=1)
    answer = await collect(client, PROMPT, stop=["\n[Verus]"])
    assert answer.text == "abc"
    assert answer.finish == Finish(FinishReason.STOP_SEQUENCE, "\n[Verus]")
    answer = await collect(client, PROMPT, max_tokens=10)
    assert answer.finish.reason is FinishReason.LENGTH
    assert estimate_tokens(len(answer.text)) == 10
    assert (await collect(client, PROMPT)).text == "abc\n[Verus]rest"
    mute = ScriptedClient(["abc\n[Verus]rest"], capabilities=Capabilities(stop=True))
    assert (await collect(mute, PROMPT, stop=["\n[Verus]"])).finish.stop is None


async def test_errors_come_after_the_text_and_what_was_left_is_known():
    client = ScriptedClient([Line("half", error=ClientCut("cut"))], chunk=2)
    got: list[str] = []
    with pytest.raises(ClientCut):
        await read(client, got)
    assert "".join(got) == "half"
    client = ScriptedClient(["x" * 50], chunk=10)
    async with aclosing(client.stream(PROMPT)) as chunks:
        await anext(chunks)
        await anext(chunks)
    assert client.remaining_chars == 30


async def test_capabilities_are_kept():
    client = ScriptedClient(["x"], capabilities=Capabilities())
    with pytest.raises(UsageError, match="beginning"):
        await collect(client, PROMPT.with_prefill("x"))
    with pytest.raises(UsageError, match="scores"):
        await client.score(PROMPT, "x")
    scored = ScriptedClient([], scorer=lambda prompt, text: [-1.0] * len(text))
    assert await scored.score(PROMPT, "abc") == Score((-1.0, -1.0, -1.0))
    with pytest.raises(UsageError):
        ScriptedClient([], chunk=0)


async def test_a_recording_comes_back(tmp_path):
    path = tmp_path / "talk.jsonl"
    lines = ["[Lemma]\n完\u2028\n", "[Body]\n{ }\n[QED]", "tail\n[Verus] no"]
    recording = RecordingClient(ScriptedClient(lines, chunk=3), path)
    first = await collect(recording, PROMPT)
    await collect(recording, PROMPT.with_prefill("[Bo"))
    await collect(recording, PROMPT, stop=["\n[Verus]"])
    again = RecordedClient(path, chunk=2)
    assert again.unused == 3
    assert (await collect(again, PROMPT)) == first
    assert (await collect(again, PROMPT.with_prefill("[Bo"))).text == lines[1]
    assert (await collect(again, PROMPT, stop=["\n[Verus]"])).finish.stop == "\n[Verus]"
    assert again.unused == 0
    with pytest.raises(ClientDiverged, match="only 3 answers"):
        await collect(again, PROMPT)


@pytest.mark.parametrize(
    "other",
    [Prompt("S", PROMPT.messages), Prompt("s", (Message(Role.USER, "v"),)),
     Prompt("s", (Message(Role.ASSISTANT, "u"),)), PROMPT.with_prefill("x"),
     Prompt("s", (*PROMPT.messages, Message(Role.USER, "more")))],
)  # fmt: skip
async def test_another_prompt_is_a_divergence_that_says_where(tmp_path, other):
    path = tmp_path / "talk.jsonl"
    await collect(RecordingClient(ScriptedClient(["x"]), path), PROMPT)
    with pytest.raises(ClientDiverged) as caught:
        await collect(RecordedClient(path), other)
    assert caught.value.exchange == 0
    assert "recorded" in str(caught.value)
    with pytest.raises(ClientDiverged, match="stop sequences"):
        await collect(RecordedClient(path), PROMPT, stop=["x"])


async def test_more_than_was_recorded_is_a_divergence(tmp_path):
    """The old gate stopped the stream; a gate that reads on must not get a made-up end."""
    path = tmp_path / "talk.jsonl"
    recording = RecordingClient(ScriptedClient(["x" * 50], chunk=10), path)
    async with aclosing(recording.stream(PROMPT)) as chunks:
        await anext(chunks)
        await anext(chunks)
    again = RecordedClient(path)
    got: list[str] = []
    with pytest.raises(ClientDiverged, match="20 characters"):
        await read(again, got)
    assert "".join(got) == "x" * 20


@pytest.mark.parametrize(
    ("content", "line"),
    [("", None), ("nonsense", 1), ('{"schema": "other/1", "client": "x"}', 1), ("[1]", 1),
     ('{"schema": "verulaw-gate/conversation/1"}', 1)],
)  # fmt: skip
def test_files_that_are_no_recording(tmp_path, content, line):
    path = tmp_path / "talk.jsonl"
    path.write_text(content)
    with pytest.raises(LogError) as caught:
        RecordedClient(path)
    assert caught.value.line == line
    assert caught.value.path == str(path)


async def test_a_damaged_line_is_named(tmp_path):
    path = tmp_path / "talk.jsonl"
    await collect(RecordingClient(ScriptedClient(["x"]), path), PROMPT)
    lines = path.read_text().splitlines()
    for key in ("system", "messages", "prefill", "stop", "text", "finish"):
        data = json.loads(lines[1])
        del data[key]
        path.write_text(lines[0] + "\n" + json.dumps(data) + "\n")
        with pytest.raises(LogError) as caught:
            RecordedClient(path)
        assert caught.value.line == 2
    with pytest.raises(LogError, match="already"):
        RecordingClient(ScriptedClient([]), path)
    with pytest.raises(LogError):
        RecordedClient(tmp_path / "none.jsonl")
    path.write_bytes(b"\xff")
    with pytest.raises(LogError, match="UTF-8"):
        RecordedClient(path)


def test_counts_and_prices():
    count = TokenCount()
    count.add(10, 1000)
    count.add(None, 7)
    assert (count.measured, count.estimated, count.total) == (10, 2, 12)
    assert Price(3.0, 15.0).cost(1_000_000, 2_000_000) == 33.0
    assert Usage(1, None).updated(Usage(None, 2)) == Usage(1, 2)


@given(st.lists(st.floats(-50, 0), min_size=1, max_size=30), st.floats(0, 2))
def test_normalised_score(logprobs, alpha):
    """Against the formula written out; alpha 0 is the plain sum, alpha 1 near the mean."""
    score = Score(tuple(logprobs))
    n = len(logprobs)
    expected = sum(logprobs) * (6.0**alpha) / ((5.0 + n) ** alpha)
    assert score.normalised(alpha) == pytest.approx(expected, abs=1e-9)


async def test_a_recorded_failure_fails_again_in_the_same_way(tmp_path):
    path = tmp_path / "talk.jsonl"
    recording = RecordingClient(
        ScriptedClient([Line("half", error=ClientCut("cut off")), "whole"]), path
    )
    with pytest.raises(ClientCut):
        await collect(recording, PROMPT)
    await collect(recording, PROMPT)
    again = RecordedClient(path)
    got: list[str] = []
    with pytest.raises(ClientCut, match="cut off"):
        await read(again, got)
    assert "".join(got) == "half"
    assert (await collect(again, PROMPT)).text == "whole"
