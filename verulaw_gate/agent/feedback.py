"""What the model is told after an attempt: typed diagnostics and findings, within a token budget.

Every text here is made by us from typed values; what it quotes of the model's text or of Verus's
messages is quoted on indented lines, so that it can never read as a marker of a protocol.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from verulaw_gate.agent.model import CHARACTERS_PER_TOKEN
from verulaw_gate.agent.text import visible
from verulaw_gate.codes import Severity
from verulaw_gate.findings import Finding
from verulaw_gate.monitor.model import Verdict
from verulaw_gate.protocol import Protocol
from verulaw_gate.spans import LineIndex
from verulaw_gate.tasks.model import Assembly
from verulaw_gate.verus.feedback import flat
from verulaw_gate.verus.model import Diagnostic, DiagnosticSpan, Outcome, Verification

_HOLE = {"lemmas": "[Lemma]", "body": "[Body]"}
_LINE_CHARS = 160
_OUTCOMES = {
    Outcome.PROOF_FAILURE: "Verus could not prove it.",
    Outcome.COMPILE_ERROR: "Verus's front end refused it: the file does not compile.",
    Outcome.RLIMIT: "Verus gave up: the resource limit was exceeded. Make the proof simpler for "
    "the solver: smaller lemmas, intermediate assertions, explicit triggers.",
    Outcome.TIMEOUT: "Verus did not finish within the time limit. Make the proof simpler.",
    Outcome.NOT_VERIFIED: "Verus did not verify anything.",
    Outcome.CRASH: "Verus crashed on it. Write it differently.",
    Outcome.TOOL_ERROR: "Verus could not be run.",
}


def verus_feedback(
    verification: Verification, assembly: Assembly, target: str, *, tokens: int
) -> str:
    """Verus's answer for the model. `tokens` bounds its length (estimated); what does not fit is
    counted in the text. Deterministic for a given result."""
    if verification.outcome is Outcome.VERIFIED:
        opening = f"Verus accepted the file, but did not prove `{target}` itself."
    else:
        opening = _OUTCOMES[verification.outcome]
    index = LineIndex(assembly.source)
    errors = [d for d in verification.diagnostics if d.level == "error" and _worth_telling(d)]
    entries = [_diagnostic(d, assembly, index) for d in _distinct(errors)]
    return _within(opening, entries, "error", tokens)


def gate_feedback(
    findings: Sequence[Finding], text: str, *, with_fix: bool = True, tokens: int
) -> str:
    """What the gate found, with the remedy of each finding unless `with_fix` is off."""
    opening = "The answer was not sent to Verus: it cannot be a valid proof as it stands."
    rejecting = [f for f in findings if f.severity is Severity.ERROR]
    index = LineIndex(text)
    return _within(opening, [_finding(f, index, with_fix) for f in rejecting], "finding", tokens)


def protocol_feedback(verdict: Verdict, protocol: Protocol) -> str:
    """What went against the format, and what is legal there."""
    violation = verdict.violation
    if violation is None:
        raise ValueError("nothing went against the format")
    legal = [protocol.state(name).text for name in violation.legal_next]
    lines = [
        f"The answer does not keep to the format (line {violation.line}): "
        f"{_one_line(violation.message)}.",
        "Expected there: " + (" or ".join(legal) if legal else "the end of the answer") + ".",
    ]
    lines += [
        f"Line {hint.line} looks like a marker and is none: {_one_line(hint.message)}"
        for hint in verdict.hints[:3]
    ]
    return "\n".join(lines)


def _worth_telling(diagnostic: Diagnostic) -> bool:
    return not diagnostic.message.startswith("aborting due to")


def _distinct(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    found: dict[tuple[str, tuple[DiagnosticSpan, ...]], Diagnostic] = {}
    for diagnostic in diagnostics:
        found.setdefault((diagnostic.message, diagnostic.spans), diagnostic)
    return list(found.values())


def _diagnostic(diagnostic: Diagnostic, assembly: Assembly, index: LineIndex) -> str:
    primary = next((s for s in diagnostic.spans if s.primary), None)
    place = _place(primary, assembly, index) if primary else ""
    code = f" [{diagnostic.code}]" if diagnostic.code else ""
    lines = [f"{_one_line(diagnostic.message)}{code}" + (f", {place}:" if place else "")]
    if primary:
        lines.append("    " + _quoted(primary, index))
    for span in diagnostic.spans:
        if span.primary and not span.label:
            continue
        label = _one_line(span.label)
        if span.primary:
            lines.append(f"    ({label})")
        else:
            lines.append(f"    {label or 'see'}, {_place(span, assembly, index)}:")
            lines.append("      " + _quoted(span, index))
    return "\n".join(lines)


def _place(span: DiagnosticSpan, assembly: Assembly, index: LineIndex) -> str:
    """Where in the model's own sections a line of the candidate is; else where in the file."""
    try:
        at = index.line_start(span.line) + max(0, span.column - 1)
    except IndexError:
        return f"line {span.line}"
    numbers = {"lemmas": 0, "body": 0}
    several = sum(piece.hole == "lemmas" for piece in assembly.pieces) > 1
    for piece in assembly.pieces:
        numbers[piece.hole] += 1
        if piece.source_start <= at <= piece.source_end:
            first, _ = index.position(piece.source_start)
            which = f" {numbers['lemmas']}" if several and piece.hole == "lemmas" else ""
            return f"in your {_HOLE[piece.hole]}{which}, line {span.line - first + 1}"
    return f"in the fixed part of the file, line {span.line}"


def _quoted(span: DiagnosticSpan, index: LineIndex) -> str:
    try:
        text = index.line_text(span.line)
    except IndexError:
        text = span.text
    return f"`{_one_line(text)}`"


def _finding(finding: Finding, index: LineIndex, with_fix: bool) -> str:
    where = ""
    quoted = ""
    if finding.span is not None:
        where = f" (line {finding.span.line})"
        quoted = f"\n    `{_one_line(index.line_text(finding.span.line))}`"
    text = f"{finding.name}{where}: {_one_line(finding.message)}{quoted}"
    if with_fix and finding.hint:
        text += f"\n    Remedy: {_one_line(finding.hint)}"
    return text


def _one_line(text: str) -> str:
    shown = visible(flat(text))
    return shown if len(shown) <= _LINE_CHARS else shown[: _LINE_CHARS - 1] + "…"


def _within(opening: str, entries: Sequence[str], noun: str, tokens: int) -> str:
    """As many entries as fit, the first one always (it is short: every line is bounded)."""
    limit = tokens * CHARACTERS_PER_TOKEN
    parts, size = [opening], len(opening)
    for number, entry in enumerate(entries, 1):
        text = f"{number}. {entry}"
        if number > 1 and size + len(text) > limit:
            rest = len(entries) - number + 1
            parts.append(f"({rest} more {noun}{'s' if rest > 1 else ''} not shown)")
            break
        parts.append(text)
        size += len(text) + 1
    return "\n".join(parts)
