"""A client that says what it was told to say: for rehearsing a loop without a model."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass

import anyio

from verulaw_gate.agent.errors import ClientExhausted
from verulaw_gate.agent.model import (
    CHARACTERS_PER_TOKEN,
    Capabilities,
    Chunk,
    Finish,
    FinishReason,
    Prompt,
    Score,
    Usage,
    estimate_tokens,
)
from verulaw_gate.errors import ClientError, UsageError

ALL = Capabilities(prefill=True, logprobs=False, stop=True, reports_stop=True, score=True)


@dataclass(frozen=True, slots=True)
class Line:
    """One scripted answer. `error` is raised after the text. `finish` overrides how it ends."""

    text: str
    error: ClientError | None = None
    finish: Finish | None = None


def cut_at_stop(text: str, stop: Sequence[str]) -> tuple[str, str | None]:
    """The text before the first stop sequence in it, and which one that was. Of two at the same
    place the longer one counts."""
    found = [(text.find(s), -len(s), s) for s in stop if s and s in text]
    if not found:
        return text, None
    at, _, which = min(found)
    return text[:at], which


class ScriptedClient:
    """Answers from a list, in order, cut into chunks of `chunk` characters.

    Stop sequences and `max_tokens` (at `estimate_tokens`) are honoured as a server would.
    `remaining_chars` says how much of the last answer was never asked for. `scorer(prompt, text)`
    gives log-probabilities; without one the client has no `score`. `pause` seconds lie between
    chunks.
    """

    def __init__(
        self,
        lines: Sequence[str | Line],
        *,
        chunk: int = 7,
        capabilities: Capabilities = ALL,
        scorer: Callable[[Prompt, str], Sequence[float]] | None = None,
        pause: float = 0.0,
        name: str = "scripted",
    ) -> None:
        if chunk < 1:
            raise UsageError(f"chunk is {chunk}: an answer is cut into pieces of at least 1")
        self._lines = [Line(line) if isinstance(line, str) else line for line in lines]
        self._chunk, self._pause, self._scorer, self._name = chunk, pause, scorer, name
        self._capabilities = Capabilities(
            prefill=capabilities.prefill,
            stop=capabilities.stop,
            reports_stop=capabilities.reports_stop,
            score=capabilities.score and scorer is not None,
        )
        self.prompts: list[Prompt] = []
        self.stops: list[tuple[str, ...]] = []
        self.remaining_chars = 0

    @property
    def name(self) -> str:
        """The name given."""
        return self._name

    @property
    def capabilities(self) -> Capabilities:
        """As given, `score` only with a scorer."""
        return self._capabilities

    async def stream(
        self, prompt: Prompt, *, stop: Sequence[str] = (), max_tokens: int = 4096
    ) -> AsyncGenerator[Chunk, None]:
        """The next line of the script. Raises ClientExhausted after the last."""
        if prompt.prefill and not self._capabilities.prefill:
            raise UsageError(f"{self._name} cannot continue a given beginning")
        if len(self.prompts) >= len(self._lines):
            raise ClientExhausted(
                f"the script has {len(self._lines)} answers and was asked for one more",
                hint="give the script more answers or the loop fewer attempts",
            )
        line = self._lines[len(self.prompts)]
        self.prompts.append(prompt)
        self.stops.append(tuple(stop))
        text, matched = cut_at_stop(line.text, stop if self._capabilities.stop else ())
        reason = FinishReason.END if matched is None else FinishReason.STOP_SEQUENCE
        if estimate_tokens(len(text)) > max_tokens:
            text = text[: int(max_tokens * CHARACTERS_PER_TOKEN)]
            matched, reason = None, FinishReason.LENGTH
        self.remaining_chars = len(text)
        for at in range(0, len(text), self._chunk):
            if self._pause:
                await anyio.sleep(self._pause)
            piece = text[at : at + self._chunk]
            self.remaining_chars -= len(piece)
            yield Chunk(piece)
        if line.error is not None:
            raise line.error
        usage = Usage(estimate_tokens(prompt.characters), estimate_tokens(len(text)))
        if not self._capabilities.reports_stop:
            matched = None
        yield Chunk(usage=usage, finish=line.finish or Finish(reason, matched))

    async def score(self, prompt: Prompt, text: str) -> Score:
        """What the scorer says."""
        if self._scorer is None:
            raise UsageError(f"{self._name} has no scores")
        return Score(tuple(self._scorer(prompt, text)))

    async def aclose(self) -> None:
        """Nothing to let go of."""
