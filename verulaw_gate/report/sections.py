"""What the sections of all corpora share: facts of a run, headlines, gate against Verus."""

from __future__ import annotations

from collections.abc import Sequence

from verulaw_gate.record.events import LabelStage
from verulaw_gate.report import predictive, protocol_tables, reuse, savings, trust
from verulaw_gate.report.checks import Checks
from verulaw_gate.report.confirm import confirmation_table
from verulaw_gate.report.designed import NO_RATES, agreement_table, disagreement_table
from verulaw_gate.report.exposure import TextOf, exposure_table
from verulaw_gate.report.facts import GenerationFacts, RunFacts
from verulaw_gate.report.flow import flow_table
from verulaw_gate.report.layers import layers_table
from verulaw_gate.report.model import Headline, Section, Table
from verulaw_gate.report.protocol_tables import Standing


def versions(runs: Sequence[RunFacts]) -> list[str]:
    """The Verus versions that results name."""
    return sorted(
        {v.version for run in runs for g in run.generations for v in g.verifications if v.version}
    )


def run_facts(run: RunFacts) -> tuple[tuple[str, str], ...]:
    """What was run with what, as (label, value) pairs."""
    started = run.started
    facts = [
        ("run", run.name),
        ("corpus", f"{started.corpus_name} (sha256 {started.corpus_sha256[:12]})"),
        ("size", f"{len(run.generations)} generations of {_task_count(run)} tasks"),
        ("protocol", f"{started.protocol} (sha256 {started.protocol_sha256[:12]})"),
        ("extractors", ", ".join(started.extractors) or "none named"),
        ("Verus options", " ".join(started.options) or "none"),
        ("Verus", ", ".join(versions([run])) or started.verus_version or "not known"),
    ]
    if started.environment.model:
        facts.append(("model", started.environment.model))
    for arm in run.settled:
        share = f"{arm.rejected}/{arm.generations}"
        facts.append((f"rate of arm {arm.arm}", f"{share} rejected, as seen in {arm.matched_to}"))
    facts.append(("written by", f"verulaw-gate {started.environment.package}"))
    return tuple(facts)


def _task_count(run: RunFacts) -> int:
    return len({g.key.task for g in run.generations})


def headlines(generations: Sequence[GenerationFacts]) -> tuple[Headline, ...]:
    """The figures to be read first."""
    return (
        *predictive.false_confidence_headlines(generations),
        predictive.false_reject_headline(generations),
        trust.cheats_headline(generations),
        savings.executions_headline(generations),
    )


def gate_tables(
    generations: Sequence[GenerationFacts], text_of: TextOf, checks: Checks, *, standing: Standing
) -> tuple[Table, ...]:
    """The tables that set the gate's word against Verus's.

    `standing`: that of protocol rejection against failure, here.
    """
    return (
        flow_table(generations, checks),
        predictive.predictive_table(generations, checks),
        predictive.false_reject_table(generations, checks),
        exposure_table(generations, text_of, checks),
        predictive.false_confidence_table(generations, checks),
        *monitor_tables(generations, checks, standing=standing),
        confirmation_table(generations, checks),
        trust.judge_table(generations, checks),
        trust.codes_table(generations, checks),
        reuse.repair_table(generations, checks),
        layers_table(generations, checks),
    )


def standing_of(run: RunFacts, *, planned: bool) -> Standing:
    """The standing of a comparison that the plan names, or does not."""
    if not planned:
        return Standing.OTHER
    return Standing.PRIMARY if run.complete else Standing.WITHHELD


def monitor_tables(
    generations: Sequence[GenerationFacts], checks: Checks, *, standing: Standing
) -> tuple[Table, Table]:
    """The tables that set the monitor's word against Verus's."""
    return (
        protocol_tables.protocol_table(generations, checks),
        protocol_tables.association_table(generations, standing=standing),
    )


def designed_section(run: RunFacts) -> Section:
    """A designed corpus: label agreement, nothing else."""
    checks = Checks()
    tables = [agreement_table(run.generations, stage, checks) for stage in LabelStage]
    tables.append(disagreement_table(run.generations, checks))
    tables.append(layers_table(run.generations, checks))
    return Section(
        key=run.name,
        title=f"Designed corpus: {run.started.corpus_name}",
        kind="designed",
        facts=run_facts(run),
        paragraphs=(NO_RATES, *run.started.notes),
        tables=tuple(tables),
        checks=tuple(checks.done),
    )
