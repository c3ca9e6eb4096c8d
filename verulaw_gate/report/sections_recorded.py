"""Sections of a recorded corpus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from verulaw_gate.report import reuse, savings
from verulaw_gate.report.arms import costs_table, endings_table
from verulaw_gate.report.checks import Checks
from verulaw_gate.report.dependence import by_origin, dependence_table, origins_table
from verulaw_gate.report.episodes import episodes_of
from verulaw_gate.report.exposure import TextOf
from verulaw_gate.report.facts import GenerationFacts, RunFacts
from verulaw_gate.report.flow import flow_table, stages_table
from verulaw_gate.report.layers import layers_table
from verulaw_gate.report.model import Section, Table
from verulaw_gate.report.plan import plan_facts, plan_of
from verulaw_gate.report.sections import gate_tables, headlines, run_facts, standing_of

IN_SAMPLE = (
    "Rules that were written with a corpus in view do better on it than on another: believe the "
    "figures of attempts that nobody looked at while the rules were written."
)


def recorded_sections(run: RunFacts, text_of: TextOf) -> list[Section]:
    """One section; with several origins, an overview of all and a section for each."""
    origins = by_origin(run.generations)
    facts = (*run_facts(run), *plan_facts(run.started))
    if len(origins) < 2:
        title = f"Recorded corpus: {run.started.corpus_name}"
        tables = _attempt_section(run, run.name, title, run.generations, text_of)
        return [replace(tables, facts=facts, paragraphs=(IN_SAMPLE, *run.started.notes))]
    sections = [_overview(run, facts)]
    for number, (origin, group) in enumerate(origins.items(), 1):
        title = f"Recorded: {origin}"
        sections.append(_attempt_section(run, f"{run.name}-{number}", title, group, text_of))
    return sections


def _overview(run: RunFacts, facts: tuple[tuple[str, str], ...]) -> Section:
    checks = Checks()
    generations = run.generations
    return Section(
        key=run.name,
        title=f"Recorded corpus: {run.started.corpus_name}",
        kind="recorded",
        facts=facts,
        paragraphs=(
            "All origins together: these rates are of this mix of attempts and say nothing of "
            "another. Attempts that came to be in different ways are taken each by themselves "
            "below: read those.",
            IN_SAMPLE,
            *run.started.notes,
        ),
        headlines=headlines(generations),
        tables=(
            stages_table(generations, checks),
            flow_table(generations, checks),
            origins_table(generations, checks),
            layers_table(generations, checks),
        ),
        checks=tuple(checks.done),
    )


def _attempt_section(
    run: RunFacts, key: str, title: str, generations: Sequence[GenerationFacts], text_of: TextOf
) -> Section:
    checks = Checks()
    plan = plan_of(run.started)
    planned = plan is not None and plan.primary_endpoint == "protocol-rejection"
    # Several origins are several comparisons, and a plan has one.
    alone = len(by_origin(run.generations)) < 2
    standing = standing_of(run, planned=planned and alone)
    return Section(
        key=key,
        title=title,
        kind="recorded",
        headlines=headlines(generations),
        tables=(
            stages_table(generations, checks),
            *gate_tables(generations, text_of, checks, standing=standing),
            reuse.reuse_table(generations, checks),
            savings.savings_table(generations, checks),
            *_loop_tables(run, generations, checks),
            dependence_table(generations),
        ),
        checks=tuple(checks.done),
    )


def _loop_tables(
    run: RunFacts, generations: Sequence[GenerationFacts], checks: Checks
) -> tuple[Table, ...]:
    """How the recorded loops of these generations ended, and what they cost.

    A loop that has generations of other origins too is of none of them, and left out.
    """
    here = {g.id for g in generations}
    loops = {(g.key.task, g.key.sample) for g in generations}
    mixed = loops & {(g.key.task, g.key.sample) for g in run.generations if g.id not in here}
    mine = [e for e in episodes_of(run) if (e.task, e.sample) in loops - mixed]
    if not mine:
        return ()
    group = {"recorded loops": mine}
    tables = (endings_table(group, checks), costs_table(group))
    if not mixed:
        return tables
    said = f"{len(mixed)} loops that have generations of another origin too"
    return tuple(replace(table, excluded=(*table.excluded, said)) for table in tables)
