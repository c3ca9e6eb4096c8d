"""What all HTTP clients share: connection, keys, retries, reading the event stream.

Retries (stamina) happen before any text was handed on. After that a cut stream is only taken up
again by a client that can prefill: the answer so far becomes the beginning of the next request,
and the answer goes on from there. Nothing is ever said twice.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Any

import httpx
import stamina
from httpx_sse import EventSource, SSEError

from verulaw_gate.agent.body import Bounded, beginning
from verulaw_gate.agent.endpoint import Endpoint, check_url
from verulaw_gate.agent.errors import (
    TRANSIENT,
    ClientBusy,
    ClientCut,
    ClientFormat,
    ClientServerFault,
    ClientTimeout,
)
from verulaw_gate.agent.http_errors import from_httpx, from_status, server_message
from verulaw_gate.agent.model import Capabilities, Chunk, Prompt, Score, estimate_tokens
from verulaw_gate.agent.redact import key_from_environment, redact
from verulaw_gate.agent.text import clean, split_pair
from verulaw_gate.errors import ClientError, UsageError, VerulawError

_HTTPX_ERRORS = (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, SSEError)


class HttpClient(ABC):
    """A client for one endpoint. Proxies and TLS as httpx does (HTTP_PROXY, SSL_CERT_FILE, ...).

    Raises UsageError for a base URL that is no http(s) URL, that holds a user, a key or a query,
    or that would carry a key over plain HTTP to another machine.
    """

    path: str = ""

    def __init__(self, endpoint: Endpoint, capabilities: Capabilities) -> None:
        self._endpoint = endpoint
        self._capabilities = capabilities
        self._key = key_from_environment(endpoint.key_env)
        self._url = check_url(endpoint.base_url, bool(self._key)) + self.path
        self._http = httpx.AsyncClient(
            timeout=httpx.Timeout(endpoint.read_timeout, connect=endpoint.connect_timeout),
            headers=self._headers(self._key),
            follow_redirects=False,
        )

    @property
    def name(self) -> str:
        """The kind of client and the model."""
        return f"{type(self).__name__}:{self._endpoint.model}"

    @property
    def capabilities(self) -> Capabilities:
        """As given at the start."""
        return self._capabilities

    def __repr__(self) -> str:
        return f"<{self.name} at {self._url}>"

    async def aclose(self) -> None:
        """Close all connections."""
        await self._http.aclose()

    @abstractmethod
    def _headers(self, key: str) -> dict[str, str]:
        """Headers of every request."""

    def _sendable(self, prefill: str) -> str:
        """As much of a beginning as the endpoint takes."""
        return prefill

    @abstractmethod
    def _body(self, prompt: Prompt, stop: Sequence[str], max_tokens: int) -> dict[str, object]:
        """The request for an answer."""

    @abstractmethod
    def _read(self, event: str, data: Any) -> tuple[Chunk | None, bool]:
        """A chunk of one event (None: nothing of use), and whether the stream is done."""

    @abstractmethod
    def _may_end(self, last: Chunk | None) -> bool:
        """Whether a stream that just ends after chunk `last` was complete."""

    async def stream(
        self, prompt: Prompt, *, stop: Sequence[str] = (), max_tokens: int = 4096
    ) -> AsyncGenerator[Chunk, None]:
        """See `Client.stream`."""
        if prompt.prefill and not self._capabilities.prefill:
            raise UsageError(
                f"{self.name} cannot continue a given beginning",
                hint="use feedback corrections, or a client that can prefill",
            )
        got, requests, continued = "", 0, 0
        while True:
            beginning = prompt.prefill + got
            sent = self._sendable(beginning)
            due = beginning[len(sent) :] if sent else ""
            allowed = max(1, max_tokens - estimate_tokens(len(got))) if got else max_tokens
            try:
                chunks, head, tries = await self._begin(
                    self._body(prompt.with_prefill(sent), stop, allowed)
                )
            except ClientError as error:
                error.requests += requests
                raise
            requests += tries
            finished, half = False, ""
            try:
                async with aclosing(_joined(head, chunks)) as whole:
                    async for chunk in whole:
                        text, half = split_pair(half + chunk.text)
                        text = clean(text + half if chunk.finish else text)
                        text, due = _without(text, due)
                        got += text
                        finished = finished or chunk.finish is not None
                        # Counts of a continued answer are those of its last part: not stated.
                        usage = None if continued else chunk.usage
                        if text or usage or chunk.finish:
                            yield replace(chunk, text=text, usage=usage, request=requests)
                return
            except (ClientCut, ClientTimeout, ClientServerFault, ClientBusy):
                if finished:
                    return
                continued += 1
                if not self._capabilities.prefill or continued > self._endpoint.retry.continuations:
                    raise

    async def score(self, prompt: Prompt, text: str) -> Score:
        """See `Client.score`."""
        raise UsageError(f"{self.name} has no scores", hint="set how PASS is to choose instead")

    async def _begin(
        self, body: Mapping[str, object]
    ) -> tuple[AsyncGenerator[Chunk, None], list[Chunk], int]:
        """Ask, with retries, until the first text or the end is here."""
        tries = 0
        async for attempt in self._attempts():
            with attempt:
                tries += 1
                chunks = self._chunks(body)
                head: list[Chunk] = []
                try:
                    async for chunk in chunks:
                        head.append(chunk)
                        if chunk.text or chunk.finish:
                            break
                except BaseException as error:
                    await chunks.aclose()
                    if isinstance(error, ClientError):
                        error.requests = tries
                    raise
                return chunks, head, tries
        raise AssertionError("stamina returns or raises")

    async def _ask(self, body: Mapping[str, object]) -> Any:
        """One JSON answer that is no stream, with retries."""
        async for attempt in self._attempts():
            with attempt:
                try:
                    async with self._http.stream("POST", self._url, json=body) as response:
                        await self._check(response, "application/json")
                        response.stream = Bounded(response.stream, self._url)
                        return self._decode((await response.aread()).decode("utf-8", "replace"))
                except _HTTPX_ERRORS as error:
                    raise self._safe(from_httpx(error, self._url, streaming=False)) from None
        raise AssertionError("stamina returns or raises")

    def _attempts(self) -> AsyncIterator[stamina.Attempt]:
        retry = self._endpoint.retry
        return stamina.retry_context(
            on=self._wait,
            attempts=retry.attempts,
            timeout=retry.timeout,
            wait_initial=retry.wait_initial,
            wait_max=retry.wait_max,
            wait_jitter=retry.jitter,
        )

    def _wait(self, error: Exception) -> bool | float:
        """Whether to try again after `error`, and after how many seconds if the server says."""
        if not isinstance(error, TRANSIENT):
            return False
        asked = error.retry_after if isinstance(error, ClientBusy | ClientServerFault) else None
        if asked is None:
            return True
        return asked if asked <= self._endpoint.retry.longest_retry_after else False

    async def _chunks(self, body: Mapping[str, object]) -> AsyncGenerator[Chunk, None]:
        """One request: its chunks that have text, usage or a finish."""
        last: Chunk | None = None
        async with aclosing(self._events(body)) as events:
            async for event, data in events:
                chunk, done = self._read(event, data)
                if chunk is not None:
                    last = chunk if chunk.finish or last is None or not last.finish else last
                    yield chunk
                if done:
                    return
        if not self._may_end(last):
            raise self._safe(
                ClientCut(
                    f"{self._url} ended the stream before the answer was complete",
                    hint="look at the server's log",
                )
            )

    async def _events(self, body: Mapping[str, object]) -> AsyncGenerator[tuple[str, Any], None]:
        """One request: its events as (name, decoded JSON); `[DONE]` comes as None."""
        begun = False
        try:
            async with self._http.stream(
                "POST",
                self._url,
                json=body,
                headers={"Accept": "text/event-stream", "Accept-Encoding": "identity"},
            ) as response:
                await self._check(response)
                response.stream = Bounded(response.stream, self._url)
                async with aclosing(EventSource(response).aiter_sse()) as source:
                    async for sse in source:
                        begun = True
                        if sse.data.strip() == "[DONE]":
                            yield sse.event, None
                        elif sse.data:
                            yield sse.event, self._decode(sse.data)
        except _HTTPX_ERRORS as error:
            raise self._safe(from_httpx(error, self._url, streaming=begun)) from None

    async def _check(self, response: httpx.Response, wanted: str = "text/event-stream") -> None:
        """Raise for a status that is no success or another content type than `wanted`."""
        kind = response.headers.get("content-type", "")
        if response.status_code == 200 and wanted in kind.lower():
            return
        body = await beginning(response)
        if response.status_code >= 300:
            raise self._safe(
                from_status(response.status_code, response.headers, body, self._url, (self._key,))
            )
        raise self._safe(
            ClientFormat(
                f"{self._url} answered with {kind or 'no content type'} instead of {wanted}: "
                f"{server_message(body, (self._key,))}",
                hint="does the server support streaming, and is the base URL right?",
            )
        )

    def _decode(self, data: str) -> Any:
        try:
            value = json.loads(data)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            raise self._safe(
                ClientFormat(
                    f"{self._url} sent an event that is not a JSON object: "
                    f"{redact(data, (self._key,))[:80]!r}",
                    hint="is this an endpoint of the stated kind?",
                )
            )
        return value

    def _bad_event(self, data: object) -> VerulawError:
        return self._safe(
            ClientFormat(
                f"{self._url} sent an event of another shape: "
                f"{redact(json.dumps(data), (self._key,))[:120]}",
                hint="is this an endpoint of the stated kind?",
            )
        )

    def _reported(self, data: Mapping[str, Any]) -> VerulawError:
        """The error that a server reports inside the stream."""
        message = server_message(json.dumps(data).encode(), (self._key,))
        fault = f"{data.get('error')}".lower()
        kind: type[ClientError] = ClientServerFault
        if "rate_limit" in fault or "429" in fault:
            kind = ClientBusy
        return self._safe(kind(f"{self._url} reports: {message}", hint="look at the server's log"))

    def _safe(self, error: VerulawError) -> VerulawError:
        """The same error without the key in its text."""
        error.message = redact(error.message, (self._key,))
        error.args = (error.message,)
        return error


async def _joined(
    head: Sequence[Chunk], rest: AsyncGenerator[Chunk, None]
) -> AsyncGenerator[Chunk, None]:
    async with aclosing(rest):
        for chunk in head:
            yield chunk
        async for chunk in rest:
            yield chunk


def _without(text: str, due: str) -> tuple[str, str]:
    """`text` without what it repeats of `due`, and what may still be repeated."""
    shared = 0
    while shared < min(len(text), len(due)) and text[shared] == due[shared]:
        shared += 1
    rest = text[shared:]
    return rest, "" if rest else due[shared:]
