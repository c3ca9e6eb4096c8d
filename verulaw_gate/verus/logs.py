"""Record the results of an attempt log anew: the same attempts under this Verus."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from verulaw_gate.errors import LogError
from verulaw_gate.verus.clean import without_machine_paths
from verulaw_gate.verus.model import Verification

Attempt = dict[str, Any]


def read_log(path: Path) -> Iterator[Attempt]:
    """The objects of an attempt log that have a source, with all their fields.

    Raises LogError for a file that cannot be read or a line that is no attempt with a source.
    """
    try:
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield _attempt(line, path, number)
    except OSError as problem:
        raise LogError(f"cannot be read: {problem.strerror}", path=path) from None
    except UnicodeDecodeError:
        raise LogError("is not UTF-8", path=path) from None


def _attempt(line: str, path: Path, number: int) -> Attempt:
    hint = "one JSON object a line, with `source` (schema verulaw-gate/attempt/1)"
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as problem:
        raise LogError(f"not JSON: {problem}", hint=hint, path=path, line=number) from None
    if not isinstance(value, dict) or not isinstance(value.get("source"), str):
        raise LogError("no attempt with a source", hint=hint, path=path, line=number)
    return value


def log_result(result: Verification, roots: tuple[Path, ...] = ()) -> dict[str, Any]:
    """The `verus` field of an attempt for a result: a summary, also of a timeout or crash."""
    return {
        "version": result.version,
        "outcome": result.outcome.value,
        "exit_code": result.exit_code,
        "verified": result.verified,
        "errors": result.errors,
        "front_end": result.front_end,
        "wall_s": None if result.wall_s is None else round(result.wall_s, 3),
        "diagnostics": [
            {
                "code": diagnostic.code,
                "message": without_machine_paths(diagnostic.message, roots),
                "line": diagnostic.line,
                "column": next((s.column for s in diagnostic.spans if s.primary), None),
            }
            for diagnostic in result.diagnostics
            if diagnostic.level == "error"
        ],
    }


def strict_result(result: Verification) -> dict[str, Any]:
    """The `strict` field of an attempt: `refused` where Verus's front end says no to a cheat."""
    refused = result.front_end == "vir"
    return {
        "options": ["--no-cheating"],
        "exit_code": result.exit_code,
        "outcome": "refused" if refused else result.outcome.value,
    }
