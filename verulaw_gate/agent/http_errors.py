"""From httpx and HTTP statuses to our errors. Every one names a remedy and shows no key."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from email.utils import parsedate_to_datetime
from time import time

import httpx
from httpx_sse import SSEError

from verulaw_gate.agent.errors import (
    ClientAuth,
    ClientBusy,
    ClientCut,
    ClientFormat,
    ClientNotFound,
    ClientRefused,
    ClientServerFault,
    ClientTimeout,
    ClientUnreachable,
)
from verulaw_gate.agent.redact import redact
from verulaw_gate.errors import ClientError, UsageError, VerulawError

SHOWN_CHARS = 300
"""How much of a server's own message is quoted."""


def from_httpx(error: Exception, url: str, *, streaming: bool) -> VerulawError:
    """Our error for one of httpx's. `streaming`: the answer had begun to arrive.

    >>> type(from_httpx(httpx.ConnectError("refused"), "http://x", streaming=False)).__name__
    'ClientUnreachable'
    """
    text = str(error) or type(error).__name__
    if isinstance(error, httpx.ConnectTimeout | httpx.PoolTimeout):
        return ClientUnreachable(
            f"no connection to {url} in time ({text})",
            hint="is the server running there? --connect-timeout raises the limit",
        )
    if isinstance(error, httpx.TimeoutException):
        return ClientTimeout(
            f"{url} said nothing for too long ({type(error).__name__})",
            hint="--read-timeout raises the limit; a model that is still loading needs more time",
        )
    if isinstance(error, httpx.ProxyError):
        return ClientUnreachable(
            f"the proxy refused a connection to {url}: {text}",
            hint="check HTTP_PROXY, HTTPS_PROXY and NO_PROXY",
        )
    if isinstance(error, httpx.ConnectError):
        certificate = "certificate" in text.lower()
        return ClientUnreachable(
            f"no connection to {url}: {text}",
            hint="set SSL_CERT_FILE to the authority's certificate"
            if certificate
            else "is the server running, and is the base URL right?",
        )
    if isinstance(error, httpx.UnsupportedProtocol | httpx.InvalidURL | httpx.LocalProtocolError):
        return UsageError(
            f"{url} cannot be asked: {text}",
            hint="a base URL looks like http://localhost:8000/v1",
        )
    if isinstance(error, httpx.TooManyRedirects):
        return ClientFormat(
            f"{url} redirects without end", hint="give the address it should lead to"
        )
    if isinstance(error, httpx.DecodingError):
        return ClientFormat(
            f"the answer of {url} does not decompress: {text}",
            hint="a proxy in between may have damaged it",
        )
    if isinstance(error, SSEError):
        return ClientFormat(
            f"{url} did not answer with an event stream: {text}",
            hint="is the base URL right? It has to end where the endpoint's path begins",
        )
    if isinstance(error, httpx.NetworkError | httpx.RemoteProtocolError | httpx.StreamError):
        what = "cut the answer off" if streaming else "closed the connection without an answer"
        return ClientCut(f"{url} {what} ({text})", hint="look at the server's log")
    return ClientCut(f"{url}: {text}", hint="look at the server's log")


def server_message(body: bytes, secrets: Sequence[str] = ()) -> str:
    """The error text in a body: the `message` of the usual JSON shapes, else its beginning.
    Secrets go before anything is cut: half a key is a secret too."""
    text = body.decode("utf-8", "replace").strip()
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = " ".join(text.split())
    if isinstance(data, Mapping):
        data = data.get("error", data)
        if isinstance(data, Mapping):
            data = data.get("message", data.get("detail", data))
    return redact(str(data), secrets)[:SHOWN_CHARS]


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The Retry-After header in seconds from now: a number, or a date (RFC 9110, 10.2.3)."""
    value = headers.get("retry-after", "").strip()
    if not value:
        return None
    if value.replace(".", "", 1).isdigit() and value.isascii():
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time())
    except (ValueError, OverflowError):
        return None


def from_status(
    status: int, headers: Mapping[str, str], body: bytes, url: str, secrets: Sequence[str] = ()
) -> ClientError:
    """Our error for a status of 300 and up."""
    said = server_message(body, secrets)
    message = f"{url} answered {status}" + (f": {said}" if said else "")
    if status in (401, 403):
        return ClientAuth(message, hint="the key comes from the environment; see --key-env")
    if status == 404:
        return ClientNotFound(
            message, hint="does the base URL end with /v1, and does the server have this model?"
        )
    if status == 429:
        busy = ClientBusy(message, hint="wait, or raise the endpoint's limit")
        busy.retry_after = retry_after(headers)
        return busy
    if status >= 500 or status == 408:
        fault = ClientServerFault(message, hint="look at the server's log")
        fault.retry_after = retry_after(headers)
        return fault
    if status < 400:
        return ClientFormat(message, hint="redirects are not followed: a key must not travel on")
    return ClientRefused(message, hint=_refusal_hint(said))


def _refusal_hint(said: str) -> str:
    low = said.lower()
    if "prefill" in low or "assistant message" in low:
        return "this model takes no beginning of its answer: give --no-prefill"
    if "context" in low or "too long" in low or "maximum" in low:
        return "the prompt is too long for the model: fewer examples or a smaller feedback budget"
    if "stream_options" in low:
        return "give --no-usage: this server does not know stream_options"
    return "the endpoint refuses the request as it is"
