"""The client protocol: what the loop asks of a language model and what it hears.

A *generation* is one model answer. An HTTP retry, or a continuation of the same answer by a
prefix, is not a new one.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol as TypingProtocol


class Role(StrEnum):
    """Who said a message of the prompt."""

    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the conversation."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """What the model is given. `prefill` is the beginning of its own answer, which it is to
    continue: only a client whose capabilities say `prefill` takes a prompt with one."""

    system: str
    messages: tuple[Message, ...]
    prefill: str = ""

    def with_prefill(self, prefill: str) -> Prompt:
        """The same prompt with another beginning of the answer."""
        return Prompt(self.system, self.messages, prefill)

    @property
    def characters(self) -> int:
        """Characters of everything in the prompt."""
        return len(self.system) + sum(len(m.content) for m in self.messages) + len(self.prefill)


class FinishReason(StrEnum):
    """Why the answer ended: the model was done, a stop sequence, the token limit, a content
    filter or refusal, or the server did not say."""

    END = "end"
    STOP_SEQUENCE = "stop-sequence"
    LENGTH = "length"
    FILTERED = "filtered"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Usage:
    """Token counts as the server states them; None is "not stated", never zero."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None

    @classmethod
    def stated(cls, prompt: object, completion: object) -> Usage:
        """Of values as they come from a server: what is no count is not stated."""

        def count(value: object) -> int | None:
            fits = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53
            return int(value) if fits and isinstance(value, int) else None

        return cls(count(prompt), count(completion))

    def updated(self, later: Usage | None) -> Usage:
        """This with what a later report of the same answer states."""
        if later is None:
            return self
        return Usage(
            self.prompt_tokens if later.prompt_tokens is None else later.prompt_tokens,
            self.completion_tokens if later.completion_tokens is None else later.completion_tokens,
        )


@dataclass(frozen=True, slots=True)
class Finish:
    """The end of an answer. `stop` is the stop sequence that matched, where the server says it;
    it is not part of the text."""

    reason: FinishReason
    stop: str | None = None


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of the answer. `logprobs` are those of its tokens (natural logarithm), where the
    server gives them. `request` numbers the HTTP requests of this answer from 1: more than one
    means retries or continuations. Only the last chunk has a `finish`."""

    text: str = ""
    logprobs: tuple[float, ...] | None = None
    usage: Usage | None = None
    finish: Finish | None = None
    request: int = 1

    @property
    def said(self) -> str:
        """The text with the stop sequence that matched: the model did write it."""
        stop = None if self.finish is None else self.finish.stop
        return self.text + (stop or "")


@dataclass(frozen=True, slots=True)
class Score:
    """How likely a text is after a prompt: the log-probability (natural) of each of its tokens."""

    logprobs: tuple[float, ...]

    @property
    def total(self) -> float:
        """The log-probability of the whole text."""
        return sum(self.logprobs)

    def normalised(self, alpha: float) -> float:
        """sum log p / ((5 + |y|)^alpha / (5 + 1)^alpha), |y| in tokens: the length penalty of
        Wu et al. 2016 as PASS uses it (Crouse et al. 2023). With alpha 0 the plain sum."""
        penalty: float = (5 + len(self.logprobs)) ** alpha / (5 + 1) ** alpha
        return self.total / penalty


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a client can do. What it cannot is worked around in the open: without `prefill` a
    correction is given as feedback; where a stop sequence is not reported, none is sent and the
    stream is watched for the marker instead; without `score` PASS chooses by a setting."""

    prefill: bool = False
    logprobs: bool = False
    stop: bool = False
    reports_stop: bool = False
    score: bool = False


class Client(TypingProtocol):
    """A language model."""

    @property
    def name(self) -> str:
        """Which client and model, for records; never holds a secret."""

    @property
    def capabilities(self) -> Capabilities:
        """What this client can do."""

    def stream(
        self, prompt: Prompt, *, stop: Sequence[str] = (), max_tokens: int = 4096
    ) -> AsyncGenerator[Chunk, None]:
        """The answer, piece by piece. Closing the generator closes the connection, so that the
        server stops generating. Raises ClientError; UsageError for a prompt with a prefill that
        the client cannot take."""

    async def score(self, prompt: Prompt, text: str) -> Score:
        """How likely `text` is as the answer to `prompt`. Raises ClientError; UsageError when
        the client has no `score`."""

    async def aclose(self) -> None:
        """Let go of connections. May be called twice."""


@dataclass(slots=True)
class TokenCount:
    """Tokens of one or more answers. `measured` are those that a server stated; `estimated` are
    ours, for answers whose count was not stated (stopped early, or a server that is silent):
    one for each `CHARACTERS_PER_TOKEN` characters; `silent` is how many those were. Budgets use
    the sum; records keep both."""

    measured: int = 0
    estimated: int = 0
    silent: int = 0

    @property
    def total(self) -> int:
        """Measured and estimated together."""
        return self.measured + self.estimated

    @property
    def stated(self) -> int | None:
        """The count as the server has it; None unless it counted everything."""
        return None if self.silent else self.measured

    def add(self, stated: int | None, characters: int) -> None:
        """Count one answer or prompt."""
        if stated is None:
            self.estimated += estimate_tokens(characters)
            self.silent += 1
        else:
            self.measured += stated


CHARACTERS_PER_TOKEN = 3.5
"""A rough figure for code and English under common tokenisers; only for estimates."""


def estimate_tokens(characters: int) -> int:
    """Our estimate of the tokens in so many characters, rounded up."""
    return int(-(-characters // CHARACTERS_PER_TOKEN))


@dataclass(frozen=True, slots=True)
class Price:
    """What tokens cost, in any one currency for a million tokens."""

    prompt_per_million: float
    completion_per_million: float

    def cost(self, prompt_tokens: int, completion_tokens: int) -> float:
        """The price of so many tokens."""
        return (
            prompt_tokens * self.prompt_per_million
            + completion_tokens * self.completion_per_million
        ) / 1_000_000


@dataclass(slots=True)
class Answer:
    """A whole answer, put together from its chunks. Of an answer that was cut and taken up again
    no server states all counts: its `usage` is empty, and `restarts` has the length that it had
    each time."""

    text: str = ""
    usage: Usage = field(default_factory=Usage)
    logprobs: tuple[float, ...] | None = None
    finish: Finish | None = None
    requests: int = 0
    restarts: list[int] = field(default_factory=list)

    def add(self, chunk: Chunk) -> None:
        """Take in the next chunk."""
        if self.text and chunk.request > self.requests:
            self.restarts.append(len(self.text))
        self.text += chunk.text
        self.usage = Usage() if self.restarts else self.usage.updated(chunk.usage)
        if chunk.logprobs is not None:
            self.logprobs = (self.logprobs or ()) + chunk.logprobs
        self.finish = chunk.finish or self.finish
        self.requests = max(self.requests, chunk.request)


async def collect(
    client: Client, prompt: Prompt, *, stop: Sequence[str] = (), max_tokens: int = 4096
) -> Answer:
    """Stream an answer to its end and return it whole. Raises what `stream` raises."""
    answer = Answer()
    async for chunk in client.stream(prompt, stop=stop, max_tokens=max_tokens):
        answer.add(chunk)
    return answer
