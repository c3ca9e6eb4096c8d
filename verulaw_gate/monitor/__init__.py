"""The monitor: holds a text to a protocol while it streams, and says how to go on."""

from verulaw_gate.monitor.model import (
    ContentChecker,
    ContentSession,
    Correction,
    CorrectionMode,
    Hint,
    Mode,
    Speaker,
    Step,
    Verdict,
    Violation,
    ViolationKind,
)
from verulaw_gate.monitor.monitor import Monitor
from verulaw_gate.monitor.outcomes import CorrectionCount, CorrectionOutcome, count
from verulaw_gate.monitor.trace import default_prompt, run_trace

__all__ = [
    "ContentChecker",
    "ContentSession",
    "Correction",
    "CorrectionCount",
    "CorrectionMode",
    "CorrectionOutcome",
    "Hint",
    "Mode",
    "Monitor",
    "Speaker",
    "Step",
    "Verdict",
    "Violation",
    "ViolationKind",
    "count",
    "default_prompt",
    "run_trace",
]
