"""Real results of Verus: run, recorded, cached; each with an outcome that is never a guess."""

from __future__ import annotations

from verulaw_gate.verus.diagnostics import classify
from verulaw_gate.verus.limits import Limits
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
from verulaw_gate.verus.verifier import VerusVerifier

__all__ = [
    "RECORDED_OPTIONS",
    "STRICT_OPTIONS",
    "Diagnostic",
    "DiagnosticSpan",
    "Limits",
    "Outcome",
    "RecordedVerifier",
    "Verification",
    "Verifier",
    "VerusOptions",
    "VerusVerifier",
    "classify",
]
