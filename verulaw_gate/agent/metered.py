"""What the requests of a generation cost, and keeping them within what is left of a budget.

A `MeteredClient` stands before the real one, so that nothing is asked past the meter: turns,
continuations, summaries, scores; and what a cancelled or failed request had cost until then is
counted as well.
"""

from __future__ import annotations

import math
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from time import perf_counter

from verulaw_gate.agent.errors import (
    BudgetEnded,
    ClientBusy,
    ClientServerFault,
    ClientUnreachable,
)
from verulaw_gate.agent.model import (
    CHARACTERS_PER_TOKEN,
    Answer,
    Capabilities,
    Chunk,
    Client,
    Price,
    Prompt,
    Score,
    TokenCount,
)
from verulaw_gate.errors import ClientError

_REFUSALS = (ClientUnreachable, ClientBusy, ClientServerFault)
"""What an endpoint says that has not read the prompt: no tokens are stated, none are estimated."""


@dataclass(slots=True)
class Meter:
    """Costs so far, and what they may come to.

    `tokens` and `money` are what is left of the budgets (None: no such budget; `money` needs
    `price`). `characters_per_token` is how prompts are estimated before they are sent.
    `prompts` counts what was asked, `requests` the HTTP requests for it; `answer_chars` what came
    back, rejected text included; `seconds` is the time
    spent waiting for the model. `short` names the budget that last made the limit of a request
    lower than the one asked for (empty: none did).
    """

    tokens: int | None = None
    money: float | None = None
    price: Price | None = None
    characters_per_token: float = CHARACTERS_PER_TOKEN
    prompts: int = 0
    requests: int = 0
    prompt_chars: int = 0
    answer_chars: int = 0
    prompt_tokens: TokenCount = field(default_factory=TokenCount)
    completion_tokens: TokenCount = field(default_factory=TokenCount)
    seconds: float = 0.0
    short: str = ""

    @property
    def cost(self) -> float | None:
        """In the currency of the price; None without one. Estimated tokens count as others."""
        if self.price is None:
            return None
        return self.price.cost(self.prompt_tokens.total, self.completion_tokens.total)

    def limit(self, prompt_chars: int, wanted: int) -> int:
        """How many of `wanted` tokens an answer to a prompt may have within the budgets. Raises
        BudgetEnded when they do not cover the prompt and one token."""
        given = math.ceil(prompt_chars / self.characters_per_token)
        allowed = wanted
        if self.tokens is not None:
            spent = self.prompt_tokens.total + self.completion_tokens.total
            allowed = self._lower(allowed, self.tokens - spent - given, "tokens")
        if self.money is not None and self.price is not None:
            left = self.money - (self.cost or 0.0) - self.price.cost(given, 0)
            one = self.price.cost(0, 1)
            if one > 0:
                allowed = self._lower(allowed, math.floor(min(left / one, allowed)), "money")
            elif left < 0:
                allowed = self._lower(allowed, 0, "money")
        return allowed

    def _lower(self, allowed: int, left: int, budget: str) -> int:
        if left >= allowed:
            return allowed
        self.short = budget
        if left < 1:
            raise BudgetEnded(
                f"what is left of the budget ({budget}) does not cover the next request",
                hint=f"a larger --{budget}",
            )
        return left


class MeteredClient:
    """A client whose requests go by a meter."""

    def __init__(self, inner: Client, meter: Meter) -> None:
        self._inner, self._meter = inner, meter

    @property
    def name(self) -> str:
        """The name of the client inside."""
        return self._inner.name

    @property
    def capabilities(self) -> Capabilities:
        """Those of the client inside."""
        return self._inner.capabilities

    async def stream(
        self, prompt: Prompt, *, stop: Sequence[str] = (), max_tokens: int = 4096
    ) -> AsyncGenerator[Chunk, None]:
        """The answer of the client inside, at most as long as the budgets allow. Raises
        BudgetEnded instead of asking for one that they do not cover."""
        meter = self._meter
        limit = meter.limit(prompt.characters, max_tokens)
        answer, reached = Answer(), True
        waiting: float | None = perf_counter()
        try:
            async with aclosing(self._inner.stream(prompt, stop=stop, max_tokens=limit)) as chunks:
                async for chunk in chunks:
                    answer.add(chunk)
                    meter.seconds += perf_counter() - (waiting or 0.0)
                    waiting = None
                    yield chunk
                    waiting = perf_counter()
        except ClientError as error:
            answer.requests = max(answer.requests, error.requests)
            reached = bool(answer.text) or not isinstance(error, _REFUSALS)
            raise
        finally:
            if waiting is not None:
                meter.seconds += perf_counter() - waiting
            meter.prompts += 1
            meter.requests += max(1, answer.requests)
            meter.prompt_chars += prompt.characters
            meter.answer_chars += len(answer.text)
            # A cut answer was taken up again by sending the prompt and what there was of it.
            again = sum(prompt.characters + length for length in answer.restarts)
            read = prompt.characters + again if reached else 0
            meter.prompt_tokens.add(answer.usage.prompt_tokens, read)
            stated = None if answer.finish is None else answer.usage.completion_tokens
            meter.completion_tokens.add(stated, len(answer.text))

    async def score(self, prompt: Prompt, text: str) -> Score:
        """The score of the client inside. It reads prompt and text, writes nothing, and no server
        states what it read."""
        meter = self._meter
        read = prompt.characters + len(text)
        meter.limit(read, 1)
        begun = perf_counter()
        try:
            return await self._inner.score(prompt, text)
        finally:
            meter.seconds += perf_counter() - begun
            meter.prompts += 1
            meter.requests += 1
            meter.prompt_chars += read
            meter.prompt_tokens.add(None, read)

    async def aclose(self) -> None:
        """Close the client inside."""
        await self._inner.aclose()
