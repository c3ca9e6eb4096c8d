"""Arms against each other, paired by task: intervals for all, a test for the one primary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from verulaw_gate.report.episodes import (
    Endpoint,
    Episode,
    arm_curve,
    budget_of,
    by_task,
    difference_interval,
    duration,
)
from verulaw_gate.report.facts import RunFacts
from verulaw_gate.report.model import Cell, Figure, Row, Table
from verulaw_gate.report.resampling import within_task_permutation
from verulaw_gate.report.statistics import mcnemar
from verulaw_gate.report.survival import Ending, common_tau


@dataclass(frozen=True, slots=True)
class Primary:
    """The one comparison that the plan named before the run: `arm` against `baseline`. `endpoint`
    is `executions`, `generations` or `solved`."""

    baseline: str
    arm: str
    endpoint: str


def contrast_table(
    run: RunFacts, baseline: str, arms: dict[str, list[Episode]], primary: Primary | None
) -> Table:
    """Differences of restricted means against the baseline arm, with bootstraps by task."""
    rows = []
    for name, group in arms.items():
        if name == baseline or not group or not arms.get(baseline):
            continue
        cells: list[Cell] = [f"{name} - {baseline}"]
        shared = sorted(set(by_task(group)) & set(by_task(arms[baseline])))
        cells.append(len(shared))
        for endpoint in Endpoint:
            cells.append(_difference(run, arms[baseline], group, endpoint, shared))
        rows.append(Row(name, tuple(cells)))
    notes = ["a negative difference: the arm needs less than the baseline"]
    if primary is not None:
        notes.append(primary_sentence(run, arms, primary))
    else:
        notes.append("no primary comparison was registered before the run: intervals only")
    return Table(
        key="contrasts",
        title=f"Contrasts with arm {baseline}",
        columns=("contrast", "tasks in both", "Verus executions", "generations"),
        rows=tuple(rows),
        denominator="tasks that both arms have; restricted mean of the arm minus the baseline's",
        notes=tuple(notes),
    )


def _difference(
    run: RunFacts,
    baseline: Sequence[Episode],
    arm: Sequence[Episode],
    endpoint: Endpoint,
    shared: Sequence[str],
) -> Figure:
    budget = budget_of(run, endpoint)
    first = [e for e in baseline if e.task in shared]
    second = [e for e in arm if e.task in shared]
    one, two = arm_curve(first, endpoint, budget), arm_curve(second, endpoint, budget)
    if one is None or two is None:
        return Figure(None)
    tau = common_tau([one, two], budget)
    if tau is None:
        return Figure(None)
    a, b = one.restricted_mean(tau), two.restricted_mean(tau)
    if a is None or b is None:
        return Figure(None)
    return Figure(b - a, "", difference_interval(first, second, endpoint, budget, tau))


def primary_sentence(run: RunFacts, arms: dict[str, list[Episode]], primary: Primary) -> str:
    """The one test: within-task permutation of the cost, or McNemar per task for `solved`."""
    head = f"primary comparison, {primary.arm} against {primary.baseline} on {primary.endpoint}"
    if not run.complete:
        return f"{head}: withheld until the run is complete"
    first, second = arms.get(primary.baseline, []), arms.get(primary.arm, [])
    if primary.endpoint == "solved":
        found = mcnemar(solved_pairs(first, second))
        if found.p is None:
            return f"{head}: no task in which the arms differ, so McNemar's test has no data"
        return (
            f"{head}: McNemar per task (exact), {found.only_second} tasks solved only by "
            f"{primary.arm}, {found.only_first} only by {primary.baseline}, p = {found.p:.4f}"
        )
    endpoint = Endpoint(primary.endpoint)
    groups, unknown = _costs(run, first, second, endpoint)
    test = within_task_permutation(groups)
    if test is None:
        return f"{head}: no task has both arms, so no test is possible"
    how = "exact" if test.exact else "sampled"
    left = f"; {unknown} episodes censored by an unknown end are left out" if unknown else ""
    return (
        f"{head}: within-task permutation ({how}) over {test.tasks} tasks, mean difference "
        f"{test.statistic:.3f}, p = {test.p:.4f}{left}"
    )


def _costs(
    run: RunFacts, first: Sequence[Episode], second: Sequence[Episode], endpoint: Endpoint
) -> tuple[dict[str, tuple[list[float], list[float]]], int]:
    """Restricted costs by task (the arm's, the baseline's), and episodes whose cost is unknown."""
    budget = budget_of(run, endpoint)
    curves = [c for g in (first, second) if (c := arm_curve(g, endpoint, budget)) is not None]
    tau = common_tau(curves, budget)
    groups: dict[str, tuple[list[float], list[float]]] = {}
    unknown = 0
    for side, episodes in ((1, first), (0, second)):
        for episode in episodes:
            spent = duration(episode, endpoint, budget)
            if tau is None or (spent.ending is Ending.CENSORED and spent.time < tau):
                unknown += 1
                continue
            cost = min(spent.time, tau) if spent.ending is Ending.SUCCESS else tau
            groups.setdefault(episode.task, ([], []))[side].append(cost)
    return groups, unknown


def solved_pairs(first: Sequence[Episode], second: Sequence[Episode]) -> list[tuple[bool, bool]]:
    """One pair a task: whether the first sample of each arm was honestly solved."""
    one, two = _first_samples(first), _first_samples(second)
    return [(one[task].solved, two[task].solved) for task in sorted(set(one) & set(two))]


def _first_samples(episodes: Sequence[Episode]) -> dict[str, Episode]:
    found: dict[str, Episode] = {}
    for episode in episodes:
        kept = found.get(episode.task)
        if kept is None or episode.sample < kept.sample:
            found[episode.task] = episode
    return found


def mcnemar_table(baseline: str, arms: dict[str, list[Episode]]) -> Table:
    """Solved or not, paired by task; counts only, the test is the primary's alone."""
    rows = []
    for name, group in arms.items():
        if name == baseline:
            continue
        found = mcnemar(solved_pairs(arms.get(baseline, []), group))
        rows.append(
            Row(
                name,
                (
                    f"{name} against {baseline}",
                    found.pairs,
                    found.both,
                    found.only_second,
                    found.only_first,
                    found.neither,
                ),
            )
        )
    return Table(
        key="mcnemar",
        title="Tasks solved by one arm and not by the other",
        columns=("arms", "tasks", "both", "only the arm", "only the baseline", "neither"),
        rows=tuple(rows),
        denominator="tasks that both arms have, each by its first sample: one pair a task",
        notes=("McNemar's test is printed only where the plan made it the primary comparison",),
    )
