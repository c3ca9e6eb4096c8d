"""Sections of a live run: the arms side by side, then the gate against Verus in silent arms."""

from __future__ import annotations

from collections.abc import Sequence

from verulaw_gate.record.events import Arm, ArmKind, RunStarted
from verulaw_gate.report import arms as arm_tables
from verulaw_gate.report import predictive, trust
from verulaw_gate.report.arm_flow import (
    arm_flow_table,
    arm_requests_table,
    effort_table,
    streams_table,
)
from verulaw_gate.report.checks import Checks
from verulaw_gate.report.contrasts import contrast_table, mcnemar_table
from verulaw_gate.report.corrections import corrections_table
from verulaw_gate.report.episodes import Endpoint, episodes_of
from verulaw_gate.report.exposure import TextOf
from verulaw_gate.report.facts import GenerationFacts, RunFacts
from verulaw_gate.report.model import Section
from verulaw_gate.report.plan import deviations_table, plan_facts, plan_of
from verulaw_gate.report.protocol_tables import Standing
from verulaw_gate.report.sections import gate_tables, monitor_tables, run_facts, standing_of

_SILENT = (ArmKind.SHADOW_OFF, ArmKind.SHADOW_ON)
_PLAIN = (ArmKind.OFF, ArmKind.CACHE)


def live_sections(run: RunFacts, text_of: TextOf) -> list[Section]:
    """The arms side by side; then gate and Verus in the silent arms, monitor and Verus in the arms
    without a gate."""
    sections = [_arms(run)]
    plan = plan_of(run.started)
    open_question = plan is not None and plan.primary_endpoint == "protocol-rejection"
    for arm in run.started.arms:
        group = run.of_arm(arm.name)
        # The primary comparison is made once: in the first arm whose model heard Verus only.
        planned = open_question and arm.kind in (ArmKind.OFF, ArmKind.SHADOW_OFF)
        standing = standing_of(run, planned=planned)
        if group and arm.kind in _SILENT:
            sections.append(_silent_arm(run, arm, group, text_of, standing=standing))
        elif group and arm.kind in _PLAIN:
            sections.append(_plain_arm(run, arm, group, standing=standing))
        else:
            continue
        open_question = open_question and not planned
    return sections


def _arms(run: RunFacts) -> Section:
    checks = Checks()
    episodes = episodes_of(run)
    arms = arm_tables.split(run, episodes)
    checks.partition("episodes by arm", len(episodes), {n: len(g) for n, g in arms.items()})
    groups = {name: run.of_arm(name) for name in arms}
    plan = plan_of(run.started)
    primary = None if plan is None else plan.primary
    baseline = primary.baseline if primary else _baseline(run.started)
    tables = [
        arm_tables.endings_table(arms, checks),
        arm_tables.endpoints_table(run, arms),
    ]
    if baseline is not None and len(arms) > 1:
        tables += [contrast_table(run, baseline, arms, primary), mcnemar_table(baseline, arms)]
    plots = []
    for endpoint in Endpoint:
        table, plot = arm_tables.solved_within(run, arms, endpoint)
        tables.append(table)
        plots += [plot] if plot is not None else []
    tables += [
        arm_tables.costs_table(arms),
        corrections_table(run.generations, checks),
        arm_flow_table(groups, checks),
        arm_requests_table(groups, checks),
        streams_table(groups),
        effort_table(groups, {arm.name: arm.mode.value for arm in run.started.arms}),
        deviations_table(run),
    ]
    return Section(
        key=run.name,
        title=f"Live run: {run.started.corpus_name}",
        kind="live",
        facts=(*run_facts(run), *plan_facts(run.started)),
        paragraphs=run.started.notes,
        tables=tuple(tables),
        plots=tuple(plots),
        checks=tuple(checks.done),
    )


def _baseline(started: RunStarted) -> str | None:
    """The arm that others are set against: the first `off`, else the first shadow-off."""
    for kind in (ArmKind.OFF, ArmKind.SHADOW_OFF):
        for arm in started.arms:
            if arm.kind is kind:
                return arm.name
    return started.arms[0].name if started.arms else None


def _silent_arm(
    run: RunFacts,
    arm: Arm,
    generations: Sequence[GenerationFacts],
    text_of: TextOf,
    *,
    standing: Standing,
) -> Section:
    checks = Checks()
    heard = "the gate" if arm.kind is ArmKind.SHADOW_ON else "Verus"
    return Section(
        key=f"{run.name}-{arm.name}",
        title=f"Gate against Verus in arm {arm.name}",
        kind="live",
        paragraphs=(
            f"In this arm the model heard {heard}; the gate's word is set against Verus's.",
        ),
        headlines=(
            *predictive.false_confidence_headlines(generations),
            predictive.false_reject_headline(generations),
            trust.cheats_headline(generations),
        ),
        tables=gate_tables(generations, text_of, checks, standing=standing),
        checks=tuple(checks.done),
    )


def _plain_arm(
    run: RunFacts, arm: Arm, generations: Sequence[GenerationFacts], *, standing: Standing
) -> Section:
    checks = Checks()
    return Section(
        key=f"{run.name}-{arm.name}",
        title=f"Protocol against Verus in arm {arm.name}",
        kind="live",
        paragraphs=("In this arm no gate judged; the monitor read every answer and did nothing.",),
        tables=monitor_tables(generations, checks, standing=standing),
        checks=tuple(checks.done),
    )
