"""Runs put together: self-consistency, and the hybrids of Crouse et al. 2023, section 4.

A hybrid asks the cheap way first (several samples without an agent) and starts the agent only when
no answer repeats.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from verulaw_gate.agent.runner import AgentRun
from verulaw_gate.errors import UsageError

Sample = Callable[[int], Awaitable[AgentRun]]
"""Makes one run; the number of the sample (from 0) is for seeds."""


@dataclass(frozen=True, slots=True)
class Voted:
    """The most frequent answer of several runs. `votes` counts each distinct answer, in order of
    first appearance; runs without an answer are in `silent`. `answer` is None when all were. Of
    answers with equal votes the first one counts. `agreed`: some answer came at least twice."""

    answer: str | None
    votes: tuple[tuple[str, int], ...]
    silent: int
    agreed: bool
    runs: tuple[AgentRun, ...]
    agent: AgentRun | None = None


def plain(answer: str) -> str:
    """What makes two answers the same: case, blanks and a final stop do not count."""
    return " ".join(answer.split()).rstrip(".").casefold()


async def self_consistency(sample: Sample, k: int, *, same: Callable[[str], str] = plain) -> Voted:
    """Make `k` runs and take the most frequent answer (Wang et al. 2022). Raises UsageError for
    k below 1."""
    if k < 1:
        raise UsageError(f"{k} samples", hint="at least 1")
    runs = [await sample(number) for number in range(k)]
    counts: Counter[str] = Counter()
    first: dict[str, str] = {}
    for run in runs:
        if run.answer is not None:
            key = same(run.answer)
            counts[key] += 1
            first.setdefault(key, run.answer)
    votes = tuple((first[key], counts[key]) for key in first)
    best = max(first, key=lambda key: counts[key], default=None)
    return Voted(
        answer=None if best is None else first[best],
        votes=votes,
        silent=sum(run.answer is None for run in runs),
        agreed=best is not None and counts[best] > 1,
        runs=tuple(runs),
    )


async def hybrid(
    sample: Sample,
    agent: Callable[[], Awaitable[AgentRun]],
    k: int,
    *,
    same: Callable[[str], str] = plain,
) -> Voted:
    """`k` samples first; the agent only when no answer repeats. Its answer then counts, unless it
    has none."""
    voted = await self_consistency(sample, k, same=same)
    if voted.agreed:
        return voted
    run = await agent()
    answer = voted.answer if run.answer is None else run.answer
    return Voted(answer, voted.votes, voted.silent, voted.agreed, voted.runs, run)
