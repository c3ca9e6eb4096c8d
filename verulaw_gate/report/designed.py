"""A designed corpus: do the verdicts agree with the labels? Counts only, no rates, no tests.

The traces were written to show one thing each, so how often something happens among them says
nothing of how often it happens.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from verulaw_gate.record.events import LabelAgreement, LabelStage
from verulaw_gate.report.checks import Checks
from verulaw_gate.report.facts import GenerationFacts
from verulaw_gate.report.model import Row, Table

NO_RATES = (
    "These traces were written to hit their labels: they show what each verdict looks like, not "
    "how often it happens. So there are no rates, no intervals and no tests here."
)


_TITLES = {
    LabelStage.PROTOCOL: "protocol",
    LabelStage.GATE: "gate",
    LabelStage.VERUS: "Verus",
}


def agreement_table(
    generations: Sequence[GenerationFacts], stage: LabelStage, checks: Checks
) -> Table:
    """Agreement with the labels of one stage, k of n per label."""
    groups: dict[str, list[LabelAgreement]] = defaultdict(list)
    labels = [row for g in generations for row in g.labels if row.stage is stage]
    for row in labels:
        groups[row.label].append(row)
    rows = [Row(name, (name, *_counts(groups[name]))) for name in sorted(groups, key=_ok_first)]
    agree, of, apart = _counts(labels)
    rows.append(Row("all", ("all", agree, of, apart), total=True))
    checks.partition(
        f"{stage} labels",
        len(labels),
        {"agree": agree, "disagree": of - agree, "not applicable": apart},
    )
    reasons: dict[str, int] = defaultdict(int)
    for row in labels:
        if row.agrees is None:
            reasons[row.reason or "no reason given"] += 1
    missing = sum(1 for g in generations if not any(r.stage is stage for r in g.labels))
    excluded = [f"{n} not applicable: {reason}" for reason, n in sorted(reasons.items())]
    if missing:
        excluded.append(f"{missing} traces without a label for this stage")
    return Table(
        key=f"labels-{stage}",
        title=f"Agreement with the {_TITLES[stage]} labels",
        columns=("label", "agree", "of", "not applicable"),
        rows=tuple(rows),
        denominator=f"{len(labels)} traces with a {_TITLES[stage]} label",
        excluded=tuple(excluded),
    )


def _ok_first(label: str) -> tuple[bool, str]:
    return (label not in ("ok", "verified"), label)


def _counts(rows: Sequence[LabelAgreement]) -> tuple[int, int, int]:
    agree = sum(1 for r in rows if r.agrees is True)
    apart = sum(1 for r in rows if r.agrees is None)
    return agree, len(rows) - apart, apart


def disagreement_table(generations: Sequence[GenerationFacts], checks: Checks) -> Table:
    """Every disagreement by name."""
    rows = [
        Row(f"{g.id}/{r.stage}", (g.name, r.stage, r.label, r.observed))
        for g in generations
        for r in g.labels
        if r.agrees is False
    ]
    total = sum(1 for g in generations for r in g.labels if r.agrees is not None)
    agree = sum(1 for g in generations for r in g.labels if r.agrees is True)
    checks.partition("labels in all", total, {"agree": agree, "disagree by name": len(rows)})
    return Table(
        key="disagreements",
        title="Disagreements by name",
        columns=("trace", "stage", "label", "came out as"),
        rows=tuple(rows),
        denominator=f"{total} labels that apply, {len(rows)} disagree",
        empty="none",
    )
