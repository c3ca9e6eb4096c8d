"""The arms of a live run side by side: co-primary endpoints, costs, retries, solved-within-k."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from verulaw_gate.record.events import EpisodeClosed, EpisodeResult
from verulaw_gate.report.checks import Checks
from verulaw_gate.report.episodes import (
    Endpoint,
    Episode,
    arm_curve,
    budget_of,
    mean_interval,
    solved_interval,
)
from verulaw_gate.report.facts import RunFacts
from verulaw_gate.report.model import Cell, Figure, Plot, Row, Series, Table
from verulaw_gate.report.resampling import cluster_bootstrap, few_tasks_notes
from verulaw_gate.report.statistics import Interval, Share
from verulaw_gate.report.survival import Curve, common_tau


def split(run: RunFacts, episodes: Sequence[Episode]) -> dict[str, list[Episode]]:
    """Episodes by arm, in the order in which the run names its arms; arms without any are there."""
    arms: dict[str, list[Episode]] = {arm.name: [] for arm in run.started.arms}
    for episode in episodes:
        arms.setdefault(episode.arm, []).append(episode)
    return arms


def curves(run: RunFacts, arms: dict[str, list[Episode]], endpoint: Endpoint) -> dict[str, Curve]:
    """The curve of each arm that has episodes."""
    budget = budget_of(run, endpoint)
    found = {name: arm_curve(group, endpoint, budget) for name, group in arms.items()}
    return {name: one for name, one in found.items() if one is not None}


_JUDGED = (EpisodeResult.HONEST_SUCCESS, EpisodeResult.CHEAT)


def endings_table(arms: dict[str, list[Episode]], checks: Checks) -> Table:
    """How the episodes of each arm ended; every episode in one column."""
    rows = []
    notes = ["Wilson intervals take episodes as independent; contrasts are bootstraps by task"]
    unjudged = 0
    for name, group in arms.items():
        counts = Counter(e.end.result for e in group)
        checks.partition(
            f"episodes of arm {name}", len(group), {r.value: counts[r] for r in EpisodeResult}
        )
        judged = len(group) - counts[EpisodeResult.UNJUDGED]
        unjudged += counts[EpisodeResult.UNJUDGED]
        why = Counter(
            str(e.end.censored_by or "not said")
            for e in group
            if e.end.result is EpisodeResult.CENSORED
        )
        rows.append(
            Row(
                name,
                (
                    name,
                    len(group),
                    len({e.task for e in group}),
                    *(Share(counts[r], judged) for r in _JUDGED),
                    counts[EpisodeResult.UNJUDGED],
                    Share(counts[EpisodeResult.CENSORED], len(group)),
                ),
            )
        )
        if why:
            parts = ", ".join(f"{reason} {n}" for reason, n in sorted(why.items()))
            notes.append(f"arm {name} censored by: {parts}")
    return Table(
        key="endings",
        title="How episodes ended",
        question="An honest success is judged by the frozen judge; a cheat is a competing event.",
        columns=(
            "arm",
            "episodes",
            "tasks",
            "honest success",
            "cheat",
            "unjudged",
            "censored",
        ),
        rows=tuple(rows),
        denominator="closed episodes; honest successes and cheats are of all but the unjudged",
        excluded=(f"{unjudged} episodes that Verus verified and no judge could judge",)
        if unjudged
        else (),
        notes=tuple(notes),
    )


def endpoints_table(run: RunFacts, arms: dict[str, list[Episode]]) -> Table:
    """Restricted mean executions and generations to the first honest success, per arm."""
    cells: dict[str, list[Cell]] = {name: [name, len(group)] for name, group in arms.items()}
    notes = []
    for endpoint in Endpoint:
        budget = budget_of(run, endpoint)
        found = curves(run, arms, endpoint)
        tau = common_tau(list(found.values()), budget)
        for name, group in arms.items():
            one = found.get(name)
            mean = None if one is None or tau is None else one.restricted_mean(tau)
            if mean is None or tau is None:
                cells[name].append(Figure(None))
            else:
                cells[name].append(Figure(mean, "", mean_interval(group, endpoint, budget, tau)))
        stated = "not stated" if budget is None else f"{budget:g}"
        notes.append(
            f"{endpoint}: restricted to {'no data' if tau is None else format(tau, 'g')} "
            f"(budget {stated}); without an honest success an episode counts as that"
        )
    return Table(
        key="endpoints",
        title="Co-primary endpoints: cost to the first honest success",
        question="Restricted mean cost: the area under the share of episodes not yet solved.",
        columns=("arm", "episodes", "Verus executions", "generations"),
        rows=tuple(Row(name, tuple(row)) for name, row in cells.items()),
        denominator="closed episodes of the arm; intervals are bootstraps by task",
        notes=(*notes, *few_tasks_notes(len({e.task for g in arms.values() for e in g}))),
    )


def solved_within(
    run: RunFacts, arms: dict[str, list[Episode]], endpoint: Endpoint
) -> tuple[Table, Plot | None]:
    """Share of episodes honestly solved within k executions or generations, and its plot."""
    found = curves(run, arms, endpoint)
    budget = budget_of(run, endpoint)
    tau = common_tau(list(found.values()), budget)
    names = list(found)
    rows = []
    for k in range(1, int(tau or 0) + 1):
        for name in names:
            value = found[name].solved_within(k)
            interval = None
            if value is not None:
                interval = solved_interval(arms[name], endpoint, budget, k)
            figure = Figure(value, "%", interval, 1, found[name].loops)
            rows.append(Row(f"{k}/{name}", (k, name, figure)))
    table = Table(
        key=f"solved-within-{endpoint}",
        title=f"Solved within k {endpoint}",
        columns=("k", "arm", "honestly solved (of n episodes)"),
        rows=tuple(rows),
        denominator="all closed episodes of the arm, by Kaplan and Meier with cheats as competing "
        "events; intervals are bootstraps by task",
    )
    if not tau:
        return table, None
    series = tuple(
        Series(
            name,
            (
                (0.0, 0.0),
                *(
                    (t, 1.0 - s)
                    for t, s in zip(found[name].times, found[name].survival, strict=True)
                    if t <= tau
                ),
            ),
        )
        for name in names
    )
    plot = Plot(
        f"solved-within-{endpoint}",
        f"Honestly solved within k {endpoint}",
        str(endpoint),
        "share of episodes",
        series,
        float(tau),
    )
    return table, plot


_COSTS: tuple[tuple[str, str, int, Callable[[EpisodeClosed], float | None]], ...] = (
    ("Verus executions", "", 2, lambda e: e.executions),
    ("silent executions", "", 2, lambda e: e.silent_executions),
    ("compile retries", "", 2, lambda e: e.compile_retries),
    ("proof retries", "", 2, lambda e: e.proof_retries),
    ("prompt tokens", "", 0, lambda e: e.prompt_tokens),
    ("completion tokens", "", 0, lambda e: e.completion_tokens),
    ("model seconds", "s", 1, lambda e: e.model_seconds),
    ("Verus seconds", "s", 1, lambda e: e.verus_seconds),
    ("gate seconds", "s", 3, lambda e: e.gate_seconds),
    ("money", "USD", 4, lambda e: e.cost_usd),
)


def _mean_interval(known: Sequence[tuple[str, float]]) -> Interval | None:
    sums: dict[str, tuple[float, int]] = {}
    for task, value in known:
        before, count = sums.get(task, (0.0, 0))
        sums[task] = (before + value, count + 1)
    return cluster_bootstrap(sums)


def costs_table(arms: dict[str, list[Episode]]) -> Table:
    """Mean cost of an episode as it ended, solved or not; compile and proof retries apart."""
    rows, unmeasured = [], []
    for label, unit, digits, value in _COSTS:
        measured = {
            name: [(e.task, float(v)) for e in group if (v := value(e.end)) is not None]
            for name, group in arms.items()
        }
        if not any(measured.values()):
            unmeasured.append(label)
            continue
        for name, known in measured.items():
            mean = sum(v for _, v in known) / len(known) if known else None
            figure = Figure(mean, unit, _mean_interval(known), digits, len(known))
            rows.append(Row(f"{label}/{name}", (label, name, figure)))
    return Table(
        key="costs",
        title="Mean cost of an episode or loop, solved or not",
        columns=("cost", "arm", "mean (of n measured)"),
        rows=tuple(rows),
        denominator="closed episodes in which the cost was measured (n); bootstraps by task",
        excluded=(f"not measured in any episode: {', '.join(unmeasured)}",) if unmeasured else (),
        notes=(
            "not cost to success: what fails cheaply looks cheap here",
            "a compile retry is a generation whose file Verus's front end refused, a proof retry "
            "one whose proof failed; the last of a loop counts too",
            "silent executions are made for measurement only and are not the loop's",
        ),
    )
