"""Real results of Verus: run, recorded, cached; each with an outcome that is never a guess."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from verulaw_gate.verus.asynchronous import averify
    from verulaw_gate.verus.cache import CachingVerifier
    from verulaw_gate.verus.cancel import Cancel
    from verulaw_gate.verus.cargo import CargoVerusVerifier
    from verulaw_gate.verus.diagnostics import classify
    from verulaw_gate.verus.find import find_verus
    from verulaw_gate.verus.limits import Limits
    from verulaw_gate.verus.pool import VerusPool
    from verulaw_gate.verus.process import RunCancelled
    from verulaw_gate.verus.recorded import RecordedVerifier
    from verulaw_gate.verus.slots import BoundedVerifier
    from verulaw_gate.verus.verifier import VerusVerifier

# Loaded on first use: `check` and the drop-in `verus` want a key or a path from this room, and
# starting them must not cost the runner, the pool and the recordings.
_LATER = {
    "BoundedVerifier": "slots",
    "CachingVerifier": "cache",
    "Cancel": "cancel",
    "CargoVerusVerifier": "cargo",
    "Limits": "limits",
    "RecordedVerifier": "recorded",
    "RunCancelled": "process",
    "VerusPool": "pool",
    "VerusVerifier": "verifier",
    "averify": "asynchronous",
    "classify": "diagnostics",
    "find_verus": "find",
}


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_LATER[name]}"), name)


__all__ = [
    "RECORDED_OPTIONS",
    "STRICT_OPTIONS",
    "BoundedVerifier",
    "CachingVerifier",
    "Cancel",
    "CargoVerusVerifier",
    "Diagnostic",
    "DiagnosticSpan",
    "Limits",
    "Outcome",
    "RecordedVerifier",
    "RunCancelled",
    "Verification",
    "Verifier",
    "VerusOptions",
    "VerusPool",
    "VerusVerifier",
    "averify",
    "classify",
    "find_verus",
]
