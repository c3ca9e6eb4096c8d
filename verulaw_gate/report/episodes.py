"""Episodes of the arms of a live run as durations to honest success."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from verulaw_gate.record.events import Budget, EpisodeClosed, EpisodeResult
from verulaw_gate.report.facts import RunFacts
from verulaw_gate.report.resampling import (
    bootstrap_tasks,
    cluster_bootstrap,
    paired_bootstrap,
)
from verulaw_gate.report.statistics import Interval
from verulaw_gate.report.survival import Curve, Duration, Ending, curve


class Endpoint(StrEnum):
    """The two co-primary costs to the first honest success."""

    EXECUTIONS = "executions"
    GENERATIONS = "generations"


@dataclass(frozen=True, slots=True)
class Episode:
    """One closed episode."""

    task: str
    arm: str
    sample: int
    end: EpisodeClosed

    @property
    def solved(self) -> bool:
        """Whether it ended in an honest success."""
        return self.end.result is EpisodeResult.HONEST_SUCCESS


def episodes_of(run: RunFacts) -> list[Episode]:
    """All closed episodes in order of task, arm and sample."""
    return [Episode(*place, end) for place, end in sorted(run.episodes.items())]


def budget_of(run: RunFacts, endpoint: Endpoint) -> float | None:
    """The stated budget of an endpoint. A generation makes at most one execution of its loop, so
    the budget of generations bounds executions too. None: none was stated."""
    stated = run.started.config.get("budgets")
    if not isinstance(stated, dict):
        return None
    names = {
        Endpoint.GENERATIONS: ("generations",),
        Endpoint.EXECUTIONS: ("executions", "generations"),
    }[endpoint]
    known = [float(v) for n in names if isinstance(v := stated.get(n), int | float)]
    return min(known) if known else None


_OWN = {Endpoint.EXECUTIONS: Budget.EXECUTIONS, Endpoint.GENERATIONS: Budget.GENERATIONS}
_UNKNOWN = (Budget.LOG_ENDED, Budget.MODEL_ERROR, None)


def duration(episode: Episode, endpoint: Endpoint, budget: float | None) -> Duration:
    """What one episode cost and how it ended, seen from one endpoint."""
    end = episode.end
    cost = float(end.executions if endpoint is Endpoint.EXECUTIONS else end.generations)
    limit = None if budget is None else max(budget, cost)
    if end.result is EpisodeResult.HONEST_SUCCESS:
        return Duration(cost, Ending.SUCCESS, limit)
    if end.result is EpisodeResult.CHEAT:
        return Duration(cost, Ending.CHEAT, limit)
    if end.result is EpisodeResult.UNJUDGED:
        # Verified, and nobody can say whether honestly: unknown from here on.
        return Duration(cost, Ending.CENSORED, limit)
    if end.censored_by is _OWN[endpoint] or end.censored_by in _UNKNOWN:
        return Duration(cost, Ending.CENSORED, limit)
    return Duration(cost, Ending.EXHAUSTED, limit)


def arm_curve(
    episodes: Sequence[Episode], endpoint: Endpoint, budget: float | None
) -> Curve | None:
    """The curve of one arm; None without episodes."""
    return curve(duration(e, endpoint, budget) for e in episodes)


def by_task(episodes: Sequence[Episode]) -> dict[str, list[Episode]]:
    """Episodes by task."""
    found: dict[str, list[Episode]] = {}
    for episode in episodes:
        found.setdefault(episode.task, []).append(episode)
    return found


def _cut_costs(
    episodes: Sequence[Episode], endpoint: Endpoint, budget: float | None, tau: float
) -> dict[str, tuple[float, int]] | None:
    """Sum and number of costs cut at `tau`, by task; None when a loop is censored before `tau`.

    Without such a loop the restricted mean is the plain mean of these.
    """
    found: dict[str, tuple[float, int]] = {}
    for episode in episodes:
        spent = duration(episode, endpoint, budget)
        if spent.ending is Ending.CENSORED and spent.time < tau:
            return None
        cost = min(spent.time, tau) if spent.ending is Ending.SUCCESS else tau
        before, count = found.get(episode.task, (0.0, 0))
        found[episode.task] = (before + cost, count + 1)
    return found


def mean_interval(
    episodes: Sequence[Episode], endpoint: Endpoint, budget: float | None, tau: float
) -> Interval | None:
    """Bootstrap interval by task of the restricted mean of one arm."""
    costs = _cut_costs(episodes, endpoint, budget, tau)
    if costs is not None:
        return cluster_bootstrap(costs)
    tasks = by_task(episodes)

    def statistic(names: Sequence[str]) -> float | None:
        drawn = arm_curve([e for name in names for e in tasks[name]], endpoint, budget)
        return None if drawn is None else drawn.restricted_mean(tau)

    return bootstrap_tasks(list(tasks), statistic, resamples=1000)


def solved_interval(
    episodes: Sequence[Episode], endpoint: Endpoint, budget: float | None, k: float
) -> Interval | None:
    """Bootstrap interval by task of the share solved at a cost of at most `k`."""
    if _cut_costs(episodes, endpoint, budget, k) is not None:
        counts = {
            task: (float(sum(_within(e, endpoint, k) for e in group)), len(group))
            for task, group in by_task(episodes).items()
        }
        return cluster_bootstrap(counts)
    tasks = by_task(episodes)

    def statistic(names: Sequence[str]) -> float | None:
        drawn = arm_curve([e for name in names for e in tasks[name]], endpoint, budget)
        return None if drawn is None else drawn.solved_within(k)

    return bootstrap_tasks(list(tasks), statistic, resamples=400)


def _within(episode: Episode, endpoint: Endpoint, k: float) -> bool:
    end = episode.end
    cost = end.executions if endpoint is Endpoint.EXECUTIONS else end.generations
    return episode.solved and cost <= k


def difference_interval(
    first: Sequence[Episode],
    second: Sequence[Episode],
    endpoint: Endpoint,
    budget: float | None,
    tau: float,
) -> Interval | None:
    """Bootstrap interval of the difference of restricted means (second minus first), drawing
    tasks that both arms have: the pairing by task is kept."""
    costs = [_cut_costs(group, endpoint, budget, tau) for group in (first, second)]
    one, two = by_task(first), by_task(second)
    shared = sorted(set(one) & set(two))
    if costs[0] is not None and costs[1] is not None:
        return paired_bootstrap({t: (*costs[0][t], *costs[1][t]) for t in shared})

    def statistic(names: Sequence[str]) -> float | None:
        means = []
        for tasks in (one, two):
            drawn = arm_curve([e for name in names for e in tasks[name]], endpoint, budget)
            means.append(None if drawn is None else drawn.restricted_mean(tau))
        return None if means[0] is None or means[1] is None else means[1] - means[0]

    return bootstrap_tasks(shared, statistic, resamples=1000)
