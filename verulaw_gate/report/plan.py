"""The pre-registered plan: what was said before the run, its hash, and every deviation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from verulaw_gate.record.events import RunStarted
from verulaw_gate.report.contrasts import Primary
from verulaw_gate.report.facts import RunFacts
from verulaw_gate.report.model import Row, Table
from verulaw_gate.report.power import Sizing, sample_size, sizing

ENDPOINTS = ("executions", "generations", "solved", "protocol-rejection")


@dataclass(frozen=True, slots=True)
class Plan:
    """The `[plan]` table of an experiment file. `difference` and `sd` are what the power is
    computed for, in the endpoint's unit and per task; None where the plan does not say."""

    hypothesis: str
    primary_endpoint: str
    baseline: str | None = None
    arm: str | None = None
    difference: float | None = None
    sd: float | None = None
    alpha: float = 0.05
    power: float = 0.8

    @property
    def primary(self) -> Primary | None:
        """The primary comparison of two arms; None when the primary endpoint is of another kind."""
        if self.baseline is None or self.arm is None or self.primary_endpoint not in ENDPOINTS[:3]:
            return None
        return Primary(self.baseline, self.arm, self.primary_endpoint)

    def needed(self) -> Sizing | None:
        """The tasks that the plan's power needs; None when it states no difference and sd.

        Raises ValueError for figures that make no sense (`report.power`).
        """
        if self.difference is None or self.sd is None:
            return None
        return sample_size(self.difference, self.sd, self.power, self.alpha)

    def achieved(self, tasks: int) -> Sizing | None:
        """The power that a number of tasks gives; None without difference and sd, or with fewer
        than two tasks. Raises ValueError for figures that make no sense (`report.power`)."""
        if self.difference is None or self.sd is None or tasks < 2:
            return None
        return sizing(tasks, self.difference, self.sd, self.alpha)


def read_plan(table: Mapping[str, Any]) -> Plan:
    """A plan from its table, checked where the experiment file is read."""
    return Plan(
        hypothesis=str(table.get("hypothesis", "")),
        primary_endpoint=str(table.get("primary_endpoint", "")),
        baseline=table.get("baseline"),
        arm=table.get("arm"),
        difference=table.get("difference"),
        sd=table.get("sd"),
        alpha=float(table.get("alpha", 0.05)),
        power=float(table.get("power", 0.8)),
    )


def plan_of(started: RunStarted) -> Plan | None:
    """The plan stored with a run; None when none was registered before it (no hash)."""
    table = started.config.get("plan") if started.plan_sha256 is not None else None
    return read_plan(table) if isinstance(table, Mapping) and table else None


def plan_lines(plan: Plan, tasks: int) -> list[tuple[str, str]]:
    """What a plan says, with its sample size and power, as (label, value) pairs."""
    lines = [
        ("hypothesis", plan.hypothesis or "none stated"),
        ("primary endpoint", plan.primary_endpoint or "none stated"),
    ]
    if plan.primary is not None:
        lines.append(("primary comparison", f"arm {plan.arm} against arm {plan.baseline}"))
    if plan.difference is None or plan.sd is None:
        lines.append(("sample size", f"{tasks} tasks; no difference and sd stated, so no power"))
        return lines
    try:
        needed, achieved = plan.needed(), plan.achieved(tasks)
    except ValueError as problem:
        lines.append(("power", f"none can be computed: {problem}"))
        return lines
    assert needed is not None
    lines.append(
        (
            "power",
            f"{100 * needed.power:.1f} % with {needed.tasks} tasks for a paired difference of "
            f"{needed.difference:g} (sd {needed.sd:g} over tasks, two-sided alpha "
            f"{needed.alpha:g})",
        )
    )
    if achieved is not None:
        lines.append(("planned tasks", f"{tasks}: power {100 * achieved.power:.1f} %"))
    return lines


def plan_facts(started: RunStarted) -> tuple[tuple[str, str], ...]:
    """The plan of a run as facts, its hash first; says so when there is none."""
    if started.plan_sha256 is None:
        return (("plan", "none registered before the run: exploratory, intervals only"),)
    facts = [("plan", f"sha256 {started.plan_sha256}")]
    plan, tasks = plan_of(started), started.config.get("tasks")
    if plan is not None:
        facts += plan_lines(plan, len(tasks) if isinstance(tasks, list) else 0)
    return tuple(facts)


def deviations(run: RunFacts) -> list[tuple[str, str]]:
    """Every way in which what is stored differs from what was planned, as (what, how)."""
    found: list[tuple[str, str]] = []
    config = run.started.config
    planned = {arm.name for arm in run.started.arms}
    stray = sorted({place[1] for place in run.episodes} - planned)
    if stray:
        found.append(("arms", f"episodes under arms that the plan lacks: {', '.join(stray)}"))
    samples, tasks = config.get("samples"), config.get("tasks")
    count = len(tasks) if isinstance(tasks, list) else None
    if isinstance(samples, int) and count is not None:
        wanted = samples * count
        ended = Counter(place[1] for place in run.episodes)
        for arm in run.started.arms:
            if ended[arm.name] != wanted:
                found.append(
                    ("episodes", f"arm {arm.name}: {ended[arm.name]} of {wanted} planned are there")
                )
    if run.closed is None:
        found.append(("end", "the run is not complete"))
    for resumed in run.resumed:
        found.append(("environment", _changes(run, resumed.environment.model_dump())))
    wanted_version = run.started.verus_version
    versions = Counter(
        v.version for g in run.generations for v in g.verifications if v.version is not None
    )
    for version, times in sorted(versions.items()):
        if wanted_version is not None and version != wanted_version:
            found.append(("Verus", f"{times} results are of {version}, planned {wanted_version}"))
    return found


def _changes(run: RunFacts, now: Mapping[str, Any]) -> str:
    before = run.started.environment.model_dump()
    parts = [
        f"{name} {before.get(name)} -> {now[name]}"
        for name in sorted(now)
        if now[name] != before.get(name)
    ]
    return "went on elsewhere: " + (", ".join(parts) or "the same as at first")


def deviations_table(run: RunFacts) -> Table:
    """The deviations as a table; an empty one means that none was found."""
    found = deviations(run)
    return Table(
        key="deviations",
        title="Deviations from the plan",
        columns=("what", "how"),
        rows=tuple(Row(str(at), pair) for at, pair in enumerate(found, 1)),
        denominator=f"{len(found)} deviations found by comparing what is stored with the run's "
        "configuration",
        empty="none found",
    )
