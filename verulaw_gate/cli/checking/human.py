"""The output for people: each finding with its source line and a caret."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from verulaw_gate.cli.checking.model import FileReport, Shown
from verulaw_gate.cli.checking.summary import NOT_COMPARED, Summary, count, summarise

_WIDEST = 120


def render(reports: Sequence[FileReport], *, verbose: bool = False) -> str:
    """The whole output. `verbose` also lists hushed findings and files that were passed over."""
    blocks: list[str] = []
    for report in reports:
        for message in report.fixed:
            blocks.append(f"{report.path}: fixed: {message}")
        if report.failure is not None:
            blocks.append(_failure(report))
        if report.skipped and verbose:
            blocks.append(f"{report.path}: not checked: {report.skipped}")
        for shown in report.shown:
            if not shown.hushed or verbose:
                blocks.append(finding(report.path, shown))
        for notice in report.notices:
            place = f"{report.path}:{notice.line}" if notice.line else report.path
            blocks.append(f"{place}: note: {notice.message}")
        if report.receipt:
            blocks.append(f"{report.path}: error: no receipt of a Verus run: {report.receipt}")
    blocks.append("\n".join(_closing(summarise(reports))))
    return "\n".join(blocks) + "\n"


def finding(path: str, shown: Shown) -> str:
    """One finding: place, severity, code, name, message; the source line with a caret; the hint."""
    item = shown.finding
    place = f"{path}:{shown.line}:{shown.column}" if shown.line else path
    hushed = f" [hushed by {shown.hushed}]" if shown.hushed else ""
    lines = [f"{place}: {item.severity}: {item.code} {item.name}: {item.message}{hushed}"]
    if shown.line:
        margin = f"{shown.line:>5}"
        source, caret = excerpt(shown)
        lines += [f"{margin} | {source}", f"{' ' * len(margin)} | {caret}"]
    if item.hint:
        lines.append(f"      = help: {item.hint}")
    return "\n".join(lines)


def excerpt(shown: Shown) -> tuple[str, str]:
    """The source line made safe to print, and the caret line under it. Characters that would move
    or hide text in a terminal are written as escapes; a long line is cut around the place."""
    line = shown.source_line
    start = shown.column - 1
    end = shown.end_column - 1 if shown.end_line == shown.line else len(line)
    end = max(start + 1, min(end, len(line)))
    first = max(0, start - 40) if len(line) > _WIDEST else 0
    last = min(len(line), first + _WIDEST)
    cells = [_printable(c) for c in line[first:last]]
    before = sum(_width(c) for c in cells[: start - first])
    under = sum(_width(c) for c in cells[start - first : max(end, start + 1) - first]) or 1
    head, tail = ("..." if first else ""), ("..." if last < len(line) else "")
    return head + "".join(cells) + tail, " " * (len(head) + before) + "^" * under


def _printable(char: str) -> str:
    if char == "\t":
        return "    "
    if unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp", "Cs", "Co", "Cn"):
        return f"\\u{{{ord(char):x}}}"
    return char


def _width(cell: str) -> int:
    if len(cell) > 1:
        return len(cell)
    if unicodedata.combining(cell):
        return 0
    return 2 if unicodedata.east_asian_width(cell) in "WF" else 1


def _failure(report: FileReport) -> str:
    failure = report.failure
    assert failure is not None
    place = report.path
    if failure.line is not None:
        place += f":{failure.line}" + (f":{failure.column}" if failure.column is not None else "")
    text = f"{place}: error: {failure.message}"
    return text + (f"\n      = help: {failure.hint}" if failure.hint else "")


def _closing(summary: Summary) -> list[str]:
    parts = [count(summary.errors, "error"), count(summary.warnings, "warning")]
    if summary.notes:
        parts.append(count(summary.notes, "note"))
    lines = [f"{count(summary.checked, 'file')} checked: {', '.join(parts)}"]
    if summary.unusable:
        lines[0] += f"; {count(summary.unusable, 'file')} could not be checked"
    if summary.skipped:
        lines[0] += f"; {count(summary.skipped, 'file')} without Verus code"
    if summary.hushed:
        lines[0] += f"; {count(summary.hushed, 'finding')} hushed by comments or the baseline"
    if summary.without_receipt:
        lines.append(f"{count(summary.without_receipt, 'file')} without a receipt of a Verus run")
    if summary.not_compared:
        lines.append(
            f"{NOT_COMPARED} in {count(summary.not_compared, 'file')}"
            " (no base: --against REV|FILE, or --task)"
        )
    for name, reason, number in summary.not_run:
        lines.append(f"not run: {name} ({reason}), {count(number, 'file')}")
    if summary.checked and summary.clean:
        lines.append("nothing to reject before Verus; Verus itself was not run")
    return lines
