"""Where a model is and how it is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from verulaw_gate.errors import UsageError


@dataclass(frozen=True, slots=True)
class Retry:
    """How often and how long to try again: `attempts` requests at most, `timeout` seconds in all
    (None: no limit), waits from `wait_initial` doubling up to `wait_max` with up to `jitter`
    added. A Retry-After longer than `longest_retry_after` seconds ends the tries.
    `continuations`: how often a cut answer is taken up again."""

    attempts: int = 6
    timeout: float | None = 300.0
    wait_initial: float = 0.5
    wait_max: float = 30.0
    jitter: float = 0.5
    longest_retry_after: float = 120.0
    continuations: int = 3


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model is and how to ask. `key_env` names the environment variable of the key
    (empty: no key). Timeouts in seconds; `read_timeout` is the longest silence."""

    base_url: str
    model: str
    key_env: str = ""
    connect_timeout: float = 10.0
    read_timeout: float = 120.0
    retry: Retry = Retry()
    temperature: float | None = None
    seed: int | None = None
    extra: Mapping[str, object] | None = None


def check_url(base_url: str, has_key: bool) -> str:
    """The base URL without a slash at its end. Raises UsageError; see `HttpClient`."""
    try:
        parts = urlsplit(base_url)
        host, user = parts.hostname, parts.username
        _ = parts.port
    except ValueError:
        raise UsageError(
            "the base URL is not a URL", hint="like http://localhost:8000/v1"
        ) from None
    if parts.scheme not in ("http", "https") or not host:
        raise UsageError(
            "the base URL is not an http or https URL", hint="like http://localhost:8000/v1"
        )
    if user is not None or parts.query or parts.fragment:
        raise UsageError(
            "the base URL holds a user, a query or a fragment",
            hint="keys come from the environment only; see --key-env",
        )
    if has_key and parts.scheme == "http" and not _is_local(host):
        raise UsageError(
            f"the key would go to {host} unencrypted",
            hint="use https, or unset the key's variable",
        )
    return base_url.rstrip("/")


def _is_local(host: str) -> bool:
    return host in ("localhost", "::1") or host.endswith(".localhost") or host.startswith("127.")
