"""verulaw_gate: hold an LLM's proof text to a protocol, and gate its Verus calls.

The names below are the public ones; each room's own page says more. Acceptance by monitor and gate
is a prefilter: only Verus judges meaning.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from verulaw_gate.codes import CODES, Family, Severity
    from verulaw_gate.errors import VerulawError
    from verulaw_gate.findings import Finding
    from verulaw_gate.gate import Decision, Gate, GateResult
    from verulaw_gate.monitor import Monitor, Verdict, Violation, run_trace
    from verulaw_gate.protocol import Protocol, compile_protocol, load_protocol, parse_protocol
    from verulaw_gate.record import Store
    from verulaw_gate.tasks import Task, load_suite, load_task
    from verulaw_gate.verus import (
        CachingVerifier,
        Outcome,
        RecordedVerifier,
        Verification,
        Verifier,
        VerusOptions,
        VerusVerifier,
    )

# Loaded on first use: `check` has to start within its budget, and most users want one room.
_ROOM_OF = {
    "CODES": "codes",
    "CachingVerifier": "verus",
    "Decision": "gate",
    "Family": "codes",
    "Finding": "findings",
    "Gate": "gate",
    "GateResult": "gate",
    "Monitor": "monitor",
    "Outcome": "verus",
    "Protocol": "protocol",
    "RecordedVerifier": "verus",
    "Severity": "codes",
    "Store": "record",
    "Task": "tasks",
    "Verdict": "monitor",
    "Verification": "verus",
    "Verifier": "verus",
    "VerulawError": "errors",
    "VerusOptions": "verus",
    "VerusVerifier": "verus",
    "Violation": "monitor",
    "compile_protocol": "protocol",
    "load_protocol": "protocol",
    "load_suite": "tasks",
    "load_task": "tasks",
    "parse_protocol": "protocol",
    "run_trace": "monitor",
}


def __getattr__(name: str) -> object:
    if name not in _ROOM_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_ROOM_OF[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_ROOM_OF])


__all__ = [
    "CODES",
    "CachingVerifier",
    "Decision",
    "Family",
    "Finding",
    "Gate",
    "GateResult",
    "Monitor",
    "Outcome",
    "Protocol",
    "RecordedVerifier",
    "Severity",
    "Store",
    "Task",
    "Verdict",
    "Verification",
    "Verifier",
    "VerulawError",
    "VerusOptions",
    "VerusVerifier",
    "Violation",
    "__version__",
    "compile_protocol",
    "load_protocol",
    "load_suite",
    "load_task",
    "parse_protocol",
    "run_trace",
]
