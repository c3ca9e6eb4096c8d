"""Make tasks from elsewhere: the vericoding benchmark, or any Verus file.

Every imported task is loaded and checked; one that can't be used is told with the reason and
leaves nothing behind.
"""

from __future__ import annotations

import csv
import json
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from verulaw_gate.errors import TaskError, UsageError
from verulaw_gate.tasks.check import check_task
from verulaw_gate.tasks.cut import cut_function, functions_of
from verulaw_gate.tasks.files import read_json, read_lines, read_text
from verulaw_gate.tasks.tokens import read_tokens

MAX_LOG_BYTES = 512 * 1024 * 1024
_PARTS = ("vc-preamble", "vc-helpers", "vc-spec", "vc-code", "vc-postamble")


@dataclass(slots=True)
class Imported:
    """Folders that were made, and what was passed over with the reason."""

    imported: list[Path] = field(default_factory=list)
    problems: list[TaskError] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Draft:
    """A task that is to be written."""

    id: str
    title: str
    statement: str
    source: str
    target: str
    kind: str
    origin: str


def import_tasks(
    path: Path, into: Path, *, target: str | None = None, id_: str | None = None
) -> Imported:
    """Import a benchmark file (.jsonl, .csv) or one Verus file (.rs, with `target`).

    Raises UsageError for another kind of file or a missing target, TaskError for a file that
    can't be read at all. A task that is already there is a problem, never overwritten.
    """
    kind = path.suffix.lower()
    if kind not in (".jsonl", ".csv", ".rs"):
        raise UsageError(
            f"'{path.name}' is no kind of task file",
            hint="a vericoding benchmark (.jsonl or .csv) or a Verus file (.rs)",
        )
    if kind == ".rs" and not target:
        raise UsageError("a Verus file needs --target FN", hint="the function to prove")
    try:
        into.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise TaskError(
            f"no folder to import into: {problem.strerror}", hint="name another", path=into
        ) from None
    done = Imported()
    if kind == ".rs":
        _keep(done, into, path, None, partial(_from_file, path, str(target), id_))
        return done
    for line, row in _rows(path, kind):
        _keep(done, into, path, line, partial(from_vericoding, row, path.name))
    if not done.imported and not done.problems:
        raise TaskError("no task in this file", hint="one task a line is needed", path=path)
    return done


def from_vericoding(row: Mapping[str, object], name: str) -> Draft:
    """The task of one row of the benchmark: the holes are vc-helpers (helpers that are given stay,
    above the hole) and vc-code. Raises TaskError for a row that can't be used."""
    language = str(row.get("language") or "verus").lower()
    if language not in ("verus", "rust"):
        raise TaskError(f"a task in {language}", hint="only Verus tasks can be imported")
    parts = {}
    for key in _PARTS:
        value = row.get(key)
        if not isinstance(value, str | None):
            raise TaskError(f"'{key}' is not a text", hint="see the benchmark's format")
        parts[key] = (value or "").replace("\r\n", "\n").strip("\n")
    spec = parts["vc-spec"]
    names = functions_of(spec)
    if not names:
        raise TaskError("vc-spec has no function", hint="there is nothing to prove")
    code = read_tokens(parts["vc-code"])
    if not code or code[0].text != "{" or code[-1].text != "}":
        raise TaskError("vc-code is no block", hint="the body hole takes a block { }")
    id_ = _id(str(row.get("id") or ""))
    sections = [parts["vc-preamble"], parts["vc-helpers"], "//@ lemmas", spec, "//@ body"]
    source = "\n\n".join(part for part in sections[:-1] if part.strip())
    source += f"\n{sections[-1]}\n\n{parts['vc-postamble']}\n"
    described = str(row.get("vc-description") or "").strip()
    told = [f"vericoding ({name})", *(str(row.get(k) or "") for k in ("source", "source-id"))]
    origin = " ".join(part for part in told if part)
    before = spec[: spec.rindex("fn")].split()
    return Draft(
        id=id_,
        title=(described.splitlines() or [names[-1]])[0][:120].strip() or names[-1],
        statement=described or f"Write the body of {names[-1]}.",
        source=source,
        target=names[-1],
        kind="proof" if before and before[-1] == "proof" else "exec",
        origin=origin,
    )


def _from_file(path: Path, target: str, id_: str | None) -> Draft:
    cut = cut_function(read_text(path, TaskError), target)
    return Draft(
        id=_id(id_ or f"{path.stem}-{target.rsplit('::', 1)[-1]}"),
        title=f"{target} of {path.name}",
        statement=f"Write the body of {target} so that it verifies.",
        source=cut.source,
        target=target,
        kind="proof" if cut.proof else "exec",
        origin=f"Verus file {path.name}",
    )


def _id(text: str) -> str:
    name = re.sub(r"[^A-Za-z0-9_.-]+", "-", text).strip("-.")
    if not name:
        raise TaskError("no id", hint="each task needs one")
    return name[:120]


def _keep(
    done: Imported, into: Path, path: Path, line: int | None, make: Callable[[], Draft]
) -> None:
    try:
        draft = make()
    except TaskError as problem:
        done.problems.append(TaskError(problem.message, hint=problem.hint, path=path, line=line))
        return
    folder = into / draft.id
    try:
        if folder.exists():
            raise TaskError(f"'{draft.id}' is there already", hint="import into another folder")
        _write(folder, draft)
        problems = check_task(folder)
        if problems:
            shutil.rmtree(folder)
            raise problems[0]
    except OSError as problem:
        # Not this task's fault, and the next would fare no better.
        shutil.rmtree(folder, ignore_errors=True)
        raise TaskError(
            f"cannot be written: {problem.strerror}", hint="check path and space", path=into
        ) from None
    except TaskError as problem:
        done.problems.append(TaskError(problem.message, hint=problem.hint, path=path, line=line))
        return
    done.imported.append(folder)


def _write(folder: Path, draft: Draft) -> None:
    folder.mkdir(parents=True)
    fields = {
        "id": draft.id,
        "title": draft.title,
        "statement": draft.statement,
        "difficulty": "unknown",
        "kind": draft.kind,
        "target": draft.target,
        "origin": draft.origin,
    }
    # A JSON string is a TOML basic string, but for DEL, which TOML wants escaped.
    lines = [
        f"{key} = {json.dumps(value, ensure_ascii=True)}".replace("\x7f", "\\u007f")
        for key, value in fields.items()
    ]
    (folder / "task.toml").write_text("\n".join([*lines, "topics = []", ""]), encoding="utf-8")
    (folder / "task.rs").write_text(draft.source, encoding="utf-8")


def _rows(path: Path, kind: str) -> Iterator[tuple[int, Mapping[str, object]]]:
    if kind == ".csv":
        text = read_text(path, TaskError, limit=MAX_LOG_BYTES)
        csv.field_size_limit(MAX_LOG_BYTES)
        reader = csv.DictReader(text.splitlines(keepends=True), strict=True)
        if "vc-spec" not in (reader.fieldnames or ()):
            raise TaskError("no column 'vc-spec'", hint="a vericoding CSV", path=path, line=1)
        try:
            for row in reader:
                yield reader.line_num, row
        except csv.Error as problem:
            raise TaskError(
                f"not CSV: {problem}", hint="mend the file", path=path, line=reader.line_num
            ) from None
        return
    for number, line in read_lines(path, TaskError, limit=MAX_LOG_BYTES):
        found = read_json(line, TaskError, hint="one task a line", path=path, line=number)
        if not isinstance(found, dict):
            raise TaskError("not a JSON object", hint="one task a line", path=path, line=number)
        yield number, found
