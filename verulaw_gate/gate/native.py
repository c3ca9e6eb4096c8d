"""The native layer: Verus's own parser (verus_syn) in an optional Rust extension.

Without the extension the layer is reported as not run; nothing else changes. The parser is pinned
to one published version, and that to the Verus release it belongs to (`versions`).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from verulaw_gate.gate.native_facts import Facts

__all__ = ["LIMIT_MS", "Facts", "Versions", "analyse", "available", "reason", "versions"]

_native: ModuleType | None
try:
    from verulaw_gate import _native as _loaded
except ImportError as error:  # built without cargo, or not built in this checkout
    _native = None
    _REASON = f"the native extension is not there ({error})"
else:
    _native = _loaded
    _REASON = ""

LIMIT_MS = 2000
"""Milliseconds of wall time after which one analysis is given up."""


@dataclass(frozen=True, slots=True)
class Versions:
    """The pinned parser and the Verus release whose front end the rules speak of."""

    verus_syn: str
    verus: str


def available() -> bool:
    """Whether the extension is there."""
    return _native is not None


def reason() -> str:
    """Why the extension is not there; empty when it is."""
    return _REASON


def versions() -> Versions | None:
    """The pinned versions, None without the extension."""
    if _native is None:
        return None
    return Versions(*_native.versions())


def analyse(source: str) -> Facts:
    """The facts of one source. Never raises for bad source: what cannot be analysed (size,
    nesting, time, plain Rust that uses a Verus keyword) has the status `unanalysed` and a reason.
    Without the extension the result is `unanalysed`, too."""
    if _native is None:
        return Facts("unanalysed", _REASON)
    try:
        text = _native.analyse(source, LIMIT_MS)
    except UnicodeEncodeError:
        # A lone surrogate is a str but no text; rustc would not read such a file.
        return Facts("unanalysed", "the source is not valid Unicode")
    raw: dict[str, Any] = json.loads(text)
    return Facts(**raw)
