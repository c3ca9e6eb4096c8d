"""Repairs, and files that came before: what need not go to Verus again."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from verulaw_gate.gate.model import Decision, SourceKind
from verulaw_gate.record.events import Purpose, Resolution
from verulaw_gate.report.checks import Checks
from verulaw_gate.report.facts import GenerationFacts
from verulaw_gate.report.filing import Filed, filed
from verulaw_gate.report.model import Row, Table
from verulaw_gate.report.slim import Decided
from verulaw_gate.report.statistics import Share
from verulaw_gate.verus.model import Outcome


def raw_source(facts: GenerationFacts) -> str | None:
    """The hash of the raw candidate file; None when none was made."""
    if facts.measured is not None:
        return facts.measured.source_sha256
    return next(
        (
            c.source_sha256
            for c in facts.candidates
            if c.source_kind is SourceKind.RAW and c.source_sha256 is not None
        ),
        None,
    )


def repeats(generations: Sequence[GenerationFacts]) -> list[GenerationFacts]:
    """Generations whose file is one that the same episode had before."""
    seen: dict[tuple[str, str, int], set[str]] = defaultdict(set)
    found = []
    for facts in sorted(generations, key=lambda g: g.key.generation):
        source = raw_source(facts)
        if source is None:
            continue
        episode = (facts.key.task, facts.key.arm, facts.key.sample)
        if source in seen[episode]:
            found.append(facts)
        seen[episode].add(source)
    return found


def reuse_table(generations: Sequence[GenerationFacts], checks: Checks) -> Table:
    """How Verus requests were answered, and how many files repeat an earlier one."""
    requests = [r for g in generations for r in g.requests if r.purpose is Purpose.MEASURE]
    counts = Counter(r.resolution for r in requests)
    checks.partition(
        "Verus requests by answer", len(requests), {r.value: counts[r] for r in Resolution}
    )
    rows = [
        Row(f"request/{r.value}", (f"requests: {r.value}", Share(counts[r], len(requests))))
        for r in Resolution
    ]
    files = sum(1 for g in generations if raw_source(g) is not None)
    again = repeats(generations)
    rows.append(Row("repeats", ("files that repeat an earlier one", Share(len(again), files))))
    known = sum(1 for g in generations if filed(g) is Filed.KNOWN)
    rows.append(
        Row("known", ("generations filed under known (VG501)", Share(known, len(generations))))
    )
    return Table(
        key="reuse",
        title="Reuse",
        question="Results that were there already, and files that an episode sent twice.",
        columns=("what", "share"),
        rows=tuple(rows),
        denominator=f"{len(requests)} Verus requests (of repaired text too; strict ones not "
        f"counted), {files} files, {len(generations)} generations",
    )


def repair_table(generations: Sequence[GenerationFacts], checks: Checks) -> Table:
    """What repair mended and what became of it; the raw decision is what other tables file."""
    groups: dict[str, list[tuple[GenerationFacts, Decided]]] = defaultdict(list)
    total = 0
    for facts in generations:
        repaired = next((d for d in facts.decisions if d.source_kind is SourceKind.REPAIRED), None)
        if repaired is None:
            continue
        total += 1
        groups[" + ".join(repaired.repairs) or "no code"].append((facts, repaired))
    rows = [Row(codes, (codes, *_repair_cells(groups[codes]))) for codes in sorted(groups)]
    every = [pair for codes in sorted(groups) for pair in groups[codes]]
    if every:
        rows.append(Row("all", ("all repaired", *_repair_cells(every)), total=True))
    checks.partition(
        "repaired generations", total, {codes: len(groups[codes]) for codes in sorted(groups)}
    )
    return Table(
        key="repairs",
        title="Repairs",
        question="Mechanical repairs that touch no proof text, and what the repaired text came to.",
        columns=("mended", "generations", "then accepted", "verified", "failed", "unscored"),
        rows=tuple(rows),
        denominator=f"{total} generations that were repaired, of {len(generations)}",
        notes=("unscored: the repaired file has no recorded result, and none was made up",),
        empty="none",
    )


def _repair_cells(
    group: Sequence[tuple[GenerationFacts, Decided]],
) -> tuple[int | Share, ...]:
    accepted = sum(1 for _, d in group if d.decision is Decision.ACCEPTED)
    outcomes = [
        next(
            (
                v.outcome
                for v in facts.verifications
                if v.purpose is Purpose.MEASURE
                and v.source_kind is SourceKind.REPAIRED
                and (decision.source_sha256 in (None, v.source_sha256))
            ),
            None,
        )
        for facts, decision in group
    ]
    verified = outcomes.count(Outcome.VERIFIED)
    unscored = outcomes.count(None)
    return (
        len(group),
        Share(accepted, len(group)),
        verified,
        len(outcomes) - verified - unscored,
        unscored,
    )
