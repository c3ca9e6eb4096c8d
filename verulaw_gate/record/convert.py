"""Events from what the other rooms say: verdicts, gate results, verifications."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from verulaw_gate.codes import CODES
from verulaw_gate.findings import Finding
from verulaw_gate.gate.model import GateResult, SourceKind
from verulaw_gate.monitor.model import Speaker, Verdict, Violation
from verulaw_gate.record.events import (
    Candidate,
    DiagnosticRow,
    FindingRow,
    Form,
    GateDecision,
    LayerRow,
    MonitorVerdict,
    Purpose,
    VerificationDone,
    ViolationRow,
)
from verulaw_gate.record.store import sha256_of
from verulaw_gate.spans import LineIndex
from verulaw_gate.tasks.model import Assembly
from verulaw_gate.verus.model import Outcome, Verification

MAX_MESSAGE = 400
"""Messages are cut to this many characters; the whole text is in the sources and raw outputs."""

_CODE_OF = {code.name: code.code for code in CODES.values()}


def shown(text: str) -> str:
    """A text as an event holds it: cut, and without lone surrogates, which JSON can't carry."""
    return text[:MAX_MESSAGE].encode("utf-8", "replace").decode("utf-8")


def violation_code(violation: Violation) -> str:
    """The VG0xx code of a violation: the code of the same name."""
    return _CODE_OF[violation.kind.value]


def monitor_event(
    verdict: Verdict, protocol: str, text: str, seconds: float | None = None
) -> MonitorVerdict:
    """The verdict of the monitor on a model text as an event. The verdict counts from the start
    of the trace, prompt included; the event counts from the start of `text`."""
    first = verdict.violation
    shift = max((s.end for s in verdict.steps if s.speaker is Speaker.PROMPT), default=0)
    row = None
    if first is not None:
        offset = min(max(first.offset - shift, 0), len(text))
        line, column = LineIndex(text).position(offset)
        row = ViolationRow(
            code=violation_code(first),
            violation=first.kind,
            offset=offset,
            line=line,
            column=column,
            state=first.state,
            legal_next=first.legal_next,
        )
    return MonitorVerdict(
        ran=True,
        protocol=protocol,
        ok=verdict.ok,
        complete=verdict.complete,
        violation=row,
        steps=tuple(step.state for step in verdict.steps if step.speaker is not Speaker.PROMPT),
        hints=tuple(shown(hint.message) for hint in verdict.hints),
        accepted_end=max(verdict.accepted_end - shift, 0),
        seconds=seconds,
    )


def finding_rows(
    findings: Iterable[Finding], *, form: Form, assembly: Assembly | None = None
) -> tuple[FindingRow, ...]:
    """Findings as rows. Those of a trace are placed in its candidate too, given the `assembly`."""
    lines = None if assembly is None else LineIndex(assembly.source)
    return tuple(_finding_row(finding, form, assembly, lines) for finding in findings)


def _finding_row(
    finding: Finding, form: Form, assembly: Assembly | None, lines: LineIndex | None
) -> FindingRow:
    span = finding.span
    source_line = None
    if span is not None and form is Form.SOURCE:
        source_line = span.line
    elif span is not None and assembly is not None and lines is not None:
        offset = source_offset(span.start, assembly)
        source_line = None if offset is None else lines.position(offset)[0]
    return FindingRow(
        code=finding.code,
        name=finding.name,
        family=finding.family,
        severity=finding.severity,
        message=shown(finding.message),
        line=None if span is None else span.line,
        column=None if span is None else span.column,
        source_line=source_line,
    )


def source_offset(trace_offset: int, assembly: Assembly) -> int | None:
    """Where a character of an LF trace stands in the assembled source; None: nowhere."""
    for piece in assembly.pieces:
        length = piece.source_end - piece.source_start
        if piece.trace_start <= trace_offset <= piece.trace_start + length:
            return piece.source_start + trace_offset - piece.trace_start
    return None


def in_source(event: GateDecision, result: GateResult, assembly: Assembly) -> GateDecision:
    """The decision on a trace told of a file that an extractor made of the same sections: one
    check serves both. It took no time of its own (`seconds` None)."""
    lines = LineIndex(assembly.source)
    rows = []
    for row, finding in zip(event.findings, result.findings, strict=True):
        offset = None if finding.span is None else source_offset(finding.span.start, assembly)
        line, column = (None, None) if offset is None else lines.position(offset)
        rows.append(row.model_copy(update={"line": line, "column": column, "source_line": line}))
    changes = {
        "form": Form.SOURCE,
        "extractor": assembly.extractor,
        "findings": tuple(rows),
        "source_sha256": sha256_of(assembly.source),
        "seconds": None,
    }
    return event.model_copy(update=changes)


def gate_event(
    result: GateResult,
    form: Form,
    *,
    extractor: str = "",
    acted: bool = False,
    seconds: float | None = None,
) -> GateDecision:
    """One gate result as an event (its raw result, where there is one, is an event of its own)."""
    return GateDecision(
        form=form,
        extractor=extractor or (result.assembly.extractor if result.assembly else ""),
        source_kind=result.source_kind,
        decision=result.decision,
        family=result.family,
        findings=finding_rows(result.findings, form=form, assembly=result.assembly),
        layers=layer_rows(result),
        repairs=tuple(repair.code for repair in result.repairs),
        source_sha256=None if result.source is None else sha256_of(result.source),
        acted=acted,
        seconds=seconds,
        verus_version=result.verus_version,
    )


def layer_rows(result: GateResult) -> tuple[LayerRow, ...]:
    """Which layers of the gate ran."""
    return tuple(LayerRow(name=x.name, ran=x.ran, reason=x.reason) for x in result.layers)


def candidate_event(
    source: str | None,
    *,
    extractor: str,
    source_kind: SourceKind = SourceKind.RAW,
    reason: str = "",
) -> Candidate:
    """The candidate that an extractor made, or (source None) why it made none."""
    return Candidate(
        extractor=extractor,
        source_kind=source_kind,
        source_sha256=None if source is None else sha256_of(source),
        chars=None if source is None else len(source),
        lines=None if source is None else source.count("\n") + (not source.endswith("\n")),
        reason=reason,
    )


def verification_event(
    result: Verification,
    *,
    source_kind: SourceKind = SourceKind.RAW,
    extractor: str = "",
    purpose: Purpose = Purpose.MEASURE,
    tries: Sequence[Outcome] = (),
) -> VerificationDone:
    """One verification as an event; `tries` are all outcomes when a flaky one was retried."""
    return VerificationDone(
        purpose=purpose,
        source_sha256=result.source_sha256,
        source_kind=source_kind,
        extractor=extractor,
        options=result.options.args,
        outcome=result.outcome,
        target_proved=result.target_proved,
        front_end=result.front_end,
        verified=result.verified,
        errors=result.errors,
        exit_code=result.exit_code,
        wall_s=result.wall_s,
        cpu_s=result.cpu_s,
        version=result.version,
        origin=result.origin,
        diagnostics=tuple(
            DiagnosticRow(
                level=d.level,
                code=d.code,
                message=shown(d.message),
                line=d.line,
                column=next((s.column for s in d.spans if s.primary), None),
            )
            for d in result.diagnostics
        ),
        tries=tuple(tries),
        unstable=len(set(tries)) > 1,
    )
