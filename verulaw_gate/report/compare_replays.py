"""Two replays of one corpus: what each run says of the same generations."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from verulaw_gate.record.events import Corpus, LabelStage
from verulaw_gate.report.checks import Checks, cross
from verulaw_gate.report.facts import GenerationFacts, RunFacts
from verulaw_gate.report.filing import (
    FILED,
    Filed,
    Result,
    filed,
    predictive_codes,
    result_of,
)
from verulaw_gate.report.model import Row, Table
from verulaw_gate.report.predictive import false_rejects
from verulaw_gate.report.statistics import mcnemar

Pair = tuple[GenerationFacts, GenerationFacts]


def _paired(one: RunFacts, two: RunFacts, checks: Checks) -> tuple[list[Pair], Table]:
    def place(facts: GenerationFacts) -> tuple[str, int, int]:
        return (facts.key.task, facts.key.sample, facts.key.generation)

    left = {place(g): g for g in one.generations}
    right = {place(g): g for g in two.generations}
    both = sorted(set(left) & set(right))
    for run, own in ((one, left), (two, right)):
        checks.partition(
            f"generations of {run.name}",
            len(run.generations),
            {"in both": len(both), "alone": len(own) - len(both)},
        )
    table = Table(
        key="pairs",
        title="Pairs",
        columns=("what", "generations"),
        rows=(
            Row("both", ("in both runs", len(both))),
            Row("first", (f"only in {one.name}", len(left) - len(both))),
            Row("second", (f"only in {two.name}", len(right) - len(both))),
        ),
        denominator="generations by task, sample and number",
    )
    return [(left[p], right[p]) for p in both], table


def replay_tables(one: RunFacts, two: RunFacts, checks: Checks) -> list[Table]:
    pairs, table = _paired(one, two, checks)
    """Pairs, and what the runs say otherwise. Raises ConsistencyError."""
    tables = [table]
    if one.started.corpus is Corpus.DESIGNED:
        return [*tables, _label_changes(pairs)]
    found = cross(
        "pairs by filing",
        pairs,
        FILED,
        FILED,
        lambda pair: filed(pair[0]),
        lambda pair: filed(pair[1]),
        checks,
    )
    used = [n for n in FILED if found.row_total(n) or found.column_total(n)]
    tables.append(
        Table(
            key="filing",
            title="Filing in both runs",
            columns=(f"{one.name} \\ {two.name}", *used, "all"),
            rows=tuple(
                Row(a, (a, *(found.cell(a, b) for b in used), found.row_total(a))) for a in used
            ),
            denominator=f"{len(pairs)} generations that both runs have",
        )
    )
    changed = [p for p in pairs if filed(p[0]) is not filed(p[1])]
    tables.append(_changes(changed, len(pairs)))
    tables.append(_measures(pairs))
    return tables


def _changes(changed: Sequence[Pair], total: int) -> Table:
    return Table(
        key="changes",
        title="Generations filed elsewhere",
        columns=("generation", "first run", "second run", "predictive codes", "Verus"),
        rows=tuple(
            Row(
                a.id,
                (
                    a.name,
                    filed(a),
                    filed(b),
                    f"{', '.join(predictive_codes(a)) or '-'} / "
                    f"{', '.join(predictive_codes(b)) or '-'}",
                    result_of(a),
                ),
            )
            for a, b in changed
        ),
        denominator=f"{total} generations that both runs have, {len(changed)} filed elsewhere",
        empty="none",
    )


_MEASURES: tuple[tuple[str, Callable[[GenerationFacts], bool]], ...] = (
    ("accepted", lambda g: filed(g) is Filed.ACCEPTED),
    ("false rejects", lambda g: bool(false_rejects([g]))),
    (
        "accepted and failed in Verus",
        lambda g: filed(g) is Filed.ACCEPTED and result_of(g) in (Result.FRONT_END, Result.PROOF),
    ),
)


def _measures(pairs: Sequence[Pair]) -> Table:
    rows = []
    for name, measure in _MEASURES:
        found = mcnemar((measure(a), measure(b)) for a, b in pairs)
        rows.append(
            Row(name, (name, found.both, found.only_first, found.only_second, found.neither))
        )
    return Table(
        key="measures",
        title="What both runs say of the same generations",
        columns=("measure", "both", "only the first", "only the second", "neither"),
        rows=tuple(rows),
        denominator=f"{len(pairs)} generations that both runs have",
    )


def _label_changes(pairs: Sequence[Pair]) -> Table:
    rows = []
    total = 0
    for a, b in pairs:
        for stage in LabelStage:
            left = next((r for r in a.labels if r.stage is stage), None)
            right = next((r for r in b.labels if r.stage is stage), None)
            if left is None or right is None:
                continue
            total += 1
            if left.observed != right.observed:
                row = (a.name, stage, left.label, left.observed, right.observed)
                rows.append(Row(f"{a.id}/{stage}", row))
    return Table(
        key="label-changes",
        title="Labelled traces that came out otherwise",
        columns=("trace", "stage", "label", "first run", "second run"),
        rows=tuple(rows),
        denominator=f"{total} labels that both runs judged, {len(rows)} came out otherwise",
        empty="none",
    )
