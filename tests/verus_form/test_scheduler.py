"""The verified batching of actions against the Python scheduler."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from verulaw_gate.agent.schedule import Resources, waits_for

PLANS = 3_000


def _levels(waits: Sequence[Sequence[int]]) -> list[list[int]]:
    """The earliest round in which each action may run, when each round waits for the one before."""
    level: list[int] = []
    for earlier in waits:
        level.append(1 + max((level[i] for i in earlier), default=-1))
    return [[i for i, at in enumerate(level) if at == n] for n in range(max(level, default=-1) + 1)]


def test_the_python_scheduler_waits_exactly_as_the_verified_batches(
    ask: Callable[[Sequence[str]], list[str]],
) -> None:
    rng = random.Random("plans")
    plans = []
    for _ in range(PLANS):
        pool = [str(n) for n in range(rng.randint(1, 6))]
        plans.append(
            [
                Resources(
                    frozenset(rng.sample(pool, rng.randint(0, min(2, len(pool))))),
                    frozenset(rng.sample(pool, rng.choice([0, 0, 1]))),
                )
                for _ in range(rng.randint(1, 9))
            ]
        )
    requests = [
        " ".join(
            [
                "batches",
                *(f"{','.join(sorted(a.reads))}/{','.join(sorted(a.writes))}" for a in plan),
            ]
        )
        for plan in plans
    ]
    several = 0
    for plan, answer in zip(plans, ask(requests), strict=True):
        verified = [[int(i) for i in batch.split(",")] for batch in answer.split(" ")]
        assert _levels(waits_for(plan)) == verified, plan
        several += 1 < len(verified) < len(plan)
    assert several > PLANS / 5
