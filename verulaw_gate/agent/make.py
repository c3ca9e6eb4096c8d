"""Make a client from named settings: what the command line and experiment files give."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from math import inf
from os import environ
from typing import TYPE_CHECKING, Any

from verulaw_gate.errors import UsageError

if TYPE_CHECKING:
    from verulaw_gate.agent.http import HttpClient

KINDS: dict[str, tuple[str, str]] = {
    "openai": ("https://api.openai.com/v1", "OPENAI_API_KEY"),
    "vllm": ("http://localhost:8000/v1", ""),
    "llama.cpp": ("http://localhost:8080/v1", ""),
    "ollama": ("http://localhost:11434/v1", ""),
    "completions": ("http://localhost:8000/v1", ""),
    "anthropic": ("https://api.anthropic.com/v1", "ANTHROPIC_API_KEY"),
}
"""Kinds of endpoints: default base URL, and the environment variable of the key."""


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """How a model is asked. `client` is one of KINDS. `base_url` None: the kind's own. `key_env`
    None: the kind's own at its own address, no key at another one: a key goes nowhere unasked.
    `prefill` None: what the kind can do. `usage`: ask for token counts in the stream (False for
    servers that refuse). `scores`: the endpoint echoes prompts with log-probabilities (kind
    `completions`). Timeouts in seconds; `attempts` counts requests with retries."""

    model: str
    client: str = "openai"
    base_url: str | None = None
    key_env: str | None = None
    prefill: bool | None = None
    usage: bool = True
    scores: bool = False
    temperature: float | None = None
    seed: int | None = None
    connect_timeout: float = 10.0
    read_timeout: float = 120.0
    attempts: int = 6

    def as_dict(self) -> dict[str, Any]:
        """What is stored with a run; there is no key in it."""
        return {f.name: getattr(self, f.name) for f in fields(self)}


def from_table(table: Mapping[str, Any]) -> ModelSettings:
    """Settings from a table of an experiment file. Raises UsageError for an unknown key, a
    missing model or a value of the wrong kind, and what `check` raises."""
    known = {f.name: f.type for f in fields(ModelSettings)}
    for name, value in table.items():
        if name not in known:
            raise UsageError(f"[model]: unknown key '{name}'", hint=f"known: {', '.join(known)}")
        wanted = str(known[name])
        number = isinstance(value, int | float) and not isinstance(value, bool)
        fits = (
            (isinstance(value, str) and "str" in wanted)
            or (isinstance(value, bool) and "bool" in wanted)
            or (isinstance(value, int) and number and "int" in wanted)
            or (number and "float" in wanted)
        )
        if not fits:
            raise UsageError(f"[model]: '{name}' is not of the kind {wanted}", hint="see its value")
    if not table.get("model"):
        raise UsageError("[model]: no model", hint='model = "NAME", as the endpoint calls it')
    settings = ModelSettings(**table)
    check(settings)
    return settings


def check(settings: ModelSettings) -> None:
    """Raise UsageError for an unknown kind, a number out of its range, or a base URL that is none
    or holds a secret: before anything of it is stored."""
    from verulaw_gate.agent.endpoint import check_url

    if settings.client not in KINDS:
        raise UsageError(f"no client '{settings.client}'", hint=f"one of: {', '.join(KINDS)}")
    if settings.base_url is not None:
        check_url(settings.base_url, has_key=False)
    timeouts = (settings.read_timeout, settings.connect_timeout)
    if settings.attempts < 1 or not all(0 < seconds < inf for seconds in timeouts):
        raise UsageError("timeouts and the number of tries are above 0")
    if settings.temperature is not None and not 0 <= settings.temperature < inf:
        raise UsageError("the temperature is a number not below 0")


def make_client(settings: ModelSettings) -> HttpClient:
    """The client. Raises UsageError for an unknown kind, a number out of its range, a base URL
    that is none, or a `key_env` that is not set."""
    from verulaw_gate.agent.anthropic import AnthropicMessages
    from verulaw_gate.agent.endpoint import Endpoint, Retry
    from verulaw_gate.agent.openai import make_openai

    check(settings)
    base_url, key_env = KINDS[settings.client]
    endpoint = Endpoint(
        base_url=base_url if settings.base_url is None else settings.base_url,
        model=settings.model,
        key_env=_key_env(settings, key_env),
        connect_timeout=settings.connect_timeout,
        read_timeout=settings.read_timeout,
        retry=Retry(attempts=settings.attempts),
        temperature=settings.temperature,
        seed=settings.seed,
    )
    if settings.client == "anthropic" and not settings.scores:
        return AnthropicMessages(endpoint, prefill=settings.prefill is not False)
    return make_openai(
        settings.client,
        endpoint,
        prefill=settings.prefill,
        usage=settings.usage,
        scores=settings.scores,
    )


def _key_env(settings: ModelSettings, own: str) -> str:
    if settings.key_env:
        if not environ.get(settings.key_env, "").strip():
            raise UsageError(
                f"the environment variable {settings.key_env} holds no key",
                hint=f"export {settings.key_env}=..., or leave key_env out where none is needed",
            )
        return settings.key_env
    if settings.key_env == "":
        return ""
    return own if settings.base_url is None else ""
