"""What gating would have saved in a recorded loop: executions and seconds, two different figures.

Counterfactual: the later attempts are taken as recorded, although a model that had heard the gate
instead of Verus might have written others. These figures never stand beside live arms.
"""

from __future__ import annotations

from collections.abc import Sequence

from verulaw_gate.report.checks import Checks
from verulaw_gate.report.facts import GenerationFacts
from verulaw_gate.report.filing import FILED, Filed, Result, filed, result_of
from verulaw_gate.report.model import Figure, Headline, Row, Table
from verulaw_gate.report.reuse import repeats
from verulaw_gate.report.statistics import Share
from verulaw_gate.report.trust import honest

COUNTERFACTUAL = (
    "Counterfactual replay: attempts are taken as recorded. A model that had heard the gate "
    "instead of Verus might have gone on otherwise, so this says which executions of this record "
    "would not have been made, not how many a live loop would need."
)


def executed(generations: Sequence[GenerationFacts]) -> list[GenerationFacts]:
    """Generations whose file has a Verus result in the record."""
    return [g for g in generations if g.measured is not None]


def saved(generations: Sequence[GenerationFacts]) -> list[GenerationFacts]:
    """Recorded executions that gating would not have made: rejected, or a repeated file."""
    again = {g.id for g in repeats(generations)}
    return [
        g
        for g in executed(generations)
        if filed(g) not in (Filed.ACCEPTED, Filed.NOT_JUDGED) or g.id in again
    ]


def executions_headline(generations: Sequence[GenerationFacts]) -> Headline:
    """Executions that would not have been made, of all in the record."""
    gone = saved(generations)
    verified = [g for g in gone if result_of(g) is Result.VERIFIED]
    proofs = sum(1 for g in verified if honest(g) is not False)
    return Headline(
        "executions-saved",
        "Verus executions that gating would have saved",
        Share(len(gone), len(executed(generations))),
        f"Of the recorded Verus executions, this share would not have been made. "
        f"{_lost(len(verified), proofs)} Seconds are another figure: a front-end error costs Verus "
        "less than a proof.",
    )


def _lost(verified: int, proofs: int) -> str:
    if not verified:
        return "None of them had verified."
    told = f"{verified} of them had verified, {proofs} not known to be a cheat"
    return f"{told}: a loop has to get that again." if proofs else f"{told}."


def savings_table(generations: Sequence[GenerationFacts], checks: Checks) -> Table:
    """Executions and seconds by reason of the rejection, net of gate time."""
    ran = executed(generations)
    again = {g.id for g in repeats(generations)}
    groups: dict[str, list[GenerationFacts]] = {str(name): [] for name in FILED}
    groups["repeated file"] = []
    for facts in ran:
        name = filed(facts)
        repeated = name in (Filed.ACCEPTED, Filed.NOT_JUDGED) and facts.id in again
        groups["repeated file" if repeated else str(name)].append(facts)
    checks.partition("executions by filing", len(ran), {k: len(v) for k, v in groups.items() if v})
    kept = {str(Filed.ACCEPTED), str(Filed.NOT_JUDGED)}
    rows = [
        Row(name, (name, *_cells(group, len(ran))))
        for name, group in groups.items()
        if group and name not in kept
    ]
    gone = [g for name, group in groups.items() if name not in kept for g in group]
    checks.equal("executions saved", len(gone), len(saved(generations)))
    rows.append(Row("saved", ("saved in all", *_cells(gone, len(ran))), total=True))
    for sent in sorted(kept):
        if groups[sent]:
            rows.append(Row(sent, (f"{sent} (sent)", *_cells(groups[sent], len(ran)))))
    rows.append(Row("all", ("all executions", *_cells(ran, len(ran))), total=True))
    return Table(
        key="savings",
        title="What gating would have saved",
        question=COUNTERFACTUAL,
        columns=(
            "reason",
            "executions",
            "Verus seconds (of n measured)",
            "Verus had verified",
        ),
        rows=tuple(rows),
        denominator=f"{len(ran)} generations with a Verus result in the record",
        excluded=_excluded(generations, ran),
        notes=_net(generations, gone),
    )


def _cells(group: Sequence[GenerationFacts], total: int) -> tuple[Share, Figure, int]:
    seconds = [g.measured.wall_s for g in group if g.measured is not None]
    known = [s for s in seconds if s is not None]
    verified = sum(1 for g in group if result_of(g) is Result.VERIFIED)
    return (
        Share(len(group), total),
        Figure(sum(known) if known else None, "s", digits=1, n=len(known)),
        verified,
    )


def _excluded(
    generations: Sequence[GenerationFacts], ran: Sequence[GenerationFacts]
) -> tuple[str, ...]:
    without = len(generations) - len(ran)
    return (f"{without} generations without a Verus result",) if without else ()


def _characters(generations: Sequence[GenerationFacts]) -> tuple[str, ...]:
    """What the model wrote after its first violation: a loop that cuts there saves it."""
    wasted = total = 0
    for facts in generations:
        verdict, made = facts.monitor, facts.generation
        if verdict is None or not verdict.ran or made is None or made.chars is None:
            continue
        total += made.chars
        if verdict.violation is not None:
            wasted += made.chars - verdict.violation.offset
    if not total:
        return ()
    return (f"{wasted} of {total} characters of raw text come after the first protocol violation",)


def _net(
    generations: Sequence[GenerationFacts], gone: Sequence[GenerationFacts]
) -> tuple[str, ...]:
    times = [g.gate_seconds for g in generations]
    known = [t for t in times if t is not None]
    seconds = [g.measured.wall_s for g in gone if g.measured is not None]
    wall = [s for s in seconds if s is not None]
    notes = [
        *_characters(generations),
        "a protocol rejection is not free: in a loop it costs a correction, which is not in here",
        "'Verus had verified' among the saved: trust and integrity rejections are meant; under "
        "protocol they are proofs that the loop would have got later",
    ]
    if not known:
        notes.insert(0, "gate time was not measured in this run: seconds are gross")
        return tuple(notes)
    cost = f"gate and monitor took {sum(known):.3f} s on {len(known)} of {len(times)} generations"
    if wall and len(known) == len(times):
        cost += f"; net saving {sum(wall) - sum(known):.1f} s"
    notes.insert(0, cost)
    return tuple(notes)
