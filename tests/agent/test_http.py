"""The HTTP clients against a real server: every cut, storm, silence and wrong answer."""

from __future__ import annotations

import asyncio
import json
import logging
import time
import traceback
from contextlib import aclosing
from email.utils import formatdate

import anyio
import httpx
import pytest
from stamina import instrumentation

from verulaw_gate.agent import errors as kinds
from verulaw_gate.agent.anthropic import AnthropicMessages
from verulaw_gate.agent.endpoint import Endpoint, Retry
from verulaw_gate.agent.http_errors import from_httpx, retry_after
from verulaw_gate.agent.make import ModelSettings, make_client
from verulaw_gate.agent.model import (
    Capabilities,
    FinishReason,
    Message,
    Prompt,
    Role,
    collect,
)
from verulaw_gate.agent.openai import OpenAIChat, OpenAICompletions, make_openai, plain_template
from verulaw_gate.errors import UsageError, VerulawError

pytestmark = pytest.mark.anyio

PROMPT = Prompt("be exact", (Message(Role.USER, "prove it"),))
TEXTS = ("[Lemma]\n", "proof fn ünï(x: int) { }\n", "[QED]", " — 完")
WHOLE = "".join(TEXTS)
KINDS = ("chat", "completion", "anthropic")
QUICK = Retry(attempts=4, timeout=20.0, wait_initial=0.001, wait_max=0.002, jitter=0.0)


def make(kind: str, url: str, *, retry: Retry = QUICK, prefill: bool = False, **more):
    endpoint = Endpoint(url, "tiny", retry=retry, connect_timeout=2.0, **more)
    if kind == "anthropic":
        return AnthropicMessages(endpoint, prefill=prefill)
    able = Capabilities(prefill=prefill, stop=True)
    return (OpenAIChat if kind == "chat" else OpenAICompletions)(endpoint, able)


def beginning_of(kind: str, body: dict) -> str:
    """What a request asks the server to continue."""
    if kind == "completion":
        return body["prompt"].removeprefix(plain_template(PROMPT))
    last = body["messages"][-1]
    return last["content"] if last["role"] == "assistant" else ""


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
async def test_the_answer_does_not_depend_on_where_the_bytes_are_cut(
    wire, reply, say, kind, newline
):
    data = say.bytes_of(kind, *TEXTS, newline=newline)
    step = 1 if newline == "\n" else 7
    places = range(1, len(data), step)
    wire.replies = [reply([data[:at], data[at:]], pause=0.0002) for at in places]
    client = make(kind, wire.url)
    for _ in places:
        answer = await collect(client, PROMPT)
        assert (answer.text, answer.finish.reason) == (WHOLE, FinishReason.END)
        assert (answer.usage.prompt_tokens, answer.usage.completion_tokens) == (11, 5)
        assert answer.requests == 1
    await client.aclose()


@pytest.mark.parametrize("kind", KINDS)
async def test_one_byte_at_a_time(wire, reply, say, kind):
    wire.replies = [reply([bytes([b]) for b in say.bytes_of(kind, *TEXTS)])]
    client = make(kind, wire.url)
    assert (await collect(client, PROMPT)).text == WHOLE
    await client.aclose()


@pytest.mark.parametrize("kind", KINDS)
async def test_a_stream_that_ends_anywhere_is_never_taken_for_a_whole_answer(
    wire, reply, say, kind
):
    """Cut at every tenth byte: without prefill the answer is whole, was retried before any text
    was handed on, or raises; what was handed on is always a beginning of the answer."""
    data = say.bytes_of(kind, *TEXTS)
    client = make(kind, wire.url, retry=Retry(1, 5.0, 0.001, 0.002, 0.0))
    outcomes = set()
    for at in range(0, len(data), 10):
        wire.replies, wire.requests = [reply([data[:at]])], []
        got = ""
        try:
            async for chunk in client.stream(PROMPT):
                got += chunk.text
            assert got == WHOLE
            outcomes.add("whole")
        except kinds.ClientCut:
            assert WHOLE.startswith(got)
            outcomes.add("cut")
    assert outcomes == {"whole", "cut"}
    await client.aclose()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("reset", [False, True])
