"""The output for programs: one JSON object, keys as documented in docs/check-output.md."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from verulaw_gate import __version__
from verulaw_gate.cli.checking.model import FileReport, Shown
from verulaw_gate.cli.checking.summary import summarise

SCHEMA = "verulaw-gate/check/1"


def render(reports: Sequence[FileReport]) -> str:
    """The whole output."""
    document = {
        "schema": SCHEMA,
        "version": __version__,
        "files": [_file(report) for report in reports],
        "summary": _summary(reports),
    }
    return json_text(document)


def json_text(document: dict[str, Any]) -> str:
    """JSON that is always UTF-8: a byte of a file name that is none is written as an escape."""
    text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _summary(reports: Sequence[FileReport]) -> dict[str, Any]:
    summary = summarise(reports)
    table = asdict(summary)
    table["not_run"] = [
        {"layer": name, "reason": reason, "files": n} for name, reason, n in summary.not_run
    ]
    return table


def _file(report: FileReport) -> dict[str, Any]:
    failure = report.failure
    return {
        "path": report.path,
        "base": {"kind": report.base.kind, "name": report.base.name},
        "specification_compared": report.base.compared,
        "verus_version": report.verus_version,
        "failure": asdict(failure) if failure else None,
        "skipped": report.skipped or None,
        "findings": [finding(shown) for shown in report.shown],
        "notices": [asdict(notice) for notice in report.notices],
        "layers": [
            {"name": layer.name, "ran": layer.ran, "reason": layer.reason}
            for layer in report.layers
        ],
        "fixed": list(report.fixed),
        "receipt": None if report.receipt is None else (report.receipt or "found"),
    }


def finding(shown: Shown) -> dict[str, Any]:
    """One finding. Places are null for a finding about the text as a whole."""
    item = shown.finding
    placed = item.span is not None
    return {
        "code": item.code,
        "name": item.name,
        "family": item.family,
        "severity": item.severity,
        "message": item.message,
        "hint": item.hint,
        "line": shown.line if placed else None,
        "column": shown.column if placed else None,
        "end_line": shown.end_line if placed else None,
        "end_column": shown.end_column if placed else None,
        "start": item.span.start if item.span else None,
        "end": item.span.end if item.span else None,
        "fix": [{"start": e.start, "end": e.end, "text": e.text} for e in item.fix],
        "hushed": shown.hushed or None,
    }
