"""Protocol rejections against Verus: the project's open question, measured in its own table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from enum import StrEnum

from verulaw_gate.gate.model import SourceKind
from verulaw_gate.report.checks import Checks
from verulaw_gate.report.facts import GenerationFacts
from verulaw_gate.report.filing import DECIDED, Filed, Result, filed, first_attempts, result_of
from verulaw_gate.report.flow import RESULT_COLUMNS, failed_share, result_cells, undecided_note
from verulaw_gate.report.model import Cell, Figure, Row, Table
from verulaw_gate.report.resampling import (
    few_tasks_notes,
    paired_bootstrap,
    within_task_permutation,
)
from verulaw_gate.report.statistics import odds_ratio, risk_difference


class Standing(StrEnum):
    """Whether a comparison is the plan's one primary: then, and only then, it is tested.
    withheld: it is, but the run is not complete; a look at half of it would be a second test."""

    PRIMARY = "primary"
    WITHHELD = "withheld"
    OTHER = "other"


def judged(generations: Sequence[GenerationFacts]) -> list[GenerationFacts]:
    """Generations of which the monitor could speak (there is raw text)."""
    return [g for g in generations if g.monitor is not None and g.monitor.ran]


def is_rejected(facts: GenerationFacts) -> bool:
    """Whether the protocol rejected the raw text."""
    return filed(facts) is Filed.PROTOCOL


def protocol_table(generations: Sequence[GenerationFacts], checks: Checks) -> Table:
    """Protocol rejections x front-end failure x proof failure x verified, by violation kind."""
    population = judged(generations)
    rejected = [g for g in population if is_rejected(g)]
    conforming = [g for g in population if not is_rejected(g)]
    by_kind: dict[str, list[GenerationFacts]] = defaultdict(list)
    for facts in rejected:
        by_kind[_kind(facts)].append(facts)
    checks.partition(
        "generations with raw text by protocol verdict",
        len(population),
        {"rejected": len(rejected), "conforming": len(conforming)},
    )
    checks.partition(
        "protocol rejections by kind", len(rejected), {k: len(by_kind[k]) for k in sorted(by_kind)}
    )
    rows = [
        Row(f"kind/{kind}", (kind, *result_cells(by_kind[kind]), failed_share(by_kind[kind])))
        for kind in sorted(by_kind)
    ]
    for key, label, group, total in (
        ("rejected", "any protocol rejection", rejected, True),
        ("conforming", "conforms to the protocol", conforming, False),
        ("all", "all with raw text", population, True),
    ):
        rows.append(Row(key, (label, *result_cells(group), failed_share(group)), total=total))
    without = len(generations) - len(population)
    excluded = list(undecided_note(population))
    if without:
        excluded.insert(
            0,
            f"{without} generations that the monitor did not read (no raw text): nothing is known",
        )
    extractors = sorted(
        {
            c.extractor
            for g in rejected
            for c in g.candidates
            if c.source_sha256 and c.source_kind is SourceKind.RAW
        }
    )
    return Table(
        key="protocol",
        title="Protocol rejections and Verus",
        question="Does a broken protocol forecast a Verus failure? A rejection here is conformance "
        "only and never called a false reject.",
        columns=("protocol verdict", *RESULT_COLUMNS, "failed of decided"),
        rows=tuple(rows),
        denominator="generations with raw text; the share is of those with a decided result",
        excluded=tuple(excluded),
        notes=(
            "the file of a rejected trace is what a harness without a protocol would send, cut by "
            + (", ".join(extractors) or "no extractor (no rejected trace gave a file)"),
        ),
    )


def association_table(generations: Sequence[GenerationFacts], *, standing: Standing) -> Table:
    """Failure after protocol rejection against failure after acceptance, three ways.

    A p-value is printed only where this is the primary comparison of a complete run.
    """
    population = [g for g in judged(generations) if result_of(g) in DECIDED]
    first = [g for g in first_attempts(judged(generations)) if result_of(g) in DECIDED]
    rows = []
    for key, label, group in (
        ("first", "first attempts (one a task)", first),
        ("all", "all attempts", population),
    ):
        hit = failed_share([g for g in group if is_rejected(g)])
        rest = failed_share([g for g in group if not is_rejected(g)])
        difference = _difference(group, independent=key == "first")
        odds = odds_ratio(hit, rest) if key == "first" else None
        odds_cell: Cell = None
        if key == "first":
            odds_cell = Figure(None) if odds is None else Figure(odds.value, "", odds.interval)
        rows.append(Row(key, (label, hit, rest, difference, odds_cell)))
    notes = [
        "first attempts: risk difference with Newcombe's interval, odds ratio with one half added "
        "to each cell; attempts of one task are not independent, so over all attempts the interval "
        "of the difference is a bootstrap by task and no odds ratio is given"
    ]
    notes += few_tasks_notes(len({g.key.task for g in population}))
    if standing is Standing.PRIMARY:
        notes.append(_primary(population))
    elif standing is Standing.WITHHELD:
        notes.append("the pre-registered primary comparison: withheld until the run is complete")
    else:
        notes.append("not the pre-registered primary comparison: intervals only, no test")
    return Table(
        key="protocol-association",
        title="Failure after a protocol rejection against failure after conformance",
        columns=(
            "attempts",
            "failed after rejection",
            "failed after conformance",
            "difference",
            "odds ratio",
        ),
        rows=tuple(rows),
        denominator="generations with raw text and a decided Verus result",
        excluded=undecided_note(judged(generations)),
        notes=tuple(notes),
    )


def _difference(group: Sequence[GenerationFacts], *, independent: bool) -> Figure:
    hit = failed_share([g for g in group if is_rejected(g)])
    rest = failed_share([g for g in group if not is_rejected(g)])
    if independent:
        effect = risk_difference(hit, rest)
        return Figure(None) if effect is None else Figure(effect.value, "%", effect.interval, 1)
    if hit.value is None or rest.value is None:
        return Figure(None)
    tally: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for facts in group:
        at = 2 if is_rejected(facts) else 0
        tally[facts.key.task][at] += result_of(facts) is not Result.VERIFIED
        tally[facts.key.task][at + 1] += 1
    interval = paired_bootstrap({task: (a, b, c, d) for task, (a, b, c, d) in tally.items()})
    return Figure(hit.value - rest.value, "%", interval, 1)


def _primary(population: Sequence[GenerationFacts]) -> str:
    groups: dict[str, tuple[list[float], list[float]]] = defaultdict(lambda: ([], []))
    for facts in population:
        failed = float(result_of(facts) is not Result.VERIFIED)
        groups[facts.key.task][0 if is_rejected(facts) else 1].append(failed)
    found = within_task_permutation(groups)
    if found is None:
        return "primary comparison: no task has both kinds of attempts, so no test is possible"
    how = "exact" if found.exact else "sampled"
    return (
        f"primary comparison, within-task permutation ({how}) over {found.tasks} tasks with both "
        f"kinds: mean difference {100 * found.statistic:.1f} %, p = {found.p:.4f}"
    )


def _kind(facts: GenerationFacts) -> str:
    if facts.monitor is not None and facts.monitor.violation is not None:
        return str(facts.monitor.violation.violation)
    return "found by the gate only"