async def test_a_cut_stream_is_taken_up_where_it_broke(wire, reply, say, kind, reset):
    """The server continues from the beginning it is sent. Whatever the place of the cut, the
    text comes out whole, once."""
    data = say.bytes_of(kind, *TEXTS)

    def rest(request):
        given = beginning_of(kind, request.body)
        assert WHOLE.startswith(given)
        return reply([say.bytes_of(kind, WHOLE[len(given) :])])

    client = make(kind, wire.url, prefill=True)
    continued = 0
    for at in range(0, len(data), 23):
        wire.replies, wire.requests = [reply([data[:at]], reset=reset, pause=0.001), rest], []
        answer = await collect(client, PROMPT)
        assert answer.text == WHOLE
        assert answer.requests == len(wire.requests)
        if len(wire.requests) > 1 and beginning_of(kind, wire.requests[1].body):
            continued += 1
            assert answer.usage.completion_tokens is None  # the parts are not stated
    assert continued > 3
    await client.aclose()


async def test_no_retry_after_text_without_prefill(wire, reply, say):
    cut = say.sse(*say.chat("half a")[:2])
    wire.replies = [reply([cut])]
    client = make("chat", wire.url)
    with pytest.raises(kinds.ClientCut):
        await collect(client, PROMPT)
    assert len(wire.requests) == 1
    await client.aclose()


@pytest.mark.parametrize("status", [429, 500, 502, 503, 529, 408])
async def test_a_storm_passes(wire, reply, say, status):
    storm = reply([b'{"error": {"message": "slow down"}}'], status=status, headers={})
    wire.replies = [storm, storm, storm, reply([say.bytes_of("chat", "calm")])]
    client = make("chat", wire.url)
    answer = await collect(client, PROMPT)
    assert (answer.text, answer.requests) == ("calm", 4)
    wire.replies, wire.requests = [storm], []
    with pytest.raises(kinds.ClientBusy if status == 429 else kinds.ClientServerFault) as caught:
        await collect(client, PROMPT)
    assert len(wire.requests) == QUICK.attempts == caught.value.requests
    assert "slow down" in str(caught.value)
    assert caught.value.hint
    await client.aclose()


async def test_retry_after_is_kept(wire, reply, say):
    wire.replies = [
        reply([b"{}"], status=429, headers={"retry-after": "0.3"}),
        reply([b"{}"], status=503, headers={}),
        reply([say.bytes_of("chat", "ok")]),
    ]
    client = make("chat", wire.url)
    waits = []
    instrumentation.set_on_retry_hooks([lambda details: waits.append(details.wait_for)])
    try:
        assert (await collect(client, PROMPT)).text == "ok"
    finally:
        instrumentation.set_on_retry_hooks(None)
    assert waits[0] == 0.3
    assert waits[1] == pytest.approx(QUICK.wait_max)
    await client.aclose()


async def test_a_retry_after_too_long_ends_the_tries(wire, reply):
    wire.replies = [reply([b"{}"], status=429, headers={"retry-after": "86400"})]
    client = make("chat", wire.url)
    with pytest.raises(kinds.ClientBusy) as caught:
        await collect(client, PROMPT)
    assert caught.value.retry_after == 86400
    assert len(wire.requests) == 1
    await client.aclose()


def test_retry_after_forms():
    assert retry_after({"retry-after": "7"}) == 7
    assert retry_after({}) is None
    assert retry_after({"retry-after": "soon"}) is None
    assert 50 < retry_after({"retry-after": formatdate(time.time() + 60, usegmt=True)}) <= 60
    assert retry_after({"retry-after": formatdate(0, usegmt=True)}) == 0


