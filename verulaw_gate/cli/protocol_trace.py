"""How `protocol trace` shows a run: steps, the first violation, what is due, the correction."""

from __future__ import annotations

from verulaw_gate.findings import Finding
from verulaw_gate.monitor.model import Correction, Step, Verdict
from verulaw_gate.protocol.diagnostics import caret
from verulaw_gate.protocol.model import Protocol
from verulaw_gate.spans import LineIndex

_SHOWN = 60


def as_text(protocol: Protocol, text: str, verdict: Verdict, correction: Correction | None) -> str:
    """The run for a reader. Places are those of the whole trace, all speakers together."""
    lines = [_step(protocol, step) for step in verdict.steps]
    index = LineIndex(text)
    for finding in verdict.findings:
        lines += ["", *_finding(text, finding)]
    violation = verdict.violation
    if violation is not None:
        span = index.span(violation.offset, min(violation.offset + 1, len(text)))
        lines += [
            "",
            f"violation: {violation.kind.value} at line {violation.line}, "
            f"column {violation.column}",
            *_indented(caret(text, span)),
            f"  {violation.message}",
            f"  legal here: {_markers(protocol, violation.legal_next) or 'nothing'}",
        ]
    elif verdict.ok:
        lines += ["", "conforms and is complete (this says nothing about its meaning)"]
    for hint in verdict.hints:
        lines.append(f"hint: line {hint.line}: {hint.message}")
    if correction is not None:
        lines += ["", *_correction(protocol, correction)]
    return "\n".join(lines) + "\n"


def _step(protocol: Protocol, step: Step) -> str:
    content = " ".join(step.content.split())
    if len(content) > _SHOWN:
        content = content[: _SHOWN - 3] + "..."
    marker = protocol.state(step.state).text
    return f"{step.line:>5}  {step.speaker.value:<11}  {marker}  {content}".rstrip()


def _finding(text: str, finding: Finding) -> list[str]:
    head = f"{finding.severity.value}: {finding.code} {finding.name}: {finding.message}"
    if finding.span is None:
        return [head]
    return [
        f"{head} at line {finding.span.line}, column {finding.span.column}",
        *_indented(caret(text, finding.span)),
    ]


def _correction(protocol: Protocol, correction: Correction) -> list[str]:
    tail = correction.accepted[-_SHOWN:]
    lines = [
        f"correction ({correction.mode.value}): {len(correction.accepted)} characters of the "
        f"model's turn are kept, ending {tail!r}"
    ]
    if correction.hand_over is not None:
        marker = protocol.state(correction.hand_over).text
        lines.append(f"  the turn goes to the environment: {marker}")
    elif correction.append:
        lines.append(f"  the model goes on after {correction.append!r}")
    elif not correction.feedback:
        lines.append("  nothing is appended")
    if correction.feedback:
        lines += _indented(correction.feedback)
    return lines


def _markers(protocol: Protocol, names: tuple[str, ...]) -> str:
    return ", ".join(protocol.state(name).text for name in names)


def _indented(text: str) -> list[str]:
    return [f"    {line}" for line in text.splitlines()]


def as_data(
    protocol: Protocol, verdict: Verdict, correction: Correction | None
) -> dict[str, object]:
    """The run as plain data, for JSON."""
    violation = verdict.violation
    return {
        "schema": "verulaw-gate/trace/1",
        "protocol": protocol.name,
        "ok": verdict.ok,
        "complete": verdict.complete,
        "accepted_end": verdict.accepted_end,
        "steps": [
            {
                "state": step.state,
                "speaker": step.speaker.value,
                "start": step.start,
                "content_start": step.content_start,
                "end": step.end,
                "line": step.line,
                "column": step.column,
                "content": step.content,
            }
            for step in verdict.steps
        ],
        "violation": None
        if violation is None
        else {
            "kind": violation.kind.value,
            "offset": violation.offset,
            "line": violation.line,
            "column": violation.column,
            "state": violation.state,
            "legal_next": list(violation.legal_next),
            "message": violation.message,
        },
        "findings": [
            {
                "code": finding.code,
                "name": finding.name,
                "severity": finding.severity.value,
                "message": finding.message,
                "line": finding.span.line if finding.span else None,
                "column": finding.span.column if finding.span else None,
            }
            for finding in verdict.findings
        ],
        "hints": [
            {
                "line": hint.line,
                "column": hint.column,
                "text": hint.text,
                "meant": hint.meant,
                "message": hint.message,
            }
            for hint in verdict.hints
        ],
        "correction": None
        if correction is None
        else {
            "mode": correction.mode.value,
            "accepted_chars": len(correction.accepted),
            "append": correction.append,
            "hand_over": correction.hand_over,
            "legal_next": list(correction.legal_next),
            "feedback": correction.feedback,
        },
    }
