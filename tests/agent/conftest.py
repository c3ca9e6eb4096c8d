"""A real HTTP server on a loopback port that says exactly the bytes it is told to say."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

import pytest


@dataclass
class Reply:
    """`pieces` are written one by one; then the connection closes, hangs, or is reset."""

    pieces: list[bytes] = field(default_factory=list)
    status: int = 200
    headers: dict[str, str] = field(default_factory=lambda: {"content-type": "text/event-stream"})
    hang: bool = False
    reset: bool = False
    silent: bool = False
    pause: float = 0.0


@dataclass
class Request:
    path: str
    headers: dict[str, str]
    body: dict


@dataclass
class Wire:
    """`replies` are used in order; the last one for all later requests. A callable gets the
    request and returns the reply."""

    replies: list[Reply | Callable[[Request], Reply]] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    written: list[int] = field(default_factory=list)
    gone: list[bool] = field(default_factory=list)
    port: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await self._serve(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {name.lower(): value for name, value in (h.split(": ", 1) for h in head[1:] if h)}
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        request = Request(head[0].split(" ")[1], headers, json.loads(body) if body else {})
        number = len(self.requests)
        self.requests.append(request)
        self.written.append(0)
        self.gone.append(False)
        made = self.replies[min(number, len(self.replies) - 1)]
        reply = made if isinstance(made, Reply) else made(request)
        if reply.silent:
            await reader.read()
            return
        lines = [f"HTTP/1.1 {reply.status} X", "connection: close"]
        lines += [f"{name}: {value}" for name, value in reply.headers.items()]
        writer.write("\r\n".join([*lines, "", ""]).encode("latin-1"))
        leaving = asyncio.create_task(self._watch(reader, number))
        try:
            for piece in reply.pieces:
                if self.gone[number]:
                    return
                writer.write(piece)
                await writer.drain()
                self.written[number] += 1
                await asyncio.sleep(reply.pause)
            if reply.hang:
                await leaving
            if reply.reset:
                writer.transport.abort()
        finally:
            leaving.cancel()

    async def _watch(self, reader: asyncio.StreamReader, number: int) -> None:
        """The client sends nothing after its request: an end of input means that it has left."""
        with contextlib.suppress(ConnectionError):
            await reader.read()
        self.gone[number] = True


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def wire(anyio_backend: str) -> AsyncIterator[Wire]:
    made = Wire()
    server = await asyncio.start_server(made.serve, "127.0.0.1", 0)
    made.port = server.sockets[0].getsockname()[1]
    async with server:
        yield made


@pytest.fixture
def reply() -> type[Reply]:
    return Reply


def sse(*events: object, names: tuple[str, ...] = (), newline: str = "\n") -> bytes:
    lines = []
    for at, event in enumerate(events):
        if names:
            lines.append(f"event: {names[at]}")
        data = event if isinstance(event, str) else json.dumps(event, ensure_ascii=False)
        lines += [f"data: {data}", ""]
    return newline.join([*lines, ""]).encode()


def chat_events(*texts: str, finish: str = "stop", done: bool = True) -> list[object]:
    events: list[object] = [
        {"choices": [{"index": 0, "delta": {"role": "assistant", "content": ""}}]}
    ]
    events += [{"choices": [{"index": 0, "delta": {"content": t}}]} for t in texts]
    events.append({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
    events.append({"choices": [], "usage": {"prompt_tokens": 11, "completion_tokens": 5}})
    return [*events, "[DONE]"] if done else events


def completion_events(*texts: str, finish: str = "stop") -> list[object]:
    events: list[object] = [{"choices": [{"index": 0, "text": t}]} for t in texts]
    events.append({"choices": [{"index": 0, "text": "", "finish_reason": finish}]})
    events.append({"choices": [], "usage": {"prompt_tokens": 11, "completion_tokens": 5}})
    return [*events, "[DONE]"]


def anthropic_events(*texts: str, reason: str = "end_turn", stop: str | None = None) -> list[dict]:
    return [
        {"type": "message_start", "message": {"usage": {"input_tokens": 11, "output_tokens": 1}}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "ping"},
        *(
            {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": t}}
            for t in texts
        ),
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta",
            "delta": {"stop_reason": reason, "stop_sequence": stop},
            "usage": {"output_tokens": 5},
        },
        {"type": "message_stop"},
    ]


class Say:
    """Makers of wire bytes, one per kind of endpoint."""

    sse = staticmethod(sse)
    chat = staticmethod(chat_events)
    completion = staticmethod(completion_events)
    anthropic = staticmethod(anthropic_events)

    def bytes_of(self, kind: str, *texts: str, newline: str = "\n") -> bytes:
        if kind == "anthropic":
            events = self.anthropic(*texts)
            return self.sse(*events, names=tuple(e["type"] for e in events), newline=newline)
        return self.sse(
            *(self.chat(*texts) if kind == "chat" else self.completion(*texts)), newline=newline
        )


@pytest.fixture
def say() -> Say:
    return Say()