@pytest.mark.parametrize("kind", KINDS)
async def test_a_hung_socket(wire, reply, say, kind):
    client = make(kind, wire.url, read_timeout=0.05, retry=Retry(2, 5.0, 0.001, 0.002, 0.0))
    wire.replies = [reply(silent=True)]
    with pytest.raises(kinds.ClientTimeout):
        await collect(client, PROMPT)
    assert len(wire.requests) == 2
    data = say.bytes_of(kind, *TEXTS)
    wire.replies, wire.requests = [reply([data[: len(data) // 2]], hang=True)], []
    with pytest.raises(kinds.ClientTimeout):
        await collect(client, PROMPT)
    await client.aclose()


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        ("text/html", b"<html>404 page</html>"),
        ("application/json", b'{"choices": [{"message": {"content": "whole"}}]}'),
        ("application/json", b'{"error": {"message": "model is loading"}}'),
        ("text/plain", b"data: {}\n\n"),
        ("", b""),
    ],
)
async def test_wrong_content_types(wire, reply, content_type, body):
    headers = {"content-type": content_type} if content_type else {}
    wire.replies = [reply([body], headers=headers)]
    client = make("chat", wire.url)
    with pytest.raises(kinds.ClientFormat) as caught:
        await collect(client, PROMPT)
    assert caught.value.hint
    assert len(wire.requests) == 1
    await client.aclose()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "event",
    ["not json", "[1]", '"text"', "null", "{" * 5000, "[" * 100000, '{"choices": 7}',
     '{"choices": [7]}', '{"choices": [{"delta": 3}]}', '{"choices": [{"delta": {"content": 3}}]}',
     '{"choices": [{"text": {}}]}', '{"type": "content_block_delta", "delta": {"type": '
     '"text_delta", "text": 4}}'],
)  # fmt: skip
async def test_events_of_another_shape(wire, reply, say, kind, event):
    wire.replies = [reply([say.sse(event)])]
    client = make(kind, wire.url, retry=Retry(1, 5.0, 0.001, 0.002, 0.0))
    with pytest.raises((kinds.ClientFormat, kinds.ClientCut)):
        await collect(client, PROMPT)
    await client.aclose()


@pytest.mark.parametrize(
    ("status", "kind"),
    [(400, kinds.ClientRefused), (401, kinds.ClientAuth), (403, kinds.ClientAuth),
     (404, kinds.ClientNotFound), (413, kinds.ClientRefused), (422, kinds.ClientRefused),
     (301, kinds.ClientFormat), (307, kinds.ClientFormat)],
)  # fmt: skip
async def test_statuses_that_no_retry_mends(wire, reply, status, kind):
    wire.replies = [reply([b"no"], status=status, headers={"location": "http://127.0.0.1:1/"})]
    client = make("chat", wire.url)
    with pytest.raises(kind) as caught:
        await collect(client, PROMPT)
    assert str(status) in str(caught.value)
    assert caught.value.hint
    assert len(wire.requests) == 1
    await client.aclose()


@pytest.mark.parametrize(
    ("kind", "event", "error"),
    [("chat", {"error": {"message": "engine died"}}, kinds.ClientServerFault),
     ("anthropic", {"type": "error", "error": {"type": "overloaded_error", "message": "busy"}},
      kinds.ClientServerFault),
     ("anthropic", {"type": "error", "error": {"type": "rate_limit_error", "message": "busy"}},
      kinds.ClientBusy)],
)  # fmt: skip
async def test_errors_reported_in_the_stream_are_retried(wire, reply, say, kind, event, error):
    wire.replies = [reply([say.sse(event)]), reply([say.bytes_of(kind, "fine")])]
    client = make(kind, wire.url)
    assert (await collect(client, PROMPT)).text == "fine"
    wire.replies = [reply([say.sse(event)])]
    with pytest.raises(error):
        await collect(client, PROMPT)
    await client.aclose()


@pytest.mark.parametrize("kind", KINDS)
async def test_closing_the_stream_closes_the_connection(wire, reply, say, kind):
    texts = [f"word{n} " for n in range(400)]
    data = say.bytes_of(kind, *texts)
    pieces = [data[at : at + 60] for at in range(0, len(data), 60)]
    wire.replies = [reply(pieces, pause=0.002)]
    client = make(kind, wire.url)
    async with aclosing(client.stream(PROMPT)) as chunks:
        async for chunk in chunks:
            if "word3" in chunk.text:
                break
    for _ in range(400):
        if wire.gone[0]:
            break
        await asyncio.sleep(0.005)
    assert wire.gone[0]
    assert wire.written[0] < len(pieces)
    await client.aclose()


async def test_nobody_there(anyio_backend):
    client = make("chat", "http://127.0.0.1:9/v1", retry=Retry(2, 5.0, 0.001, 0.002, 0.0))
    with pytest.raises(kinds.ClientUnreachable) as caught:
        await collect(client, PROMPT)
    assert "running" in caught.value.hint
    await client.aclose()


async def test_requests_hold_what_was_asked(wire, reply, say):
    wire.replies = [reply([say.bytes_of("chat", "x")])]
    client = OpenAIChat(
        Endpoint(wire.url, "tiny", temperature=0.5, seed=3, extra={"top_k": 5}),
        Capabilities(prefill=True, stop=True, logprobs=True),
        continuation={"continue_final_message": True},
    )
    await collect(client, PROMPT.with_prefill("[Le"), stop=["\n[Verus]"], max_tokens=77)
    body = wire.requests[0].body
    assert wire.requests[0].path == "/v1/chat/completions"
    assert body["messages"] == [
        {"role": "system", "content": "be exact"},
        {"role": "user", "content": "prove it"},
        {"role": "assistant", "content": "[Le"},
    ]
    wanted = {"stop": ["\n[Verus]"], "max_tokens": 77, "temperature": 0.5, "seed": 3, "top_k": 5,
              "stream": True, "logprobs": True, "continue_final_message": True}  # fmt: skip
    assert wanted.items() <= body.items()
    await client.aclose()


async def test_anthropic_prefill_and_stop(wire, reply, say):
    events = say.anthropic("\nrest", reason="stop_sequence", stop="\n[Verus]")
    wire.replies = [reply([say.sse(*events, names=tuple(e["type"] for e in events))])]
    client = AnthropicMessages(Endpoint(wire.url, "claude"))
    answer = await collect(client, PROMPT.with_prefill("[Body]\n\n"), stop=["\n", "\n[Verus]"])
    body = wire.requests[0].body
    assert body["messages"][-1] == {"role": "assistant", "content": "[Body]"}
    assert body["stop_sequences"] == ["\n[Verus]"]
    # One of the two newlines that were left off was said again, the other was not.
    assert answer.text == "rest"
    assert answer.finish.stop == "\n[Verus]"
    assert answer.finish.reason is FinishReason.STOP_SEQUENCE
    await client.aclose()


async def test_vllm_says_which_stop_matched(wire, reply, say):
    events = say.chat("x")
    events[2]["choices"][0]["stop_reason"] = "\n[Verus]"
    wire.replies = [reply([say.sse(*events)])]
    client = make_openai("vllm", Endpoint(wire.url, "tiny"))
    assert (await collect(client, PROMPT)).finish.stop == "\n[Verus]"
    await client.aclose()


async def test_logprobs_and_scores(wire, reply, say):
    events = say.completion("a", "b")
    events[0]["choices"][0]["logprobs"] = {"token_logprobs": [-0.5]}
    events[1]["choices"][0]["logprobs"] = {"token_logprobs": [-0.25, None]}
    wire.replies = [reply([say.sse(*events)])]
    able = Capabilities(prefill=True, stop=True, logprobs=True, score=True)
    client = OpenAICompletions(Endpoint(wire.url, "tiny"), able)
    assert (await collect(client, PROMPT)).logprobs == (-0.5, -0.25)
    chat = [{"token": "a", "logprob": -0.5}, {"token": "b", "logprob": -0.25}]
    events = say.completion("ab")
    events[0]["choices"][0]["logprobs"] = {"content": chat}
    wire.replies = [reply([say.sse(*events)])]
    assert (await collect(client, PROMPT)).logprobs == (-0.5, -0.25)
    await client.aclose()


def echoed(*rows, kind="application/json"):
    tokens, logprobs, offsets = zip(*rows, strict=True) if rows else ((), (), ())
    inner = {"tokens": tokens, "token_logprobs": logprobs, "text_offset": offsets}
    return [json.dumps({"choices": [{"logprobs": inner}]}).encode()], {"content-type": kind}


async def test_scores_are_of_the_text_alone(wire, reply):
    """A token across the border counts; the one that the server had to make does not."""
    n = len(plain_template(PROMPT))
    pieces, headers = echoed(
        ("p" * (n - 1), None, 0), ("pt", -2.0, n - 1), ("ext", -1.0, n + 1), ("more", -7.0, n + 4)
    )
    busy = reply([b"{}"], status=429)
    wire.replies = [busy, reply(pieces, headers=headers)]
    client = make_openai("completions", Endpoint(wire.url, "tiny", retry=QUICK), scores=True)
    assert client.capabilities.score
    score = await client.score(PROMPT, "text")
    assert score.logprobs == (-2.0, -1.0)
    assert score.normalised(0.0) == -3.0
    assert score.normalised(1.0) == pytest.approx(-3.0 / (7 / 6))
    asked = wire.requests[1].body
    assert asked["prompt"] == plain_template(PROMPT) + "text"
    assert (asked["echo"], asked["max_tokens"]) == (True, 1)
    await client.aclose()


@pytest.mark.parametrize("bos", ["", "<s>", "<|begin_of_text|>"])
@pytest.mark.parametrize("cut", [1, 2, 3, 5, 50])
async def test_a_token_before_the_prompt_moves_no_score(wire, reply, bos, cut):
    """Whatever the server's offsets are: the scores are those of the tokens that hold the text."""
    given, text = plain_template(PROMPT), "of these words"
    whole = given + text + "!"
    pieces = [whole[at : at + cut] for at in range(0, len(whole), cut)]
    ends = [min(len(whole), at + cut) for at in range(0, len(whole), cut)]
    shift = len(bos)
    rows = [(p, -float(end), shift + end - len(p)) for p, end in zip(pieces, ends, strict=True)]
    if bos:
        rows.insert(0, (bos, None, 0))
    body, headers = echoed(*rows)
    wire.replies = [reply(body, headers=headers)]
    client = make_openai("completions", Endpoint(wire.url, "tiny", retry=QUICK), scores=True)
    score = await client.score(PROMPT, text)
    inside = [e for e, p in zip(ends, pieces, strict=True)
              if e > len(given) and e - len(p) < len(given) + len(text)]  # fmt: skip
    assert score.logprobs == tuple(-float(end) for end in inside)
    await client.aclose()


@pytest.mark.parametrize(
    ("rows", "kind"),
    [((), "application/json"), ((("p", -1.0, 0),), "application/json"),
     ((("t", float("nan"), 10_000),), "application/json"),
     ((("t", float("-inf"), len(plain_template(PROMPT))),), "application/json"),
     ((("t", -1.0, len(plain_template(PROMPT))),), "text/html")],
)  # fmt: skip
async def test_what_is_no_score_is_an_error_not_the_best_score(wire, reply, rows, kind):
    pieces, headers = echoed(*rows, kind=kind)
    wire.replies = [reply(pieces, headers=headers)]
    client = make_openai("completions", Endpoint(wire.url, "tiny", retry=QUICK), scores=True)
    with pytest.raises(kinds.ClientFormat):
        await client.score(PROMPT, "text")
    wire.replies, wire.requests = [reply([b'{"choices": []}'], headers=headers)], []
    with pytest.raises(kinds.ClientFormat):
        await client.score(PROMPT, "text")
    await client.aclose()


def test_scores_are_for_endpoints_that_echo():
    for kind in ("openai", "vllm", "llama.cpp", "ollama", "anthropic"):
        with pytest.raises(UsageError, match="no scores"):
            make_client(ModelSettings("m", client=kind, scores=True))


@pytest.mark.parametrize("place", ["status", "type", "event", "report"])
async def test_a_key_is_never_shown(wire, reply, say, monkeypatch, caplog, place):
    """A server that says our key back: not in the error, its traceback, the name, the log."""
    caplog.set_level(logging.DEBUG)
    key = "key-VERY-secret-0123456789"
    monkeypatch.setenv("TEST_KEY", key)
    said = f"{'.' * 290} {key} and sk-abcdef123456"
    wire.replies = [
        {
            "status": reply([said.encode()], status=401),
            "type": reply([said.encode()], headers={"content-type": "text/plain"}),
            "event": reply([say.sse(said)]),
            "report": reply([say.sse({"error": {"message": said}})]),
        }[place]
    ]
    client = OpenAIChat(Endpoint(wire.url, "tiny", key_env="TEST_KEY", retry=Retry(1)))
    with pytest.raises(VerulawError) as caught:
        await collect(client, PROMPT)
    assert wire.requests[0].headers["authorization"] == f"Bearer {key}"
    seen = traceback.format_exception(caught.value)
    for text in (str(caught.value), repr(caught.value), str(seen), repr(client), client.name):
        assert key[:6] not in text
        assert "sk-abcdef" not in text
    assert key[:6] not in caplog.text
    await client.aclose()


@pytest.mark.parametrize(
    ("url", "words"),
    [("ftp://x/v1", "http"), ("x", "http"), ("http://", "http"), ("http://u:p@x/v1", "user"),
     ("http://x/v1?key=1", "query"), ("http://x:notaport/", "URL"), ("http://[::1", "URL"),
     ("http://example.org/v1", "unencrypted")],
)  # fmt: skip
def test_base_urls_that_are_refused(monkeypatch, url, words):
    monkeypatch.setenv("TEST_KEY", "abc123456")
    with pytest.raises(UsageError) as caught:
        OpenAIChat(Endpoint(url, "tiny", key_env="TEST_KEY"))
    assert words in str(caught.value)
    assert caught.value.hint


def test_a_key_that_no_header_holds(monkeypatch):
    monkeypatch.setenv("TEST_KEY", "two words\nand a line")
    with pytest.raises(UsageError) as caught:
        OpenAIChat(Endpoint("http://localhost/v1", "tiny", key_env="TEST_KEY"))
    assert "two words" not in str(caught.value) + caught.value.hint


def test_unknown_kind():
    with pytest.raises(UsageError, match="no client 'vlm'"):
        make_openai("vlm", Endpoint("http://localhost/v1", "tiny"))


def _httpx_errors() -> list[type[Exception]]:
    found = [httpx.InvalidURL]
    todo: list[type[Exception]] = [httpx.RequestError, httpx.StreamError]
    while todo:
        kind = todo.pop()
        found.append(kind)
        todo += kind.__subclasses__()
    return found


@pytest.mark.parametrize("kind", _httpx_errors())
@pytest.mark.parametrize("streaming", [False, True])
def test_every_httpx_error_is_one_of_ours_with_a_remedy(kind, streaming):
    error = kind.__new__(kind)
    Exception.__init__(error, "something")
    ours = from_httpx(error, "http://x/v1", streaming=streaming)
    assert isinstance(ours, VerulawError)
    assert "http://x/v1" in str(ours)
    assert ours.hint


async def test_a_line_without_end_is_cut_off(wire, reply, monkeypatch):
    monkeypatch.setattr("verulaw_gate.agent.body.MAX_STREAM_BYTES", 100_000)
    wire.replies = [reply([b"data: "] + [b"x" * 50_000] * 10)]
    client = make("chat", wire.url)
    with pytest.raises(kinds.ClientFormat, match="MiB"):
        await collect(client, PROMPT)
    await client.aclose()


async def test_halves_of_surrogate_pairs(wire, reply, say):
    """JSON can carry them; a pair cut over two events is one character, a lone half none."""
    parts = [r"a\ud83d", r"\ude00b", r"c\ud83d", "d", r"\ude00", r"e\ud83d"]
    events = [f'{{"choices": [{{"delta": {{"content": "{part}"}}}}]}}' for part in parts]
    end = '{"choices": [{"delta": {}, "finish_reason": "stop"}]}'
    wire.replies = [reply([say.sse(*events, end, "[DONE]")])]
    client = make("chat", wire.url)
    assert (await collect(client, PROMPT)).text == "a\N{GRINNING FACE}bc\ufffdd\ufffde\ufffd"
    await client.aclose()


async def test_proxies_of_the_environment_are_used(wire, reply, say, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", wire.url.removesuffix("/v1"))
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    wire.replies = [reply([say.bytes_of("chat", "through")])]
    client = make("chat", "http://model.invalid/v1")
    assert (await collect(client, PROMPT)).text == "through"
    assert wire.requests[0].path == "http://model.invalid/v1/chat/completions"
    await client.aclose()


@pytest.mark.parametrize("begun", [False, True])
async def test_cancelling_ends_the_request_and_its_retries(wire, reply, say, begun):
    data = say.sse(*say.chat("a", "b")[:2])
    wire.replies = [reply([data], hang=True) if begun else reply(silent=True)]
    client = make("chat", wire.url, read_timeout=60.0)
    with anyio.move_on_after(0.2) as scope:
        await collect(client, PROMPT)
    assert scope.cancelled_caught
    assert len(wire.requests) == 1
    await client.aclose()


async def test_cancelling_ends_the_wait_between_retries(wire, reply):
    wire.replies = [reply([b"{}"], status=429, headers={"retry-after": "100"})]
    client = make("chat", wire.url, retry=Retry(attempts=5, timeout=None))
    with anyio.move_on_after(0.3) as scope:
        await collect(client, PROMPT)
    assert scope.cancelled_caught
    assert len(wire.requests) == 1
    await client.aclose()


@pytest.mark.parametrize("at", [0, 1, 2, 3, 4])
async def test_a_byte_order_mark_costs_no_event(wire, reply, say, at):
    data = b"\xef\xbb\xbf" + say.bytes_of("completion", "all of it")
    wire.replies = [reply([data[:at], data[at:]], pause=0.01)]
    client = make("completion", wire.url)
    assert (await collect(client, PROMPT)).text == "all of it"
    await client.aclose()


@pytest.mark.parametrize("count", [True, -1, "12", 1.5, None, 10**23, [3]])
@pytest.mark.parametrize("kind", ["chat", "anthropic"])
async def test_what_is_no_count_is_not_stated(wire, reply, say, kind, count):
    if kind == "chat":
        events = say.chat("x")
        events[-2]["usage"] = {"prompt_tokens": count, "completion_tokens": count}
        wire.replies = [reply([say.sse(*events)])]
    else:
        events = say.anthropic("x")
        events[0]["message"]["usage"] = {"input_tokens": count, "output_tokens": 1}
        events[-2]["usage"] = {"output_tokens": count}
        wire.replies = [reply([say.sse(*events, names=tuple(e["type"] for e in events))])]
    client = make(kind, wire.url)
    usage = (await collect(client, PROMPT)).usage
    assert (usage.prompt_tokens, usage.completion_tokens) == (None, None)
    await client.aclose()
