"""Which actions may run at the same time, and running them.

Two actions are independent when their declared resources do not conflict: neither writes what
the other reads or writes. Conflicting actions run in the order of the plan.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import anyio

from verulaw_gate.errors import VerulawError


@dataclass(frozen=True, slots=True)
class Resources:
    """What an action reads and writes, by name. `private` are kinds of writing that nobody else
    can see (a child process in a directory of its own); they are declared, and conflict with
    nothing."""

    reads: frozenset[str] = frozenset()
    writes: frozenset[str] = frozenset()
    private: frozenset[str] = frozenset()

    def conflicts(self, other: Resources) -> bool:
        """Whether the order of the two matters."""
        return bool(
            self.writes & other.writes or self.reads & other.writes or self.writes & other.reads
        )


class Status(StrEnum):
    """What became of an action: it returned, it failed, or its time was up."""

    RETURNED = "returned"
    FAILED = "failed"
    TIMED_OUT = "timed-out"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one action. A failure is a result too: `text` says what went wrong.
    `started` and `ended` number the starts and ends of the whole group in order."""

    status: Status
    text: str
    started: int
    ended: int


def waits_for(resources: Sequence[Resources]) -> tuple[tuple[int, ...], ...]:
    """For each action the earlier ones that it must wait for: those it conflicts with."""
    return tuple(
        tuple(i for i in range(j) if resources[i].conflicts(later))
        for j, later in enumerate(resources)
    )


async def run_group(
    actions: Sequence[tuple[Resources, Callable[[], Awaitable[str]]]],
    *,
    at_once: int = 8,
    seconds: float = 60.0,
) -> tuple[Outcome, ...]:
    """Run a group of actions and return their outcomes in the order of the plan.

    At most `at_once` run at a time, each for at most `seconds` (waiting for others not counted).
    An action that raises VerulawError, OSError or ValueError has failed; any other error is a bug
    and ends the group.
    """
    before = waits_for([resources for resources, _ in actions])
    done = [anyio.Event() for _ in actions]
    outcomes: list[Outcome | None] = [None] * len(actions)
    limiter = anyio.CapacityLimiter(max(1, at_once))
    clock = 0

    def tick() -> int:
        nonlocal clock
        clock += 1
        return clock

    async def one(number: int) -> None:
        for earlier in before[number]:
            await done[earlier].wait()
        async with limiter:
            started = tick()
            status, text = Status.TIMED_OUT, f"no result within {seconds:g} s"
            with anyio.move_on_after(seconds):
                try:
                    text = await actions[number][1]()
                    status = Status.RETURNED
                except (VerulawError, OSError, ValueError) as error:
                    status, text = Status.FAILED, str(error)
            outcomes[number] = Outcome(status, text, started, tick())
        done[number].set()

    async with anyio.create_task_group() as group:
        for number in range(len(actions)):
            group.start_soon(one, number)
    return tuple(outcome for outcome in outcomes if outcome is not None)
