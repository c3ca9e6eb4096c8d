"""The generations of each arm of a live run: where they went, what they asked of Verus, where
their streams were cut."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from verulaw_gate.record.events import Disposition, Purpose, Resolution
from verulaw_gate.report.checks import Checks, cross
from verulaw_gate.report.facts import GenerationFacts
from verulaw_gate.report.model import Figure, Row, Table
from verulaw_gate.report.statistics import Share

Groups = Mapping[str, Sequence[GenerationFacts]]


def arm_flow_table(groups: Groups, checks: Checks) -> Table:
    """Every generation of every arm by its one disposition, with both margins."""
    every = [g for group in groups.values() for g in group]
    ends: tuple[Disposition | None, ...] = tuple(Disposition)
    found = cross(
        "generations by arm and disposition",
        every,
        tuple(groups),
        ends,
        lambda g: g.key.arm,
        lambda g: g.closed,
        checks,
    )
    used = [d for d in Disposition if found.column_total(d)]
    rows = [
        Row(arm, (arm, *(found.cell(arm, d) for d in used), found.row_total(arm))) for arm in groups
    ]
    if len(groups) > 1:
        totals = (*(found.column_total(d) for d in used), found.total)
        rows.append(Row("all", ("all", *totals), total=True))
    return Table(
        key="arm-flow",
        title="Flow of all generations",
        question="Where the way of each generation ended: exactly one place each.",
        columns=("arm", *(d.value for d in used), "all"),
        rows=tuple(rows),
        denominator=f"all {found.total} generations of the run",
    )


def arm_requests_table(groups: Groups, checks: Checks) -> Table:
    """How the Verus requests of each arm were answered; strict runs of the judge are not in it."""
    rows = []
    for arm, group in groups.items():
        asked = [r for g in group for r in g.requests if r.purpose is Purpose.MEASURE]
        counts = Counter(r.resolution for r in asked)
        checks.partition(
            f"Verus requests of arm {arm}", len(asked), {r.value: counts[r] for r in Resolution}
        )
        heard = sum(1 for r in asked if r.heard)
        rows.append(Row(arm, (arm, len(asked), heard, *(counts[r] for r in Resolution))))
    return Table(
        key="arm-requests",
        title="Verus requests",
        columns=("arm", "requests", "heard by the model", *(r.value for r in Resolution)),
        rows=tuple(rows),
        denominator="Verus requests of the arm under the options of the run",
        notes=("what the model does not hear was asked for measurement only",),
    )


def streams_table(groups: Groups) -> Table:
    """Streams cut early, and what was written after the first violation where none was cut."""
    rows = []
    for arm, group in groups.items():
        made = [g.generation for g in group if g.generation is not None]
        cut = [m for m in made if m.stopped_early_at is not None]
        unread = [m.unread_tokens for m in cut if m.unread_tokens is not None]
        after, total, whole = _after_violation(group)
        rows.append(
            Row(
                arm,
                (
                    arm,
                    Share(len(cut), len(made)),
                    Figure(sum(unread) if unread else None, digits=0, n=len(unread)),
                    Figure(after if whole else None, digits=0, n=whole),
                    Figure(total if whole else None, digits=0, n=whole),
                ),
            )
        )
    return Table(
        key="streams",
        title="Streams",
        question="What an early stop spares: the characters after the first violation.",
        columns=(
            "arm",
            "cut early",
            "tokens unread, at most",
            "characters after the first violation",
            "characters in all",
        ),
        rows=tuple(rows),
        denominator="generations of the arm; characters are of the n answers that were read whole",
        notes=(
            "tokens unread: the token limit less what was read of the n streams cut; how much "
            "would have been written is not known, so this is an upper bound and no saving",
        ),
    )


def effort_table(groups: Groups, modes: Mapping[str, str]) -> Table:
    """What the enforcement of the protocol cost in prompts and characters, by arm and its mode."""
    rows = []
    for arm, group in groups.items():
        made = [g.generation for g in group if g.generation is not None]
        asked = [m.prompts for m in made if m.prompts is not None]
        rows.append(
            Row(
                arm,
                (
                    arm,
                    modes.get(arm),
                    len(made),
                    Figure(sum(asked) / len(asked) if asked else None, digits=2, n=len(asked)),
                    _total([m.prompts for m in made]),
                    _total([m.prompt_chars for m in made]),
                    _total([m.answer_chars for m in made]),
                    _total([m.lead_chars for m in made]),
                ),
            )
        )
    return Table(
        key="effort",
        title="Prompts and characters",
        question="What enforcing the protocol costs: one prompt an answer and its corrections "
        "(optimistic), or one a state (eager).",
        columns=(
            "arm",
            "mode",
            "generations",
            "prompts a generation",
            "prompts",
            "characters of prompts",
            "characters of answers",
            "characters written ahead",
        ),
        rows=tuple(rows),
        denominator="generations of the arm in which the figure was counted (n)",
        notes=(
            "a prompt repeats the text so far; summaries and scores of an agent's tools count",
            "answers: all that the model wrote, rejected or not; written ahead: the beginnings of "
            "markers before the states that were asked for eagerly",
        ),
    )


def _total(values: Sequence[int | None]) -> Figure:
    known = [v for v in values if v is not None]
    return Figure(sum(known) if known else None, digits=0, n=len(known))


def _after_violation(group: Sequence[GenerationFacts]) -> tuple[int, int, int]:
    after = total = whole = 0
    for facts in group:
        made, verdict = facts.generation, facts.monitor
        if made is None or made.chars is None or made.stopped_early_at is not None:
            continue
        if verdict is None or not verdict.ran:
            continue
        whole += 1
        total += made.chars - (made.lead_chars or 0)
        if verdict.violation is not None:
            after += made.chars - verdict.violation.offset
    return after, total, whole
