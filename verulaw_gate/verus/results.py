"""What Verus says on stdout: the one JSON object of `--output-json`, or its summary line."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

_SUMMARY = re.compile(r"^verification results:: (\d{1,18}) verified, (\d{1,18}) errors\b", re.M)
_WORDS = "verification results::"
_NAME = '"verification-results"'
# So many beginnings of objects that are none make no output of Verus; trying them all might take
# for ever.
_TRIES = 1000
_HEAD = 200  # characters in which the first name of an object stands
_OBJECT_START = re.compile(r"^[ \t]*\{", re.MULTILINE)
_NEXT_OBJECT = re.compile(r"\s*\{")


@dataclass(frozen=True, slots=True)
class Results:
    """`verification-results` of one run. Counts are None where Verus gives none (after an error
    of its own front end); `success` is None with `--verify-function`. `functions` are the paths
    that `func-details` names, None where there is no such table."""

    encountered_error: bool
    encountered_vir_error: bool
    success: bool | None
    verified: int | None
    errors: int | None
    entire_crate: bool | None
    functions: tuple[str, ...] | None
    version: str | None

    @property
    def failed(self) -> bool:
        """Whether the object speaks of any failure."""
        return (
            self.encountered_error
            or self.encountered_vir_error
            or self.success is False
            or bool(self.errors)
        )


def objects(stdout: str) -> tuple[list[Results], bool]:
    """The results objects on `stdout` in order, and whether one began that is not whole.

    Text before or after an object is passed over: it is not Verus's result. An object counts only
    if it parses to its end, says nothing twice and has the fields in their kinds; one that began
    and did not is said, and so is the name of the results anywhere else: half a result is never
    read as a result, and none is passed over.
    """
    found: list[Results] = []
    broken = False
    decoder = json.JSONDecoder(object_pairs_hook=_said_once)
    failed = 0
    last_named = stdout.rfind(_NAME)
    named = stdout.count(_NAME)
    start = _OBJECT_START.search(stdout)
    while start is not None:
        at = start.end() - 1
        try:
            value, position = decoder.raw_decode(stdout, at)
        except (ValueError, RecursionError):
            # An object that names the results and does not parse was cut or damaged. Any other
            # text that happens to begin with a brace is not ours.
            head = stdout.find('"func-details"', at, at + _HEAD)
            broken = broken or last_named >= at or head >= 0
            failed += 1
            if failed > _TRIES:
                return found, True
            start = _OBJECT_START.search(stdout, at + 1)
            continue
        start = _NEXT_OBJECT.match(stdout, position) or _OBJECT_START.search(stdout, position)
        named -= stdout.count(_NAME, at, position)
        if isinstance(value, dict) and ("verification-results" in value or "verus" in value):
            if "verification-results" not in value:
                continue  # `--version --output-json` has no results and is no half result
            results = _read(value)
            if results is None:
                broken = True
            else:
                found.append(results)
    return found, broken or named > 0


def _said_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) != len(pairs):
        raise ValueError("a name twice in one object")
    return table


def summaries(stdout: str) -> list[tuple[int, int]]:
    """(verified, errors) of each plain summary line: one a crate."""
    return [(int(match[1]), int(match[2])) for match in _SUMMARY.finditer(stdout)]


def half_summary(stdout: str) -> bool:
    """Whether a summary line began and is not whole."""
    begun = len(re.findall(rf"^{_WORDS}", stdout, re.MULTILINE))
    last = stdout.rsplit("\n", 1)[-1]
    return begun > len(summaries(stdout)) or (bool(last) and _WORDS.startswith(last))


def _read(value: dict[str, Any]) -> Results | None:
    table = value["verification-results"]
    if not isinstance(table, dict):
        return None
    error, vir = table.get("encountered-error"), table.get("encountered-vir-error")
    success, entire = table.get("success"), table.get("is-verifying-entire-crate")
    verified, errors = table.get("verified"), table.get("errors")
    flags = (error, vir)
    optional = (success, entire)
    counts = (verified, errors)
    if not all(isinstance(f, bool) for f in flags):
        return None
    if not all(f is None or isinstance(f, bool) for f in optional):
        return None
    if not all(c is None or (type(c) is int and c >= 0) for c in counts):
        return None
    if (verified is None) != (errors is None):
        return None
    details = value.get("func-details")
    verus = value.get("verus")
    version = verus.get("version") if isinstance(verus, dict) else None
    return Results(
        encountered_error=bool(error),
        encountered_vir_error=bool(vir),
        success=success,
        verified=verified,
        errors=errors,
        entire_crate=entire,
        functions=tuple(sorted(details)) if isinstance(details, dict) else None,
        version=version if isinstance(version, str) else None,
    )
