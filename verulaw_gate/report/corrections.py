"""Corrections: issued, then the next state legal, then the run complete, then verified."""

from __future__ import annotations

from collections.abc import Sequence

from verulaw_gate.record.events import CorrectionIssued, CorrectionOutcome
from verulaw_gate.report.checks import Checks
from verulaw_gate.report.facts import GenerationFacts
from verulaw_gate.report.model import Row, Table
from verulaw_gate.report.statistics import Share

Pair = tuple[CorrectionIssued, CorrectionOutcome | None]


def pairs(generations: Sequence[GenerationFacts]) -> list[Pair]:
    """Every correction with what became of it (None: nothing was observed)."""
    outcomes: dict[tuple[str, str, int, int, int], CorrectionOutcome] = {}
    for facts in generations:
        episode = (facts.key.task, facts.key.arm, facts.key.sample)
        for seen in facts.correction_outcomes:
            outcomes[(*episode, seen.of_generation, seen.of_ordinal)] = seen
    found: list[Pair] = []
    for facts in generations:
        key = facts.key
        for issued in facts.corrections:
            place = (key.task, key.arm, key.sample, key.generation, issued.ordinal)
            found.append((issued, outcomes.get(place)))
    return found


def corrections_table(generations: Sequence[GenerationFacts], checks: Checks) -> Table:
    """The chain by mode: each share is of the corrections whose outcome was observed."""
    every = pairs(generations)
    groups: dict[str, list[Pair]] = {}
    for pair in every:
        groups.setdefault(_mode(pair[0]), []).append(pair)
    checks.partition("corrections by mode", len(every), {m: len(groups[m]) for m in sorted(groups)})
    rows = [Row(mode, (mode, *_chain(groups[mode]))) for mode in sorted(groups)]
    if every:
        rows.append(Row("all", ("all", *_chain(every)), total=True))
    return Table(
        key="corrections",
        title="Corrections",
        question="Issued, then next state legal, then run complete, then verified.",
        columns=("mode", "issued", "next state legal", "run complete", "verified"),
        rows=tuple(rows),
        denominator="corrections issued; each share is of those in which that step was observed, "
        "and what was not observed is no failure",
        empty="none was issued",
    )


def _mode(issued: CorrectionIssued) -> str:
    if issued.mode is None:
        return "gate message with fix" if issued.with_fix else "gate message without fix"
    return str(issued.mode)


def _chain(group: Sequence[Pair]) -> tuple[int | Share, ...]:
    def share(answers: list[bool | None]) -> Share:
        return Share(answers.count(True), answers.count(True) + answers.count(False))

    return (
        len(group),
        share([o.next_state_legal if o else None for _, o in group]),
        share([o.run_complete if o else None for _, o in group]),
        share([o.verified if o else None for _, o in group]),
    )
