"""Findings in the form of rustc's diagnostics, for agents that read Verus's output.

Each is marked `verulaw-gate[VGnnn]`. Nothing here looks like a result of Verus: there is no
`verification-results`, and the closing line says that Verus did not run.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from verulaw_gate.cli.checking.human import excerpt
from verulaw_gate.cli.checking.model import Shown
from verulaw_gate.codes import Severity

_LEVEL = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}


def error_format(arguments: Sequence[str]) -> str:
    """The form that the arguments of Verus ask for: `human` (the default), `short`, `json`."""
    form = "human"
    for number, argument in enumerate(arguments):
        if argument == "--error-format" and number + 1 < len(arguments):
            form = arguments[number + 1]
        elif argument.startswith("--error-format="):
            form = argument.partition("=")[2]
    return form if form in ("human", "short") else "json" if "json" in form else "human"


def render(path: str, text: str, shown: Sequence[Shown], form: str) -> str:
    """All diagnostics of one file and the closing line, for standard error."""
    closing = _closing(shown)
    if form == "json":
        rows = [_json(path, text, item) for item in shown]
        rows.append(_row(closing, "error", None, [], [], f"error: {closing}\n\n"))
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    if form == "short":
        return "".join(_short(path, item) + "\n" for item in shown) + f"error: {closing}\n"
    return "\n".join([*(human(path, item) for item in shown), f"error: {closing}\n"])


def _closing(shown: Sequence[Shown]) -> str:
    errors = sum(s.finding.severity is Severity.ERROR for s in shown)
    return (
        f"verulaw-gate: rejected before Verus ran, due to {errors} error{'s' * (errors != 1)}"
        " (VERULAW_BYPASS=1 switches the gate off)"
    )


def _message(item: Shown) -> str:
    return f"verulaw-gate[{item.finding.code}]: {item.finding.message}"


def human(path: str, item: Shown) -> str:
    """One diagnostic in rustc's usual form."""
    finding = item.finding
    lines = [f"{_LEVEL[finding.severity]}: {_message(item)}"]
    if item.line:
        source, caret = excerpt(item)
        number = str(item.line)
        margin = " " * len(number)
        lines += [
            f"{margin}--> {path}:{item.line}:{item.column}",
            f"{margin} |",
            f"{number} | {source}",
            f"{margin} | {caret}",
        ]
    else:
        margin = " "
        lines.append(f" --> {path}")
    if finding.hint:
        lines += [f"{margin} |", f"{margin} = help: {finding.hint}"]
    return "\n".join(lines) + "\n"


def _short(path: str, item: Shown) -> str:
    place = f"{path}:{item.line}:{item.column}" if item.line else path
    return f"{place}: {_LEVEL[item.finding.severity]}: {_message(item)}"


def _json(path: str, text: str, item: Shown) -> dict[str, Any]:
    finding = item.finding
    spans = [_span(path, text, item)] if finding.span is not None else []
    children = [_row(finding.hint, "help", None, [], [], None)] if finding.hint else []
    code = {"code": f"verulaw-gate[{finding.code}]", "explanation": None}
    rendered = human(path, item) + "\n"
    return _row(_message(item), _LEVEL[finding.severity], code, spans, children, rendered)


def _row(
    message: str,
    level: str,
    code: dict[str, Any] | None,
    spans: list[dict[str, Any]],
    children: list[dict[str, Any]],
    rendered: str | None,
) -> dict[str, Any]:
    row: dict[str, Any] = {
        "$message_type": "diagnostic",
        "message": message,
        "code": code,
        "level": level,
        "spans": spans,
        "children": children,
        "rendered": rendered,
    }
    if rendered is None:  # rustc's children have no type of their own
        del row["$message_type"]
    return row


def _span(path: str, text: str, item: Shown) -> dict[str, Any]:
    span = item.finding.span
    assert span is not None
    byte_start = len(text[: span.start].encode("utf-8"))
    lines = text.split("\n")[item.line - 1 : item.end_line]
    highlights = [
        {
            "text": line.removesuffix("\r"),
            "highlight_start": item.column if n == 0 else 1,
            "highlight_end": item.end_column if n == len(lines) - 1 else len(line) + 1,
        }
        for n, line in enumerate(lines)
    ]
    return {
        "file_name": path,
        "byte_start": byte_start,
        "byte_end": byte_start + len(text[span.start : span.end].encode("utf-8")),
        "line_start": item.line,
        "line_end": item.end_line,
        "column_start": item.column,
        "column_end": item.end_column,
        "is_primary": True,
        "text": highlights,
        "label": None,
        "suggested_replacement": None,
        "suggestion_applicability": None,
        "expansion": None,
    }
