"""OpenAI-compatible endpoints: vLLM, llama.cpp, Ollama (at /v1), OpenAI and others.

`/chat/completions` and `/completions`, both as event streams. What differs between the servers
is declared in the capabilities by whoever makes the client; `make_openai` has the common ones.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from verulaw_gate.agent.endpoint import Endpoint
from verulaw_gate.agent.http import HttpClient
from verulaw_gate.agent.model import (
    Capabilities,
    Chunk,
    Finish,
    FinishReason,
    Prompt,
    Role,
    Score,
    Usage,
)
from verulaw_gate.errors import UsageError

_REASONS = {
    "stop": FinishReason.END,
    "eos": FinishReason.END,
    "length": FinishReason.LENGTH,
    "content_filter": FinishReason.FILTERED,
}
MAX_STOPS = 4
"""How many stop sequences the endpoint takes; those past it are watched for on our side."""


class _OpenAI(HttpClient):
    """What both endpoints share. `usage`: ask for token counts at the end of the stream."""

    limit_field = "max_tokens"

    def __init__(
        self, endpoint: Endpoint, capabilities: Capabilities, *, usage: bool = True
    ) -> None:
        super().__init__(endpoint, capabilities)
        self._usage = usage

    def _headers(self, key: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {key}"} if key else {}

    def _common(self, stop: Sequence[str], max_tokens: int) -> dict[str, object]:
        body: dict[str, object] = {
            "model": self._endpoint.model,
            "stream": True,
            self.limit_field: max_tokens,
        }
        if self._usage:
            body["stream_options"] = {"include_usage": True}
        if stop and self._capabilities.stop:
            body["stop"] = list(stop)[:MAX_STOPS]
        if self._endpoint.temperature is not None:
            body["temperature"] = self._endpoint.temperature
        if self._endpoint.seed is not None:
            body["seed"] = self._endpoint.seed
        return body

    def _read(self, event: str, data: Any) -> tuple[Chunk | None, bool]:
        if data is None:
            return None, True
        if data.get("error"):
            raise self._reported(data)
        choices = data.get("choices")
        usage = _usage(data.get("usage"))
        if not isinstance(choices, list):
            raise self._bad_event(data)
        if not choices:
            return (Chunk(usage=usage) if usage else None), False
        choice = choices[0]
        if not isinstance(choice, dict):
            raise self._bad_event(data)
        text, logprobs = self._choice(choice, data)
        finish = _finish(choice)
        if text or usage or finish:
            return Chunk(text, logprobs, usage, finish), False
        return None, False

    def _choice(
        self, choice: Mapping[str, Any], data: object
    ) -> tuple[str, tuple[float, ...] | None]:
        raise NotImplementedError

    def _may_end(self, last: Chunk | None) -> bool:
        # Some servers close right after the finish reason, without [DONE].
        return last is not None and last.finish is not None

    def _text(self, value: object, data: object) -> str:
        if value is None:
            return ""
        if not isinstance(value, str):
            raise self._bad_event(data)
        return value


class OpenAIChat(_OpenAI):
    """`/chat/completions`. With `prefill` the beginning of the answer is sent as a last
    assistant message: `continuation` holds the fields by which the server is told to continue it
    (vLLM: continue_final_message, add_generation_prompt; llama.cpp: none). `limit_field` names
    the token limit: OpenAI's own newer models refuse max_tokens."""

    path = "/chat/completions"

    def __init__(
        self,
        endpoint: Endpoint,
        capabilities: Capabilities | None = None,
        *,
        usage: bool = True,
        continuation: Mapping[str, object] | None = None,
        limit_field: str = "max_tokens",
    ) -> None:
        super().__init__(endpoint, capabilities or Capabilities(stop=True), usage=usage)
        self.limit_field = limit_field
        self._continuation = dict(continuation or {})

    def _body(self, prompt: Prompt, stop: Sequence[str], max_tokens: int) -> dict[str, object]:
        body = self._common(stop, max_tokens)
        messages = [{"role": "system", "content": prompt.system}] if prompt.system else []
        messages += [{"role": str(m.role), "content": m.content} for m in prompt.messages]
        if prompt.prefill:
            messages.append({"role": str(Role.ASSISTANT), "content": prompt.prefill})
            body.update(self._continuation)
        body["messages"] = messages
        if self._capabilities.logprobs:
            body["logprobs"] = True
        return body | dict(self._endpoint.extra or {})

    def _choice(
        self, choice: Mapping[str, Any], data: object
    ) -> tuple[str, tuple[float, ...] | None]:
        delta = choice.get("delta")
        if not isinstance(delta, dict):
            raise self._bad_event(data)
        return self._text(delta.get("content"), data), _logprobs(choice.get("logprobs"))


