"""Two live runs on the same tasks, arm by arm, paired by task and sample."""

from __future__ import annotations

from collections.abc import Sequence

from verulaw_gate.report.arms import split
from verulaw_gate.report.checks import Checks
from verulaw_gate.report.contrasts import solved_pairs
from verulaw_gate.report.episodes import (
    Endpoint,
    Episode,
    arm_curve,
    budget_of,
    difference_interval,
    episodes_of,
)
from verulaw_gate.report.facts import RunFacts
from verulaw_gate.report.model import Cell, Figure, Row, Table
from verulaw_gate.report.statistics import mcnemar
from verulaw_gate.report.survival import common_tau


def arm_pairs(one: RunFacts, two: RunFacts) -> list[tuple[str, str]]:
    """Arms of the same name; the only arms of both runs where each has one."""
    left, right = ([arm.name for arm in run.started.arms] for run in (one, two))
    shared = [(name, name) for name in left if name in right]
    if not shared and len(left) == len(right) == 1:
        return [(left[0], right[0])]
    return shared


def live_tables(one: RunFacts, two: RunFacts, checks: Checks) -> list[Table]:
    """Solved episodes and costs, arm by arm. Raises ConsistencyError."""
    left, right = split(one, episodes_of(one)), split(two, episodes_of(two))
    solved, costs = [], []
    for a, b in arm_pairs(one, two):
        first, second = _shared(left[a], right[b])
        checks.equal(f"episodes of arm {a} in both runs", len(first), len(second))
        pairs = mcnemar((x.solved, y.solved) for x, y in zip(first, second, strict=True))
        tasks = mcnemar(solved_pairs(first, second))
        label = a if a == b else f"{a} / {b}"
        solved.append(
            Row(
                label,
                (
                    label,
                    len(left[a]) - len(first),
                    len(right[b]) - len(second),
                    pairs.both,
                    pairs.only_first,
                    pairs.only_second,
                    pairs.neither,
                    tasks.only_first,
                    tasks.only_second,
                ),
            )
        )
        costs.append(Row(label, (label, len(first), *_costs(one, first, second))))
    return [
        Table(
            key="solved",
            title="Episodes honestly solved in both runs",
            columns=(
                "arm",
                f"only in {one.name}",
                f"only in {two.name}",
                "solved in both",
                "only in the first",
                "only in the second",
                "in neither",
                "tasks only in the first",
                "tasks only in the second",
            ),
            rows=tuple(solved),
            denominator="episodes by task and sample; tasks by their first sample",
        ),
        Table(
            key="costs",
            title="Cost to the first honest success, second run minus first",
            columns=("arm", "episodes in both", *(f"{e}" for e in Endpoint)),
            rows=tuple(costs),
            denominator="episodes that both runs have; differences of restricted means with "
            "bootstraps by task",
        ),
    ]


def _shared(
    first: Sequence[Episode], second: Sequence[Episode]
) -> tuple[list[Episode], list[Episode]]:
    left = {(e.task, e.sample): e for e in first}
    right = {(e.task, e.sample): e for e in second}
    both = sorted(set(left) & set(right))
    return [left[p] for p in both], [right[p] for p in both]


def _costs(run: RunFacts, first: Sequence[Episode], second: Sequence[Episode]) -> list[Cell]:
    cells: list[Cell] = []
    for endpoint in Endpoint:
        budget = budget_of(run, endpoint)
        curves = [c for g in (first, second) if (c := arm_curve(g, endpoint, budget)) is not None]
        tau = common_tau(curves, budget)
        means = [None if tau is None else c.restricted_mean(tau) for c in curves]
        if tau is None or len(means) < 2 or means[0] is None or means[1] is None:
            cells.append(Figure(None))
            continue
        interval = difference_interval(first, second, endpoint, budget, tau)
        cells.append(Figure(means[1] - means[0], "", interval))
    return cells
