"""Do the verdicts on a designed trace agree with its labels?

A label speaks of one stage on its own. Where it names no class of ours, or the stage has no say,
the agreement is None, with the reason; it is then in neither count.
"""

from __future__ import annotations

from verulaw_gate.codes import PREDICTIVE, Severity
from verulaw_gate.findings import Finding
from verulaw_gate.gate.model import GateResult
from verulaw_gate.monitor.model import Verdict, ViolationKind
from verulaw_gate.record.events import LabelAgreement, LabelStage
from verulaw_gate.tasks.model import Label
from verulaw_gate.verus.model import Outcome

# What each protocol label is under the shipped `proof` protocol. The two that name a marker that
# is no state there come out as whatever follows from that line, with a hint that names it.
_KINDS: dict[str, frozenset[ViolationKind]] = {
    "text-before-first-marker": frozenset({ViolationKind.TEXT_BEFORE_FIRST_MARKER}),
    "missing-body": frozenset({ViolationKind.UNEXPECTED_STATE}),
    "truncated": frozenset({ViolationKind.MISSING_TERMINATION}),
    "missing-termination": frozenset({ViolationKind.MISSING_TERMINATION}),
    "duplicate-body": frozenset({ViolationKind.UNEXPECTED_STATE}),
    "lemma-after-body": frozenset({ViolationKind.UNEXPECTED_STATE}),
    "text-after-termination": frozenset({ViolationKind.TEXT_AFTER_TERMINATION}),
}
_BY_HINT = frozenset({"unknown-marker", "environment-state-from-model"})

_CODES: dict[str, frozenset[str]] = {
    "assume": frozenset({"VG301"}),
    "admit": frozenset({"VG302"}),
    "external-body": frozenset({"VG303"}),
    "axiom": frozenset({"VG305", "VG306"}),
    "markdown-fence": frozenset({"VG102"}),
    "unbalanced-delimiters": frozenset({"VG101", "VG107"}),
    "not-an-item": frozenset({"VG104"}),
    "block-escape": frozenset({"VG401"}),
    "spec-tampering": frozenset({"VG402", "VG403", "VG404", "VG405"}),
    "syntax-error": frozenset({"VG201"}),
}

_OUTCOMES: dict[str, frozenset[Outcome]] = {
    "verified": frozenset({Outcome.VERIFIED}),
    "proof-failure": frozenset({Outcome.PROOF_FAILURE, Outcome.RLIMIT}),
    "syntax-error": frozenset({Outcome.COMPILE_ERROR}),
    "unresolved-name": frozenset({Outcome.COMPILE_ERROR}),
    "type-error": frozenset({Outcome.COMPILE_ERROR}),
    "mode-error": frozenset({Outcome.COMPILE_ERROR}),
}


def agreements(
    label: Label, verdict: Verdict, result: GateResult, outcome: Outcome | None
) -> tuple[LabelAgreement, ...]:
    """One event a stage: protocol (the monitor's verdict), gate (the whole trace), Verus (the
    recorded outcome, None when nothing was recorded)."""
    return (
        _protocol(label.protocol, verdict, result),
        _gate(label, result, outcome),
        _verus(label.verus, outcome),
    )


def _event(
    stage: LabelStage, label: str, observed: str, agrees: bool | None, reason: str = ""
) -> LabelAgreement:
    return LabelAgreement(stage=stage, label=label, observed=observed, agrees=agrees, reason=reason)


def _protocol(label: str, verdict: Verdict, result: GateResult) -> LabelAgreement:
    violation = verdict.violation
    observed = "ok" if violation is None else violation.kind.value
    if label == "ok":
        agrees = violation is None
    elif label in _BY_HINT:
        rejected = violation is not None or bool(_errors(result))
        agrees = rejected and bool(verdict.hints)
        observed += " with a hint" if verdict.hints else " without a hint"
    else:
        agrees = violation is not None and violation.kind in _KINDS[label]
    return _event(LabelStage.PROTOCOL, label, observed, agrees)


def _gate(label: Label, result: GateResult, outcome: Outcome | None) -> LabelAgreement:
    errors = _errors(result)
    observed = ", ".join(sorted({f.name for f in errors})) or "ok"
    if label.protocol != "ok":
        reason = "the trace breaks the protocol; its gate label does not apply"
        return _event(LabelStage.GATE, label.gate, observed, None, reason)
    if label.gate == "ok":
        predictive = errors and all(f.family in PREDICTIVE for f in errors)
        if predictive and outcome is Outcome.COMPILE_ERROR:
            reason = "Verus's front end refuses it too; the label names no class for that"
            return _event(LabelStage.GATE, "ok", observed, None, reason)
        return _event(LabelStage.GATE, "ok", observed, not errors)
    missing = _layer_missing(label.gate, result)
    if missing:
        return _event(LabelStage.GATE, label.gate, observed, None, missing)
    agrees = any(f.code in _CODES[label.gate] for f in errors)
    return _event(LabelStage.GATE, label.gate, observed, agrees)


def _layer_missing(label: str, result: GateResult) -> str:
    """Why the class can't show: the layer that finds it did not run."""
    if label != "syntax-error":
        return ""
    native = next((layer for layer in result.layers if layer.name == "native"), None)
    if native is not None and native.ran:
        return ""
    return "the native syntax layer did not run"


def _verus(label: str, outcome: Outcome | None) -> LabelAgreement:
    observed = "not recorded" if outcome is None else outcome.value
    if label == "unknown":
        reason = "the label names no class"
        return _event(LabelStage.VERUS, label, observed, None, reason)
    if outcome is None:
        return _event(LabelStage.VERUS, label, observed, None, "no recorded result")
    return _event(LabelStage.VERUS, label, observed, outcome in _OUTCOMES[label])


def _errors(result: GateResult) -> list[Finding]:
    return [f for f in result.findings if f.severity is Severity.ERROR]
