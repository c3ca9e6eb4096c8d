"""Calls to success with censoring and a competing event.

A loop that runs out of budget is censored, not dropped. A loop that ends in a cheat, or in
another budget than that of the endpoint, can no longer succeed honestly within the stated
budgets: both are competing events. They stay in the risk set until the budget (the
subdistribution of Fine and Gray 1999, exact here because the budget, hence the censoring time, is
known), so 1 - S(k) is the cumulative incidence of honest success. Were they censored where they
ended, an arm that sends little to Verus would look cheap for failing early. The estimator is
Kaplan and Meier 1958 on that risk set.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum


class Ending(StrEnum):
    """How a loop ended. exhausted: another of the stated budgets ran out first, so there is no
    honest success within the stated budgets at any cost. censored: what would have followed is
    not known (this endpoint's own budget, the end of a log, a failed endpoint)."""

    SUCCESS = "success"
    CHEAT = "cheat"
    EXHAUSTED = "exhausted"
    CENSORED = "censored"


@dataclass(frozen=True, slots=True)
class Duration:
    """One loop: `time` is the cost (executions, generations, seconds ...) at its ending, and
    `budget` the cost at which it would have been stopped (>= time; None: not known)."""

    time: float
    ending: Ending
    budget: float | None = None

    def __post_init__(self) -> None:
        if self.time < 0 or (self.budget is not None and self.budget < self.time):
            raise ValueError(f"a loop of {self.time} does not fit a budget of {self.budget}")


@dataclass(frozen=True, slots=True)
class Curve:
    """S(t) = share of loops without an honest success at cost t: a right-continuous step
    function. `follow_up`: the largest cost up to which it is known."""

    times: tuple[float, ...]
    survival: tuple[float, ...]
    follow_up: float
    loops: int
    successes: int

    def at(self, time: float) -> float | None:
        """S(time); None past the follow-up."""
        if time > self.follow_up:
            return None
        row = bisect_right(self.times, time)
        return self.survival[row - 1] if row else 1.0

    def solved_within(self, time: float) -> float | None:
        """Estimated share of loops with an honest success at a cost of at most `time`."""
        left = self.at(time)
        return None if left is None else 1.0 - left

    def restricted_mean(self, tau: float) -> float | None:
        """Mean cost to honest success, each loop cut at `tau`: the area under S up to `tau`.
        None past the follow-up."""
        if tau > self.follow_up:
            return None
        area, left, start = 0.0, 1.0, 0.0
        for time, value in zip(self.times, self.survival, strict=True):
            if time >= tau:
                break
            area += left * (time - start)
            left, start = value, time
        return area + left * (tau - start)


def curve(durations: Iterable[Duration]) -> Curve | None:
    """The Kaplan-Meier curve of honest success; None without loops.

    A competing event without a known budget stays at risk up to the largest cost seen.
    """
    from scipy.stats import CensoredData, ecdf

    loops: Sequence[Duration] = tuple(durations)
    if not loops:
        return None
    horizon = max(d.time if d.budget is None else d.budget for d in loops)
    events = [d.time for d in loops if d.ending is Ending.SUCCESS]
    censored = [_censoring_time(d, horizon) for d in loops if d.ending is not Ending.SUCCESS]
    last = max([*censored, *events])
    # After the last success with nobody left at risk, S is 0 for good and known at every cost.
    open_ended = bool(censored) and max(censored) >= max(events, default=0.0)
    follow_up = float(last if open_ended else horizon)
    if not events:
        return Curve((), (), follow_up, len(loops), 0)
    found = ecdf(CensoredData(uncensored=events, right=censored)).sf
    steps = [
        (float(t), float(s))
        for t, s in zip(found.quantiles, found.probabilities, strict=True)
        if t in set(events)
    ]
    return Curve(
        tuple(t for t, _ in steps), tuple(s for _, s in steps), follow_up, len(loops), len(events)
    )


def _censoring_time(loop: Duration, horizon: float) -> float:
    if loop.ending is not Ending.CENSORED:
        return horizon if loop.budget is None else loop.budget
    return loop.time


def common_tau(curves: Sequence[Curve], budget: float | None = None) -> float | None:
    """The largest cost at which all curves are known, at most the stated budget."""
    if not curves:
        return None
    known = min(c.follow_up for c in curves)
    return known if budget is None else min(known, budget)
