"""Bodies of HTTP answers, within bounds."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import AsyncIterator

import httpx

from verulaw_gate.agent.errors import ClientFormat

MAX_STREAM_BYTES = 64 * 1024 * 1024
MAX_ERROR_BYTES = 64 * 1024


class Bounded(httpx.AsyncByteStream):
    """A body that may not grow without end: one line can fill the memory otherwise. A byte order
    mark at its start is left out: it would make the first event unreadable."""

    def __init__(self, inner: object, url: str) -> None:
        if not isinstance(inner, httpx.AsyncByteStream):
            raise TypeError("the body of an asynchronous response is an asynchronous stream")
        self._inner, self._url = inner, url

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        start: bytes | None = b""
        async for part in self._inner:
            size += len(part)
            if start is not None:
                start += part
                if BOM_UTF8.startswith(start) and start != BOM_UTF8:
                    continue
                part, start = start.removeprefix(BOM_UTF8), None
            if size > MAX_STREAM_BYTES:
                raise ClientFormat(
                    f"{self._url} sent more than {MAX_STREAM_BYTES // 2**20} MiB for one answer",
                    hint="something is wrong with the server",
                )
            yield part

    async def aclose(self) -> None:
        await self._inner.aclose()


async def beginning(response: httpx.Response) -> bytes:
    """The beginning of a body: enough for a server's own error message."""
    body = b""
    async for part in response.aiter_bytes():
        body += part
        if len(body) >= MAX_ERROR_BYTES:
            break
    return body[:MAX_ERROR_BYTES]