class OpenAICompletions(_OpenAI):
    """`/completions`: the prompt as one text, so that any answer can be continued. `template`
    makes the text (default: `plain_template`)."""

    path = "/completions"

    def __init__(
        self,
        endpoint: Endpoint,
        capabilities: Capabilities | None = None,
        *,
        usage: bool = True,
    ) -> None:
        super().__init__(
            endpoint, capabilities or Capabilities(prefill=True, stop=True), usage=usage
        )

    def _body(self, prompt: Prompt, stop: Sequence[str], max_tokens: int) -> dict[str, object]:
        body = self._common(stop, max_tokens)
        body["prompt"] = plain_template(prompt)
        if self._capabilities.logprobs:
            body["logprobs"] = 1
        return body | dict(self._endpoint.extra or {})

    def _choice(
        self, choice: Mapping[str, Any], data: object
    ) -> tuple[str, tuple[float, ...] | None]:
        return self._text(choice.get("text"), data), _logprobs(choice.get("logprobs"))

    async def score(self, prompt: Prompt, text: str) -> Score:
        """Log-probabilities by `echo`: the server scores the prompt with the text behind it.

        A token that reaches across the border counts as one of the text. Raises UsageError
        without the capability, ClientError otherwise.
        """
        if not self._capabilities.score:
            return await super().score(prompt, text)
        given = plain_template(prompt)
        # One token more than nothing: to some servers 0 is no limit, others refuse it.
        data = await self._ask(
            {
                "model": self._endpoint.model,
                "prompt": given + text,
                "max_tokens": 1,
                "echo": True,
                "logprobs": 1,
            }
        )
        try:
            values = _scored(data["choices"][0]["logprobs"], given, text)
        except (KeyError, IndexError, TypeError, ValueError):
            raise self._bad_event(data) from None
        # No token at all would be the best score of all.
        if (text and not values) or not all(map(math.isfinite, values)):
            raise self._bad_event(data)
        return Score(values)


def _scored(echoed: Mapping[str, Any], given: str, text: str) -> tuple[float, ...]:
    """The log-probabilities of the tokens of `text` behind `given`. Some servers put a token of
    their own before the prompt, which moves all their offsets: the tokens themselves say where the
    text is; the offsets only where a token is no text (part of a character)."""
    tokens = [str(token) for token in echoed["tokens"]]
    begins = "".join(tokens).find(given + text)
    if begins >= 0:
        offsets = [0, *accumulate(map(len, tokens))][: len(tokens)]
    else:
        begins, offsets = 0, [int(offset) for offset in echoed["text_offset"]]
    start = begins + len(given)
    return tuple(
        float(p)
        for token, p, at in zip(tokens, echoed["token_logprobs"], offsets, strict=True)
        if p is not None and at + len(token) > start and at < start + len(text)
    )


def plain_template(prompt: Prompt) -> str:
    """The prompt as one text, for models that were not trained on a chat format."""
    parts = [prompt.system, *(m.content for m in prompt.messages)]
    return "\n\n".join(part for part in parts if part) + "\n\n" + prompt.prefill


def _finish(choice: Mapping[str, Any]) -> Finish | None:
    reason = choice.get("finish_reason")
    if reason is None:
        return None
    # vLLM says in stop_reason which stop sequence matched (a number there is a token id).
    matched = choice.get("stop_reason")
    if isinstance(matched, str) and reason == "stop":
        return Finish(FinishReason.STOP_SEQUENCE, matched)
    return Finish(_REASONS.get(str(reason), FinishReason.UNKNOWN))


def _logprobs(value: object) -> tuple[float, ...] | None:
    """Either form: `content` with a `logprob` each (chat; llama.cpp in both), or
    `token_logprobs`."""
    if not isinstance(value, dict):
        return None
    rows = value.get("token_logprobs")
    if not isinstance(rows, list):
        content = value.get("content")
        if not isinstance(content, list):
            return None
        rows = [row.get("logprob") for row in content if isinstance(row, dict)]
    return tuple(float(r) for r in rows if isinstance(r, int | float))


def _usage(value: object) -> Usage | None:
    if not isinstance(value, dict):
        return None
    return Usage.stated(value.get("prompt_tokens"), value.get("completion_tokens"))


def make_openai(
    kind: str,
    endpoint: Endpoint,
    *,
    prefill: bool | None = None,
    usage: bool = True,
    scores: bool = False,
) -> HttpClient:
    """A client for a kind of server: `openai`, `vllm`, `llama.cpp`, `ollama` (chat) or
    `completions`. `prefill` overrides what the kind can do. `scores`: the server echoes a prompt
    with log-probabilities (vLLM and llama-cpp-python do), which needs `completions`. Raises
    UsageError for scores of another kind, and for other kinds."""
    if kind == "completions":
        able = Capabilities(prefill=prefill is not False, stop=True, score=scores)
        return OpenAICompletions(endpoint, able, usage=usage)
    if scores:
        raise UsageError(
            f"an endpoint of the kind {kind} gives no scores",
            hint="--client completions, where the server echoes prompts with log-probabilities",
        )
    table: dict[str, tuple[Capabilities, Mapping[str, object]]] = {
        "openai": (Capabilities(stop=True), {}),
        "vllm": (
            Capabilities(prefill=True, stop=True, reports_stop=True),
            {"continue_final_message": True, "add_generation_prompt": False},
        ),
        "llama.cpp": (Capabilities(prefill=True, stop=True), {}),
        "ollama": (Capabilities(stop=True), {}),
    }
    if kind not in table:
        raise UsageError(
            f"no client '{kind}'", hint="one of: " + ", ".join([*table, "completions"])
        )
    able, continuation = table[kind]
    if prefill is not None:
        able = Capabilities(prefill, able.logprobs, able.stop, able.reports_stop, able.score)
    return OpenAIChat(
        endpoint,
        able,
        usage=usage,
        continuation=continuation,
        limit_field="max_completion_tokens" if kind == "openai" else "max_tokens",
    )
