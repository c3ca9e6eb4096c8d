"""Which layers of the gate ran: one that did not is said, and never counts as nothing found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from verulaw_gate.report.checks import Checks
from verulaw_gate.report.facts import GenerationFacts
from verulaw_gate.report.model import Row, Table


def never_ran(generations: Sequence[GenerationFacts]) -> list[str]:
    """Layers that ran in no decision at all, in words, for the top of the report."""
    ran: dict[str, bool] = {}
    reasons: dict[str, str] = {}
    for facts in generations:
        for decision in facts.decisions:
            for layer in decision.layers:
                ran[layer.name] = ran.get(layer.name, False) or layer.ran
                if not layer.ran:
                    reasons.setdefault(layer.name, layer.reason or "no reason given")
    return [
        f"the layer {name} did not run ({reasons[name]}): what its rules would have found is not "
        "in the figures"
        for name in sorted(ran)
        if not ran[name]
    ]


def layers_table(generations: Sequence[GenerationFacts], checks: Checks) -> Table:
    """Per layer: decisions in which it ran, and why it did not in the others."""
    decisions = [d for g in generations for d in g.decisions]
    judged = [d for d in decisions if d.decision is not None]
    checks.partition(
        "gate decisions",
        len(decisions),
        {"made": len(judged), "gate not run": len(decisions) - len(judged)},
    )
    ran: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    reasons: dict[str, Counter[str]] = {}
    for decision in judged:
        for layer in decision.layers:
            seen[layer.name] += 1
            ran[layer.name] += layer.ran
            if not layer.ran:
                reasons.setdefault(layer.name, Counter())[layer.reason or "no reason given"] += 1
    rows = []
    for name in sorted(seen):
        why = ", ".join(f"{r} ({n})" for r, n in sorted(reasons.get(name, Counter()).items()))
        rows.append(Row(name, (name, ran[name], seen[name], why)))
    versions = sorted({d.verus_version for d in judged if d.verus_version})
    notes = []
    if versions:
        notes.append("rules tied to a Verus version speak of " + ", ".join(versions))
    unasked = Counter(d.reason or "no reason given" for d in decisions if d.decision is None)
    return Table(
        key="layers",
        title="Layers of the gate that ran",
        columns=("layer", "ran", "of", "why not"),
        rows=tuple(rows),
        denominator=f"{len(judged)} gate decisions; a layer that did not run found nothing and "
        "cleared nothing",
        excluded=tuple(
            f"{n} texts on which the gate did not run: {r}" for r, n in sorted(unasked.items())
        ),
        notes=tuple(notes),
    )
