"""Anthropic's `/v1/messages` as an event stream, with stop sequences and a prefilled answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    Usage,
)

VERSION = "2023-06-01"
_REASONS = {
    "end_turn": FinishReason.END,
    "max_tokens": FinishReason.LENGTH,
    "stop_sequence": FinishReason.STOP_SEQUENCE,
    "refusal": FinishReason.FILTERED,
}


class AnthropicMessages(HttpClient):
    """`/messages` (the base URL ends with /v1). Models that take no prefilled answer need
    capabilities that say so."""

    path = "/messages"

    def __init__(self, endpoint: Endpoint, *, prefill: bool = True) -> None:
        super().__init__(endpoint, Capabilities(prefill=prefill, stop=True, reports_stop=True))

    def _headers(self, key: str) -> dict[str, str]:
        return {"anthropic-version": VERSION} | ({"x-api-key": key} if key else {})

    def _body(self, prompt: Prompt, stop: Sequence[str], max_tokens: int) -> dict[str, object]:
        messages = [{"role": str(m.role), "content": m.content} for m in prompt.messages]
        if prompt.prefill:
            messages.append({"role": str(Role.ASSISTANT), "content": prompt.prefill})
        body: dict[str, object] = {
            "model": self._endpoint.model,
            "max_tokens": max_tokens,
            "messages": messages,
            "stream": True,
        }
        if prompt.system:
            body["system"] = prompt.system
        # It also refuses stop sequences of white space only.
        if stops := [s for s in stop if s.strip()]:
            body["stop_sequences"] = stops
        if self._endpoint.temperature is not None:
            body["temperature"] = self._endpoint.temperature
        return body | dict(self._endpoint.extra or {})

    def _sendable(self, prefill: str) -> str:
        # The endpoint refuses a beginning that ends in white space.
        return prefill.rstrip()

    def _read(self, event: str, data: Any) -> tuple[Chunk | None, bool]:
        if data is None:
            return None, True
        kind = data.get("type", event)
        if kind == "error":
            raise self._reported(data)
        if kind == "message_start":
            usage = _usage(_inner(data, "message").get("usage"))
            return (Chunk(usage=Usage(usage.prompt_tokens)) if usage else None), False
        if kind == "content_block_delta":
            delta = _inner(data, "delta")
            if delta.get("type") != "text_delta":
                return None, False
            text = delta.get("text")
            if not isinstance(text, str):
                raise self._bad_event(data)
            return (Chunk(text) if text else None), False
        if kind == "message_delta":
            delta = _inner(data, "delta")
            reason = delta.get("stop_reason")
            if reason is None:
                return None, False
            stop = delta.get("stop_sequence")
            usage = _usage(data.get("usage"))
            finish = Finish(
                _REASONS.get(str(reason), FinishReason.UNKNOWN),
                stop if isinstance(stop, str) else None,
            )
            return Chunk(usage=usage, finish=finish), False
        return None, kind == "message_stop"

    def _may_end(self, last: Chunk | None) -> bool:
        return last is not None and last.finish is not None


def _inner(data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = data.get(key)
    return value if isinstance(value, Mapping) else {}


def _usage(value: object) -> Usage | None:
    if not isinstance(value, Mapping):
        return None
    return Usage.stated(value.get("input_tokens"), value.get("output_tokens"))
