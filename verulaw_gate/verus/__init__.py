"""Real results of Verus: run, recorded, cached; each with an outcome that is never a guess."""

from __future__ import annotations

from verulaw_gate.verus.diagnostics import classify
from verulaw_gate.verus.model import (
    RECORDED_OPTIONS,
    STRICT_OPTIONS,
    Diagnostic,
    DiagnosticSpan,
    Outcome,
    Verification,
    Verifier,
    VerusOptions,
)
from verulaw_gate.verus.recorded import RecordedVerifier

__all__ = [
    "RECORDED_OPTIONS",
    "STRICT_OPTIONS",
    "Diagnostic",
    "DiagnosticSpan",
    "Outcome",
    "RecordedVerifier",
    "Verification",
    "Verifier",
    "VerusOptions",
    "classify",
]
