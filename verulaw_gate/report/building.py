"""From stored events to a report. Pure: the same events, the same report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from verulaw_gate import __version__
from verulaw_gate.record.events import Arm, ArmKind, Corpus, LabelStage, RunStarted, Stored
from verulaw_gate.record.store import Store
from verulaw_gate.report import arms as arm_tables
from verulaw_gate.report import predictive, protocol_tables, reuse, savings, trust
from verulaw_gate.report.checks import Checks
from verulaw_gate.report.confirm import confirmation_table
from verulaw_gate.report.contrasts import contrast_table, mcnemar_table
from verulaw_gate.report.corrections import corrections_table
from verulaw_gate.report.definitions import DEFINITIONS
from verulaw_gate.report.dependence import by_origin, dependence_table, origins_table
from verulaw_gate.report.designed import NO_RATES, agreement_table, disagreement_table
from verulaw_gate.report.episodes import Endpoint, episodes_of
from verulaw_gate.report.exposure import TextOf, exposure_table
from verulaw_gate.report.facts import GenerationFacts, RunFacts, collect
from verulaw_gate.report.flow import flow_table, stages_table
from verulaw_gate.report.layers import layers_table
from verulaw_gate.report.model import Headline, Report, Section, Table
from verulaw_gate.report.plan import Plan, deviations_table, plan_facts, plan_of

TITLE = "verulaw-gate report"


def build(store: Store, run: str | Sequence[str]) -> Report:
    """The report of one run or of several, each in its own section, never pooled.

    Raises StoreError for an unknown run, ConsistencyError when sums do not add up.
    """
    names = [run] if isinstance(run, str) else list(run)
    found = [store.run(name).name for name in names]
    return from_runs([collect(name, store.events(name)) for name in found], store.text)


def from_events(
    name: str, events: Iterable[Stored], text_of: TextOf = lambda sha256: None
) -> Report:
    """The report of one run from its events, and the texts that they name where there are any."""
    return from_runs([collect(name, events)], text_of)


def from_runs(runs: Sequence[RunFacts], text_of: TextOf) -> Report:
    """The report of runs whose events are put together already."""
    warnings: list[str] = []
    sections: list[Section] = []
    for run in runs:
        warnings += _warnings(run)
        sections += _sections(run, text_of)
    return Report(
        title=TITLE,
        facts=(
            ("made by", f"verulaw-gate {__version__}"),
            ("runs", ", ".join(run.name for run in runs)),
            ("Verus", ", ".join(_versions(runs)) or "no result names a version"),
            ("intervals", "95 %; no test except a pre-registered primary comparison"),
        ),
        sections=tuple(sections),
        definitions=DEFINITIONS,
        warnings=tuple(warnings),
    )


def _versions(runs: Sequence[RunFacts]) -> list[str]:
    return sorted(
        {v.version for run in runs for g in run.generations for v in g.verifications if v.version}
    )


def _warnings(run: RunFacts) -> list[str]:
    found = []
    if run.closed is None:
        found.append(
            f"run {run.name} is not complete: {len(run.generations)} generations are stored, and "
            "the figures are of these only"
        )
    else:
        found += [f"run {run.name} passed over: {problem}" for problem in run.closed.problems]
        if run.closed.generations != len(run.generations):
            found.append(
                f"run {run.name} closed with {run.closed.generations} generations, "
                f"{len(run.generations)} are stored"
            )
    versions = _versions([run])
    if len(versions) > 1:
        found.append(f"run {run.name} mixes results of Verus versions {', '.join(versions)}")
    return found


def _facts(run: RunFacts) -> tuple[tuple[str, str], ...]:
    started = run.started
    facts = [
        ("run", run.name),
        ("corpus", f"{started.corpus_name} (sha256 {started.corpus_sha256[:12]})"),
        ("size", f"{len(run.generations)} generations of {_task_count(run)} tasks"),
        ("protocol", f"{started.protocol} (sha256 {started.protocol_sha256[:12]})"),
        ("extractors", ", ".join(started.extractors) or "none named"),
        ("Verus options", " ".join(started.options) or "none"),
        ("Verus", ", ".join(_versions([run])) or started.verus_version or "not known"),
    ]
    if started.environment.model:
        facts.append(("model", started.environment.model))
    facts.append(("written by", f"verulaw-gate {started.environment.package}"))
    return tuple(facts)


def _task_count(run: RunFacts) -> int:
    return len({g.key.task for g in run.generations})


def _sections(run: RunFacts, text_of: TextOf) -> list[Section]:
    match run.started.corpus:
        case Corpus.DESIGNED:
            return [_designed(run)]
        case Corpus.RECORDED:
            return _recorded(run, text_of)
        case Corpus.LIVE:
            return _live(run, text_of)


def _designed(run: RunFacts) -> Section:
    checks = Checks()
    tables = [agreement_table(run.generations, stage, checks) for stage in LabelStage]
    tables.append(disagreement_table(run.generations, checks))
    tables.append(layers_table(run.generations, checks))
    return Section(
        key=run.name,
        title=f"Designed corpus: {run.started.corpus_name}",
        kind="designed",
        facts=_facts(run),
        paragraphs=(NO_RATES, *run.started.notes),
        tables=tuple(tables),
        checks=tuple(checks.done),
    )


def _recorded(run: RunFacts, text_of: TextOf) -> list[Section]:
    """One section; with several origins, an overview of all and a section for each."""
    origins = by_origin(run.generations)
    facts = (*_facts(run), *plan_facts(run.started))
    if len(origins) < 2:
        title = f"Recorded corpus: {run.started.corpus_name}"
        tables = _attempt_section(run, run.name, title, run.generations, text_of)
        return [replace(tables, facts=facts, paragraphs=run.started.notes)]
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
            "All origins together; what follows takes each by itself, because attempts that came "
            "to be in different ways have no common rate.",
            *run.started.notes,
        ),
        headlines=_headlines(generations),
        tables=(
            stages_table(generations, checks),
            flow_table(generations, checks),
            origins_table(generations, checks),
            layers_table(generations, checks),
        ),
        checks=tuple(checks.done),
    )


def _headlines(generations: Sequence[GenerationFacts]) -> tuple[Headline, ...]:
    return (
        *predictive.false_confidence_headlines(generations),
        predictive.false_reject_headline(generations),
        trust.cheats_headline(generations),
        savings.executions_headline(generations),
    )


def _attempt_section(
    run: RunFacts, key: str, title: str, generations: Sequence[GenerationFacts], text_of: TextOf
) -> Section:
    checks = Checks()
    plan = plan_of(run.started)
    return Section(
        key=key,
        title=title,
        kind="recorded",
        headlines=_headlines(generations),
        tables=(
            stages_table(generations, checks),
            *_gate_tables(generations, plan, text_of, checks),
            reuse.reuse_table(generations, checks),
            savings.savings_table(generations, checks),
            dependence_table(generations),
        ),
        checks=tuple(checks.done),
    )


def _gate_tables(
    generations: Sequence[GenerationFacts], plan: Plan | None, text_of: TextOf, checks: Checks
) -> tuple[Table, ...]:
    """The tables that set the gate's word against Verus's."""
    association = plan is not None and plan.primary_endpoint == "protocol-rejection"
    return (
        flow_table(generations, checks),
        predictive.predictive_table(generations, checks),
        predictive.false_reject_table(generations, checks),
        exposure_table(generations, text_of, checks),
        predictive.false_confidence_table(generations, checks),
        protocol_tables.protocol_table(generations, checks),
        protocol_tables.association_table(generations, primary=association),
        confirmation_table(generations, checks),
        trust.judge_table(generations, checks),
        trust.codes_table(generations, checks),
        reuse.repair_table(generations, checks),
        layers_table(generations, checks),
    )


_JUDGED_ARMS = (ArmKind.OFF, ArmKind.CACHE, ArmKind.SHADOW_OFF, ArmKind.SHADOW_ON)


def _live(run: RunFacts, text_of: TextOf) -> list[Section]:
    sections = [_arms(run)]
    for arm in run.started.arms:
        group = run.of_arm(arm.name)
        judged = arm.kind in _JUDGED_ARMS and any(d for g in group for d in g.decisions)
        if group and judged:
            sections.append(_judged_arm(run, arm, group, text_of))
    return sections


def _arms(run: RunFacts) -> Section:
    checks = Checks()
    episodes = episodes_of(run)
    arms = arm_tables.split(run, episodes)
    checks.partition("episodes by arm", len(episodes), {n: len(g) for n, g in arms.items()})
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
        stages_table(run.generations, checks),
        reuse.reuse_table(run.generations, checks),
        deviations_table(run),
    ]
    return Section(
        key=run.name,
        title=f"Live run: {run.started.corpus_name}",
        kind="live",
        facts=(*_facts(run), *plan_facts(run.started)),
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


def _judged_arm(
    run: RunFacts, arm: Arm, generations: Sequence[GenerationFacts], text_of: TextOf
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
        tables=_gate_tables(generations, None, text_of, checks),
        checks=tuple(checks.done),
    )
