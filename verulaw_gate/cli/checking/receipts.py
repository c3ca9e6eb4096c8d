"""`check --require-verified`: each proof file needs a receipt of a Verus run on its very bytes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from verulaw_gate.cli.checking.model import FileReport
from verulaw_gate.cli.checking.stores import store_url
from verulaw_gate.config import Config
from verulaw_gate.tasks.files import read_text
from verulaw_gate.verus.receipt import Receipt, read

_MAX_BYTES = 512 * 1024 * 1024

Lookup = Callable[[str], Sequence[Receipt]]


def require(
    reports: Sequence[FileReport], files: Sequence[str], store: str | None, config: Config
) -> tuple[FileReport, ...]:
    """The reports with the answer for each file. Receipts come from `files`, or, when none are
    named, from the store. Files that hold no Verus code need none; nor do files that could not be
    checked, which fail anyway."""
    lookup = _from_files(files) if files else _from_store(store_url(store, config))
    return tuple(
        report
        if report.skipped or report.failure is not None
        else replace(report, receipt=missing(lookup(report.sha256)))
        for report in reports
    )


def missing(receipts: Sequence[Receipt]) -> str:
    """Why none of the receipts for a file will do; empty when one does."""
    if not receipts:
        return "none for this file as it stands; run verus through `verulaw-gate verus FILE`"
    problems = [receipt.problem() for receipt in receipts]
    return "" if "" in problems else problems[-1]


def _from_files(paths: Sequence[str]) -> Lookup:
    found: dict[str, list[Receipt]] = {}
    for path in paths:
        text = read_text(Path(path), limit=_MAX_BYTES)
        for receipt in read(text, path):
            found.setdefault(receipt.source_sha256, []).append(receipt)
    return lambda sha256: found.get(sha256, [])


def _from_store(url: str | None) -> Lookup:
    from verulaw_gate.record.calls import CallLog
    from verulaw_gate.record.connect import default_store

    url = url or default_store()
    if "://" not in url and not Path(url).exists():
        return lambda _: []  # nothing was ever recorded here: no file has a receipt
    return CallLog(url, read_only=True).receipts
