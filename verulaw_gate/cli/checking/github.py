"""GitHub workflow commands: each finding becomes an annotation of its line."""

from __future__ import annotations

from collections.abc import Sequence

from verulaw_gate.cli.checking.human import _closing
from verulaw_gate.cli.checking.model import FileReport, Shown
from verulaw_gate.cli.checking.summary import summarise
from verulaw_gate.codes import Severity

_COMMAND = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def render(reports: Sequence[FileReport]) -> str:
    """One workflow command a line, and the closing lines as plain log text."""
    lines: list[str] = []
    for report in reports:
        failure = report.failure
        if failure is not None:
            text = failure.message + (f"\nhelp: {failure.hint}" if failure.hint else "")
            lines.append(
                _command(
                    "error", text, "could not be checked", report.path, failure.line, failure.column
                )
            )
        lines += [_finding(report.path, shown) for shown in report.counted]
        for notice in report.notices:
            lines.append(
                _command("notice", notice.message, notice.kind, report.path, notice.line or None)
            )
        if report.receipt:
            text = f"no receipt of a Verus run: {report.receipt}"
            lines.append(_command("error", text, "no receipt", report.path))
    return "\n".join([*lines, *_closing(summarise(reports))]) + "\n"


def _finding(path: str, shown: Shown) -> str:
    item = shown.finding
    text = item.message + (f"\nhelp: {item.hint}" if item.hint else "")
    properties = _place(path, shown.line or None, shown.column or None)
    if shown.line:
        properties.append(("endLine", str(shown.end_line)))
        # GitHub ignores columns over several lines and takes the end column as the last one.
        if shown.end_line == shown.line:
            last = max(shown.column, shown.end_column - 1)
            properties.append(("endColumn", str(last)))
    return _line(_COMMAND[item.severity], text, f"{item.code} {item.name}", properties)


def _place(path: str, line: int | None, column: int | None) -> list[tuple[str, str]]:
    properties = [("file", path)]
    if line is not None:
        properties.append(("line", str(line)))
        if column is not None:
            properties.append(("col", str(column)))
    return properties


def _command(
    command: str,
    text: str,
    title: str,
    path: str,
    line: int | None = None,
    column: int | None = None,
) -> str:
    return _line(command, text, title, _place(path, line, column))


def _line(command: str, text: str, title: str, properties: list[tuple[str, str]]) -> str:
    written = ",".join(
        f"{key}={_property(value)}" for key, value in [*properties, ("title", title)]
    )
    return f"::{command} {written}::{_data(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
