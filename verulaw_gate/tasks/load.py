"""Load tasks and their labelled traces from `rust_tasks/` or another folder."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from verulaw_gate.data import tasks_dir
from verulaw_gate.errors import TaskError
from verulaw_gate.tasks.files import read_text, read_toml
from verulaw_gate.tasks.holes import find_holes
from verulaw_gate.tasks.labels import FIELDS
from verulaw_gate.tasks.model import Label, LabelledTrace, Task, TaskKind

REFERENCE = "reference"
_TEXT_FIELDS = ("id", "title", "statement", "difficulty", "kind", "target")
_KNOWN = {*_TEXT_FIELDS, "topics", "origin", "extra"}


def load_task(id_or_path: str | Path) -> Task:
    """One task, by the path of its folder, its id, or a prefix that only one shipped task has.

    Raises TaskError (file and line) when the folder does not hold together: a missing file or
    field, an unknown field, an unknown kind, an id that is not the folder's name, a missing hole
    or a hole twice, an annotate task without `exec_body.rs`.
    """
    folder = _folder(id_or_path)
    toml = folder / "task.toml"
    text = read_text(toml, TaskError)
    table = parse_toml(text, toml)
    for key in table:
        if key not in _KNOWN:
            raise TaskError(
                f"unknown field '{key}'",
                hint=f"known fields: {', '.join(sorted(_KNOWN))}",
                path=toml,
                line=key_line(text, key),
            )
    values = {name: _text(table, name, text, toml) for name in _TEXT_FIELDS}
    if values["id"] != folder.resolve().name:
        raise TaskError(
            f"id '{values['id']}' is not the folder's name '{folder.resolve().name}'",
            hint="make them the same",
            path=toml,
            line=key_line(text, "id"),
        )
    source = read_text(folder / "task.rs", TaskError)
    find_holes(source, folder / "task.rs")
    kind = _kind(values["kind"], text, toml)
    origin = table.get("origin", "")
    return Task(
        id=values["id"],
        title=values["title"],
        statement=values["statement"],
        difficulty=values["difficulty"],
        topics=_topics(table, text, toml),
        kind=kind,
        target=_target(values["target"], source, text, toml),
        source=source,
        reference=_reference(folder, bool(origin)),
        exec_body=read_text(folder / "exec_body.rs", TaskError)
        if kind is TaskKind.ANNOTATE
        else None,
        path=folder,
        origin=str(origin),
        extra={str(k): str(v) for k, v in dict(table.get("extra", {})).items()},
    )


def load_suite(directory: Path | str | None = None) -> tuple[Task, ...]:
    """All tasks of a folder (the shipped ones by default) in order of id.

    A folder without `task.toml` is no task and is passed over. Raises TaskError for the first
    task that does not hold together, and when there is no task at all.
    """
    root = Path(directory) if directory is not None else tasks_dir()
    folders = task_folders(root)
    if not folders:
        raise TaskError("no task here", hint="a task is a folder with a task.toml in it", path=root)
    return tuple(load_task(folder) for folder in folders)


def task_folders(root: Path) -> list[Path]:
    """The folders below `root` that have a `task.toml`, by name."""
    if not root.is_dir():
        raise TaskError("no such folder", hint="check the path", path=root)
    return sorted(p.parent for p in root.glob("*/task.toml"))


def labelled_traces(task: Task) -> tuple[LabelledTrace, ...]:
    """The reference (label ok, ok, verified) and the traces of `traces/labels.toml`, by name.

    Raises TaskError for a label without its trace, a trace without its label, a value outside
    the closed set.
    """
    if task.path is None:
        return ()
    found: list[LabelledTrace] = []
    if task.reference:
        label = Label("ok", "ok", "verified", "the reference")
        found.append(LabelledTrace(REFERENCE, task.reference, label, task.path / "reference.txt"))
    folder = task.path / "traces"
    labels_path = folder / "labels.toml"
    if not labels_path.is_file():
        return tuple(found)
    text = read_text(labels_path, TaskError)
    table = parse_toml(text, labels_path)
    for name in sorted(table):
        path = folder / name
        line = key_line(text, name)
        label = _label(name, table[name], labels_path, line)
        if not path.is_file():
            raise TaskError(
                f"a label for '{name}', but there is no such trace",
                hint="add the trace or remove its label",
                path=labels_path,
                line=line,
            )
        found.append(LabelledTrace(path.stem, read_text(path, TaskError), label, path))
    for path in sorted(folder.glob("*.txt")):
        if path.name not in table:
            raise TaskError(
                "a trace without a label", hint=f"add it to {labels_path.name}", path=path
            )
    return tuple(found)


def parse_toml(text: str, path: Path) -> dict[str, Any]:
    """A TOML table; raises TaskError at the line that does not parse."""
    return read_toml(text, TaskError, path)


def key_line(text: str, key: str) -> int | None:
    """The line (from 1) on which a key or the header of a table stands, None when not found."""
    name = re.escape(key)
    found = re.search(rf'^[ \t]*(?:\[[ \t]*)?["\']?{name}["\']?[ \t]*[\]=]', text, re.MULTILINE)
    return None if found is None else text.count("\n", 0, found.start()) + 1


def _folder(id_or_path: str | Path) -> Path:
    path = Path(id_or_path)
    if (path / "task.toml").is_file():
        return path
    if path.is_dir() and (isinstance(id_or_path, Path) or path.parts != (path.name,)):
        raise TaskError("no task.toml in this folder", hint="name a task folder", path=path)
    root = tasks_dir()
    folders = {p.name: p for p in task_folders(root)}
    name = str(id_or_path)
    if name in folders:
        return folders[name]
    near = [p for n, p in folders.items() if name and n.startswith(name)]
    if len(near) == 1:
        return near[0]
    if near:
        raise TaskError(
            f"'{name}' fits several tasks: {', '.join(p.name for p in near)}",
            hint="give more of the id",
        )
    if path.is_dir():
        raise TaskError("no task.toml in this folder", hint="name a task folder", path=path)
    raise TaskError(
        f"no task '{name}'", hint="`verulaw-gate task list` shows the shipped ones", path=None
    )


def _text(table: dict[str, Any], name: str, text: str, path: Path) -> str:
    value = table.get(name)
    if value is None:
        raise TaskError(f"the field '{name}' is missing", hint="add it", path=path, line=1)
    if not isinstance(value, str) or not value.strip():
        raise TaskError(
            f"'{name}' is not a text",
            hint="give it a non-empty string",
            path=path,
            line=key_line(text, name),
        )
    return value


def _topics(table: dict[str, Any], text: str, path: Path) -> tuple[str, ...]:
    value = table.get("topics", [])
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
        raise TaskError(
            "'topics' is not a list of texts",
            hint='for example topics = ["loops"]',
            path=path,
            line=key_line(text, "topics"),
        )
    return tuple(value)


def _kind(value: str, text: str, path: Path) -> TaskKind:
    try:
        return TaskKind(value)
    except ValueError:
        raise TaskError(
            f"unknown kind '{value}'",
            hint=f"one of {', '.join(TaskKind)}",
            path=path,
            line=key_line(text, "kind"),
        ) from None


def _target(value: str, source: str, text: str, path: Path) -> str:
    name = value.rsplit("::", 1)[-1]
    if not re.search(rf"\bfn\s+{re.escape(name)}\b", source):
        raise TaskError(
            f"the target '{value}' is no function of task.rs",
            hint="name the function that a candidate has to prove",
            path=path,
            line=key_line(text, "target"),
        )
    return value


def _reference(folder: Path, imported: bool) -> str:
    path = folder / "reference.txt"
    if imported and not path.is_file():
        return ""
    text = read_text(path, TaskError)
    if not text.strip() and not imported:
        raise TaskError(
            "the reference is empty", hint="write a trace that Verus verifies", path=path
        )
    return text


def _label(name: str, value: Any, path: Path, line: int | None) -> Label:
    if not isinstance(value, dict):
        raise TaskError(
            f"'{name}' is not a table of labels", hint="see the other labels", path=path, line=line
        )
    for field, allowed in FIELDS.items():
        if value.get(field) not in allowed:
            raise TaskError(
                f"'{name}' has {field} = {value.get(field)!r}",
                hint=f"one of {', '.join(sorted(allowed))}",
                path=path,
                line=line,
            )
    return Label(
        protocol=value["expect_protocol"],
        gate=value["expect_gate"],
        verus=value["expect_verus"],
        note=str(value.get("note", "")),
    )
