"""Figures over all files, and the words for what was not done. Used by every output format."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from verulaw_gate.cli.checking.model import BaseKind, FileReport
from verulaw_gate.codes import Severity

NOT_COMPARED = "specification not compared"


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts over a run of `check`. `files` counts those named or walked; of these `checked` were
    gated, `skipped` are not for us, `unusable` could not be checked. `fixed`: files changed."""

    files: int
    checked: int
    skipped: int
    unusable: int
    errors: int
    warnings: int
    notes: int
    hushed: int
    fixed: int
    without_receipt: int
    not_compared: int
    not_run: tuple[tuple[str, str, int], ...]

    @property
    def clean(self) -> bool:
        """Nothing rejects and every file could be checked."""
        return not (self.errors or self.unusable or self.without_receipt)


def summarise(reports: Sequence[FileReport]) -> Summary:
    """The figures of a run."""
    gated = [r for r in reports if r.failure is None and not r.skipped]
    severities = [s.finding.severity for r in reports for s in r.counted]
    not_run: dict[tuple[str, str], int] = {}
    for report in gated:
        for layer in report.layers:
            if not layer.ran:
                key = (layer.name, layer.reason)
                not_run[key] = not_run.get(key, 0) + 1
    return Summary(
        files=len(reports),
        checked=len(gated),
        skipped=sum(bool(r.skipped) for r in reports),
        unusable=sum(r.failure is not None for r in reports),
        errors=severities.count(Severity.ERROR),
        warnings=severities.count(Severity.WARNING),
        notes=severities.count(Severity.NOTE),
        hushed=sum(len(r.shown) - len(r.counted) for r in reports),
        fixed=sum(bool(r.fixed) for r in reports),
        without_receipt=sum(bool(r.receipt) for r in reports),
        not_compared=sum(not r.base.compared for r in gated),
        not_run=tuple((name, reason, n) for (name, reason), n in not_run.items()),
    )


def exit_code(reports: Sequence[FileReport]) -> int:
    """The exit code of the run: the worst of its files."""
    return max((report.exit_code for report in reports), default=0)


def comparison(report: FileReport) -> str:
    """What one file was compared with, in words."""
    base = report.base
    if base.kind is BaseKind.NEW:
        return f"{NOT_COMPARED}: new since {base.name}"
    if base.kind is BaseKind.NONE:
        return f"{NOT_COMPARED}: no base (--against REV|FILE, or --task)"
    return f"compared with {base.name}"


def count(number: int, word: str) -> str:
    """`1 error`, `2 errors`."""
    return f"{number} {word}" + ("" if number == 1 else "s")
