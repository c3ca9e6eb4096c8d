"""Flow of all generations: where each was filed and what Verus said, with checked sums."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from verulaw_gate.gate.model import SourceKind
from verulaw_gate.record.events import Disposition
from verulaw_gate.report.checks import Checks, Cross, cross
from verulaw_gate.report.facts import GenerationFacts
from verulaw_gate.report.filing import DECIDED, FILED, RESULTS, Filed, Result, filed, result_of
from verulaw_gate.report.model import Cell, Row, Table
from verulaw_gate.report.statistics import Share

RESULT_COLUMNS: tuple[str, ...] = (*(str(r) for r in RESULTS), "all")


def matrix(generations: Sequence[GenerationFacts], checks: Checks) -> Cross[Filed, Result]:
    """Every generation by where it is filed and by Verus result. Raises ConsistencyError."""
    return cross("generations", generations, FILED, RESULTS, filed, result_of, checks)


def flow_table(generations: Sequence[GenerationFacts], checks: Checks) -> Table:
    """The whole flow: one row a filing, one column a result, both margins."""
    found = matrix(generations, checks)
    rows = [
        Row(name, (name, *(found.cell(name, r) for r in RESULTS), found.row_total(name)))
        for name in FILED
        if found.row_total(name)
    ]
    totals: tuple[Cell, ...] = (*(found.column_total(r) for r in RESULTS), found.total)
    rows.append(Row("all", ("all", *totals), total=True))
    return Table(
        key="flow",
        title="Flow of all generations",
        question="Where monitor and gate file each generation, and what Verus says of its file.",
        columns=("filed under", *RESULT_COLUMNS),
        rows=tuple(rows),
        denominator=f"all {found.total} generations, each in one cell",
        notes=_rlimit_note(generations),
    )


def _rlimit_note(generations: Sequence[GenerationFacts]) -> tuple[str, ...]:
    outcomes = Counter(
        str(done.outcome)
        for g in generations
        if (done := g.measured) is not None and result_of(g) in (Result.PROOF, Result.UNDECIDED)
    )
    unstable = sum(1 for g in generations if (done := g.measured) is not None and done.unstable)
    notes = []
    if outcomes:
        parts = ", ".join(f"{count} {name}" for name, count in sorted(outcomes.items()))
        notes.append(f"proof failure and undecided are made of: {parts}")
    if unstable:
        notes.append(f"{unstable} results differed between tries (unstable) and are undecided")
    return tuple(notes)


def stages_table(generations: Sequence[GenerationFacts], checks: Checks) -> Table:
    """The stages before Verus: raw text, monitor, candidate, disposition; each a partition."""
    total = len(generations)
    monitor = Counter(_monitor(g) for g in generations)
    candidates = Counter(_candidate(g) for g in generations)
    ends = Counter(str(g.closed) for g in generations)
    rows: list[Row] = []
    for stage, counts in (
        ("protocol monitor", dict(sorted(monitor.items()))),
        ("candidate file", dict(sorted(candidates.items()))),
        ("disposition", {d.value: ends[d.value] for d in Disposition if ends[d.value]}),
    ):
        checks.partition(f"generations by {stage}", total, counts)
        for name, count in counts.items():
            rows.append(Row(f"{stage}/{name}", (stage, name, count)))
    return Table(
        key="stages",
        title="Stages",
        question="What each stage did with the generations; each stage sums to all of them.",
        columns=("stage", "group", "generations"),
        rows=tuple(rows),
        denominator=f"all {total} generations, once in each stage",
    )


def _monitor(facts: GenerationFacts) -> str:
    verdict = facts.monitor
    if verdict is None:
        return "not run (no verdict stored)"
    if not verdict.ran:
        return f"not run ({verdict.reason})" if verdict.reason else "not run"
    if verdict.violation is None:
        return "conforms"
    return f"rejected: {verdict.violation.violation}"


def _candidate(facts: GenerationFacts) -> str:
    raw = [c for c in facts.candidates if c.source_kind is SourceKind.RAW]
    made = [c for c in raw if c.source_sha256 is not None]
    if not made:
        return "none could be made"
    return "made by " + ", ".join(sorted({c.extractor for c in made}))


def result_cells(generations: Sequence[GenerationFacts]) -> tuple[Cell, ...]:
    """One count a result and their sum, in the order of RESULT_COLUMNS."""
    counts = Counter(result_of(g) for g in generations)
    return (*(counts[r] for r in RESULTS), len(generations))


def failed_share(generations: Sequence[GenerationFacts]) -> Share:
    """Candidates that Verus did not verify, of those with a decided result."""
    counts = Counter(result_of(g) for g in generations)
    decided = sum(counts[r] for r in DECIDED)
    return Share(decided - counts[Result.VERIFIED], decided)


def result_share(generations: Sequence[GenerationFacts], wanted: Result) -> Share:
    """Candidates with the result `wanted`, of those with a decided result."""
    counts = Counter(result_of(g) for g in generations)
    return Share(counts[wanted], sum(counts[r] for r in DECIDED))


def undecided_note(generations: Sequence[GenerationFacts]) -> tuple[str, ...]:
    """What a share of decided results leaves out, in words; nothing when it leaves out nothing."""
    counts = Counter(result_of(g) for g in generations)
    notes = []
    if counts[Result.UNDECIDED]:
        notes.append(
            f"{counts[Result.UNDECIDED]} of {len(generations)} with an undecided result "
            "(timeout, crash, tool error, not verified, unstable): they say neither"
        )
    if counts[Result.NONE]:
        notes.append(
            f"{counts[Result.NONE]} of {len(generations)} without a Verus result: not run is no "
            "outcome"
        )
    return tuple(notes)
