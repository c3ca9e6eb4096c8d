"""The baseline: findings that a repository already has and that are not to stop a change.

An entry is known by file, code and the text of its line (blanks apart), not by its number, so
that code may move. Each is counted: a fourth `external_body` on equal lines is reported when the
baseline has three.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from verulaw_gate.cli.checking.json_output import json_text
from verulaw_gate.cli.checking.model import GUARDED, BaseKind, FileReport, Notice
from verulaw_gate.errors import InputError

SCHEMA = "verulaw-gate/baseline/1"
Key = tuple[str, str, str]


def _key(path: str, folder: Path, code: str, source_line: str) -> Key:
    name = os.path.relpath(os.path.abspath(path), folder.absolute())
    return Path(name).as_posix(), code, " ".join(source_line.split())


def load(path: Path) -> Counter[Key]:
    """The entries of a baseline file. Raises InputError."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        if document["schema"] != SCHEMA:
            raise InputError(
                f"a baseline of schema {document['schema']!r}; this program reads {SCHEMA}",
                path=path,
                hint="write it again with --write-baseline",
            )
        return Counter(
            {(f["path"], f["code"], f["text"]): int(f["count"]) for f in document["findings"]}
        )
    except OSError as error:
        raise InputError(
            f"baseline cannot be read: {error.strerror}",
            path=path,
            hint="write one with --write-baseline",
        ) from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(
            "not a baseline file", path=path, hint="write it again with --write-baseline"
        ) from error


def dump(reports: Iterable[FileReport], folder: Path) -> str:
    """A baseline file of all findings that count in the reports. Paths relative to `folder`."""
    counts = Counter(
        _key(report.path, folder, shown.finding.code, shown.source_line)
        for report in reports
        for shown in report.shown
        if shown.hushed != "comment"
    )
    findings = [
        {"path": path, "code": code, "text": text, "count": count}
        for (path, code, text), count in sorted(counts.items())
    ]
    return json_text({"schema": SCHEMA, "findings": findings})


def hush(
    reports: Iterable[FileReport], known: Counter[Key], folder: Path
) -> tuple[FileReport, ...]:
    """The reports with known findings hushed. An entry of a checked file that covers nothing any
    more is a notice."""
    left = known.copy()
    result: list[FileReport] = []
    for report in reports:
        shown = []
        for item in report.shown:
            key = _key(report.path, folder, item.finding.code, item.source_line)
            # Held against a base, a cheat that is found is an added one: an entry for the old one
            # on an equal line is no leave for it.
            guarded = report.base.kind is not BaseKind.NONE and item.finding.family in GUARDED
            if not guarded and not item.hushed and left[key] > 0:
                left[key] -= 1
                item = replace(item, hushed="baseline")
            shown.append(item)
        result.append(replace(report, shown=tuple(shown)))
    for number, report in enumerate(result):
        if report.failure is not None:
            continue
        name = _key(report.path, folder, "", "")[0]
        stale: Counter[str] = Counter()
        for (path, code, _), count in left.items():
            if path == name and count and code not in report.mute:
                stale[code] += count
        if stale:
            listed = ", ".join(f"{code} ({count})" for code, count in sorted(stale.items()))
            notice = Notice("stale-baseline", f"baseline entries that cover nothing: {listed}")
            result[number] = replace(report, notices=(*report.notices, notice))
    return tuple(result)
