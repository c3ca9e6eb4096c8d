"""The gate's verdict on a turn of the model: raw, corrected, repaired, autofixed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from time import perf_counter
from typing import TypeVar

from verulaw_gate.agent.turn import Turn
from verulaw_gate.codes import Severity
from verulaw_gate.findings import Edit, Finding, order
from verulaw_gate.gate import Gate
from verulaw_gate.gate.model import Decision, GateResult, Layer, Repair, SourceKind
from verulaw_gate.gate.protocol_findings import violation_finding
from verulaw_gate.monitor import Verdict
from verulaw_gate.tasks import Task, assemble

T = TypeVar("T")
_ROUNDS = 6


@dataclass(frozen=True, slots=True)
class Judged:
    """Verdicts on one turn. `raw` is about the text as the model wrote it; `final` about what the
    loop goes on with (the same one when nothing was corrected or mended), `text` is that text.
    `steps` are all verdicts in order with their gate time in seconds. `in_source`: findings of a
    candidate are about places in its file."""

    raw: GateResult
    final: GateResult
    text: str
    steps: tuple[tuple[GateResult, float], ...]
    in_source: bool = False

    @property
    def told_in(self) -> str:
        """The text that the places of the final findings are in."""
        source = self.final.assembly.source if self.final.assembly is not None else None
        return source if self.in_source and source is not None else self.text


def judge_turn(turn: Turn, rejected: bool, plain: Gate, mending: Gate, *, autofix: bool) -> Judged:
    """Judge a turn. `rejected`: its corrected text is still against the protocol or a streaming
    rule. `mending` is the same gate with repair on."""
    first = turn.first
    assert first is not None
    cut = turn.stopped_at is not None
    # Of a stream that we stopped only what was certain then counts, not what the cut made.
    raw, raw_s = _timed(lambda: from_verdict(first, turn.raw) if cut else plain.check(turn.raw))
    steps = [(raw, raw_s)]
    final, text = raw, turn.raw
    if turn.issued and not rejected:
        text = turn.text
        final, seconds = _timed(lambda: mending.check(text))
        if final.source_kind is SourceKind.RAW:
            final = replace(final, source_kind=SourceKind.ACCEPTED_PREFIX)
        steps.append((final, seconds))
    elif turn.issued:
        final, text, seconds = _last(turn)
        steps.append((final, seconds))
    elif raw.decision is Decision.REJECTED:
        mended, seconds = _timed(lambda: mending.check(turn.raw))
        if mended.accepted:
            final = replace(mended, raw=raw)
            steps.append((final, seconds))
    if autofix and not cut and not turn.issued and final.decision is Decision.REJECTED:
        refused = final
        fixed_up, seconds = _timed(lambda: _autofixed(refused, turn.raw, mending))
        if fixed_up is not None:
            final, text = fixed_up
            steps.append((final, seconds))
    return Judged(raw, final, text, tuple(steps))


def judge_agent(turn: Turn, final: Verdict, rejected: bool, task: Task, gate: Gate) -> Judged:
    """Judge an agent's run: its candidate is that of its `lemma` and `body` steps. There is no
    repair: the text holds the environment's turns, which are not the model's to mend."""
    first = turn.first
    assert first is not None

    def of(verdict: Verdict, text: str) -> GateResult:
        if not verdict.ok or not verdict.complete:
            return from_verdict(verdict, text)
        result = gate.check_assembly(assemble(task, verdict.steps))
        return replace(result, verdict=verdict)

    raw, raw_s = _timed(lambda: of(first, turn.raw))
    if turn.issued and rejected:
        last, text, last_s = _last(turn)
        return Judged(raw, last, text, ((raw, raw_s), (last, last_s)), in_source=True)
    if not turn.issued:
        return Judged(raw, raw, turn.raw, ((raw, raw_s),), in_source=True)
    result, seconds = _timed(lambda: of(final, turn.text))
    result = replace(result, source_kind=SourceKind.ACCEPTED_PREFIX)
    return Judged(raw, result, turn.text, ((raw, raw_s), (result, seconds)), in_source=True)


def from_verdict(verdict: Verdict, text: str) -> GateResult:
    """The rejection that the monitor latched on a stream that was stopped there."""
    found = [f for f in verdict.findings if f.severity is Severity.ERROR]
    violation = violation_finding(verdict, len(text))
    if violation is not None:
        found.append(violation)
    not_run = "the stream was stopped before there was a candidate"
    return GateResult(
        Decision.REJECTED,
        order(found),
        None,
        layers=(
            Layer("tokens", True),
            Layer("native", False, not_run),
            Layer("static", False, not_run),
        ),
        verdict=verdict,
    )


def fixed(text: str, findings: Sequence[Finding]) -> str | None:
    """The text with the mechanical fix of every rejecting finding; None when one of them has
    none, or two of them are in each other's way."""
    rejecting = [f for f in findings if f.severity is Severity.ERROR]
    if not rejecting or any(not f.fix for f in rejecting):
        return None
    edits: list[Edit] = sorted(
        {e for f in rejecting for e in f.fix}, key=lambda e: (e.start, e.end)
    )
    if any(a.end > b.start for a, b in pairwise(edits)):
        return None
    for edit in reversed(edits):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def _last(turn: Turn) -> tuple[GateResult, str, float]:
    """The rejection that ended a turn after corrections, and the text that it is about."""
    last = turn.last
    assert last is not None, "the turn was rejected for good"
    result, seconds = _timed(lambda: from_verdict(last, turn.said))
    return replace(result, source_kind=SourceKind.ACCEPTED_PREFIX), turn.said, seconds


def _autofixed(result: GateResult, text: str, gate: Gate) -> tuple[GateResult, str] | None:
    """The text with its mechanical fixes, where that makes it acceptable: round after round, for
    a fix can uncover the next finding (a loop inside of a loop)."""
    codes: set[str] = set()
    again, mended = result, text
    for _ in range(_ROUNDS):
        changed = fixed(mended, again.findings)
        if changed is None or changed == mended:
            return None
        codes |= {f.code for f in again.findings if f.severity is Severity.ERROR}
        mended = changed
        again = gate.check(mended)
        if again.decision is Decision.ACCEPTED:
            fixes = (Repair(code, "mechanical fix applied") for code in sorted(codes))
            repairs = (*again.repairs, *fixes)
            kind = SourceKind.REPAIRED
            return replace(again, source_kind=kind, repairs=repairs, raw=result), mended
    return None


def _timed(call: Callable[[], T]) -> tuple[T, float]:
    begun = perf_counter()
    result = call()
    return result, perf_counter() - begun
