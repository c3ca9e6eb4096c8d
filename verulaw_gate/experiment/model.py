"""What the parts of an experiment hand to each other.

`episode.run_episode` owns an episode: it resumes from what is stored, asks its `Stepper` for one
generation at a time, judges, stores, and ends the episode by success, cheat or budget. A stepper
makes one generation: `live.py` has the one that asks a model; replays need none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol as TypingProtocol

from verulaw_gate.record.events import Arm, Budget, Event
from verulaw_gate.tasks.model import Task

CUT_BY = {
    "the time budget of the episode ended": Budget.SECONDS,
    "the token budget of the episode ended": Budget.TOKENS,
    "the money budget of the episode ended": Budget.MONEY,
}
"""The `stop_reason` of a generation that was cut off because a budget of its episode ended, and
which one that was."""
CUT_REASONS = {budget: reason for reason, budget in CUT_BY.items()}


class OutOfBudget(Exception):
    """A stepper's answer where what is left of `budget` does not cover another generation: none
    was begun, nothing was asked."""

    def __init__(self, budget: Budget) -> None:
        super().__init__(f"the {budget} budget does not cover another generation")
        self.budget = budget


@dataclass(frozen=True, slots=True)
class Budgets:
    """When an episode is censored. None: no such limit. `executions` counts what the loop sends
    to Verus (a cheap no may still use a generation); `seconds` are model and Verus time added up,
    so that a resumed episode has the same clock."""

    generations: int = 5
    executions: int | None = None
    seconds: float | None = None
    tokens: int | None = None
    cost_usd: float | None = None


@dataclass(frozen=True, slots=True)
class EpisodeSpec:
    """One sample of one task under one arm. `seed` is drawn from the run's seed and this place,
    so that it is the same after a restart and under any executor."""

    task: Task
    arm: Arm
    sample: int
    seed: int
    budgets: Budgets


@dataclass(frozen=True, slots=True)
class GenerationRecord:
    """The events of one generation, in order, and the texts that they name by sha256.

    The stepper gives everything from `generation` to `generation-closed`; the judgement (and its
    strict verification) is put before `generation-closed` by the episode.
    """

    events: tuple[Event, ...]
    texts: dict[str, str] = field(default_factory=dict)


TextOf = Callable[[str], str | None]
"""A stored text by its sha256, None when it is not stored."""


class Stepper(TypingProtocol):
    """Makes the next generation of an episode from what is stored of it.

    Nothing is kept between calls: whatever the conversation needs is in `history` (every stored
    event of the episode's earlier generations, in order) and the texts it names. So a killed run
    goes on in another process as if nothing had happened.
    """

    def __call__(
        self, spec: EpisodeSpec, history: Sequence[GenerationRecord], text_of: TextOf
    ) -> GenerationRecord:
        """The next generation: number `len(history) + 1`. Raises OutOfBudget."""
