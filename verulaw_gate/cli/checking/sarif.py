"""SARIF 2.1.0 (OASIS, "Static Analysis Results Interchange Format"), for code scanning."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from verulaw_gate import __version__
from verulaw_gate.cli.checking.json_output import json_text
from verulaw_gate.cli.checking.model import FileReport, Notice, Shown
from verulaw_gate.cli.checking.summary import exit_code
from verulaw_gate.codes import CODES, Code, Severity

_LEVEL = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}
_SUPPRESSED = {"comment": "inSource", "baseline": "external"}


def render(reports: Sequence[FileReport]) -> str:
    """One SARIF log with one run."""
    used = sorted({s.finding.code for r in reports for s in r.shown})
    place = {code: number for number, code in enumerate(used)}
    notifications = [n for report in reports for n in _notifications(report)]
    invocation: dict[str, Any] = {
        "executionSuccessful": all(r.failure is None for r in reports),
        "exitCode": exit_code(reports),
    }
    if notifications:
        invocation["toolExecutionNotifications"] = notifications
    driver = {
        "name": "verulaw-gate",
        "semanticVersion": __version__,
        "rules": [_rule(CODES[code]) for code in used],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [invocation],
        "results": [r for report in reports for r in _results(report, place)],
    }
    document = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    }
    return json_text(document)


def _rule(row: Code) -> dict[str, Any]:
    return {
        "id": row.code,
        "name": "".join(word.capitalize() for word in row.name.split("-")),
        "shortDescription": {"text": row.summary},
        "defaultConfiguration": {"level": _LEVEL[row.severity]},
        "properties": {"tags": [row.family]},
    }


def _uri(path: str) -> str:
    return quote(os.fsencode(path.replace(os.sep, "/")), safe="/")


def _artifact(path: str) -> dict[str, Any]:
    return {"uri": _uri(path)} if path != "<stdin>" else {"uri": "stdin"}


def _results(report: FileReport, place: dict[str, int]) -> list[dict[str, Any]]:
    seen: Counter[str] = Counter()
    results = []
    for shown in report.shown:
        item = shown.finding
        text = item.message + (f"\n{item.hint}" if item.hint else "")
        location: dict[str, Any] = {"artifactLocation": _artifact(report.path)}
        if item.span is not None:
            location["region"] = {
                "startLine": shown.line,
                "startColumn": shown.column,
                "endLine": shown.end_line,
                "endColumn": shown.end_column,
                "charOffset": item.span.start,
                "charLength": item.span.end - item.span.start,
            }
        result: dict[str, Any] = {
            "ruleId": item.code,
            "ruleIndex": place[item.code],
            "level": _LEVEL[item.severity],
            "message": {"text": text},
            "locations": [{"physicalLocation": location}],
            "partialFingerprints": {"verulawGate/v1": _fingerprint(report.path, shown, seen)},
        }
        if item.fix:
            result["fixes"] = [_fix(report.path, shown)]
        if shown.hushed:
            result["suppressions"] = [{"kind": _SUPPRESSED[shown.hushed]}]
        results.append(result)
    return results


def _fingerprint(path: str, shown: Shown, seen: Counter[str]) -> str:
    """Known by file, code and the text of the line, as in a baseline, so that code may move."""
    text = f"{_uri(path)}\n{shown.finding.code}\n{' '.join(shown.source_line.split())}"
    digest = hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:16]
    seen[digest] += 1
    return f"{digest}:{seen[digest]}"


def _fix(path: str, shown: Shown) -> dict[str, Any]:
    replacements = [
        {
            "deletedRegion": {"charOffset": e.start, "charLength": e.end - e.start},
            "insertedContent": {"text": e.text},
        }
        for e in shown.finding.fix
    ]
    change = {"artifactLocation": _artifact(path), "replacements": replacements}
    fix: dict[str, Any] = {"artifactChanges": [change]}
    if shown.finding.hint:
        fix["description"] = {"text": shown.finding.hint}
    return fix


def _notifications(report: FileReport) -> list[dict[str, Any]]:
    found = [_notification(report.path, "note", n) for n in report.notices]
    if report.failure is not None:
        failure = report.failure
        notice = Notice(
            "could-not-be-checked", failure.message, failure.line or 0, failure.column or 0
        )
        found.append(_notification(report.path, "error", notice))
    if report.receipt:
        notice = Notice("no-receipt", f"no receipt of a Verus run: {report.receipt}")
        found.append(_notification(report.path, "error", notice))
    return found


def _notification(path: str, level: str, notice: Notice) -> dict[str, Any]:
    location: dict[str, Any] = {"artifactLocation": _artifact(path)}
    if notice.line:
        location["region"] = {"startLine": notice.line}
        if notice.column:
            location["region"]["startColumn"] = notice.column
    return {
        "descriptor": {"id": notice.kind},
        "level": level,
        "message": {"text": notice.message},
        "locations": [{"physicalLocation": location}],
    }
