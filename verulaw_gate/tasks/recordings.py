"""Results of real Verus that were recorded beside a task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from verulaw_gate.errors import TaskError
from verulaw_gate.tasks.files import read_json, read_text
from verulaw_gate.tasks.model import Task


class RecordingKind(StrEnum):
    """plain: the strictly assembled file under the recorded options. strict: the same file with
    `--no-cheating`. lenient: the file that `lenient-sections` makes of a trace that breaks the
    protocol, under the recorded options."""

    PLAIN = "plain"
    STRICT = "strict"
    LENIENT = "lenient"


FOLDERS: dict[RecordingKind, str] = {
    RecordingKind.PLAIN: "verus",
    RecordingKind.STRICT: "verus_strict",
    RecordingKind.LENIENT: "verus_lenient",
}


@dataclass(frozen=True, slots=True)
class Recording:
    """One recorded run of Verus. `args` are its arguments besides the program and the file;
    `wall_s` is in seconds, None when it was not measured; `source` is set where the record holds
    the whole file (lenient ones)."""

    name: str
    kind: RecordingKind
    path: Path
    verus_version: str
    argv: tuple[str, ...]
    args: tuple[str, ...]
    source_sha256: str
    exit_code: int
    stdout: str
    stderr: str
    wall_s: float | None
    extractor: str
    source: str | None = None


@dataclass(frozen=True, slots=True)
class TraceRecordings:
    """What was recorded for one trace; None where nothing was."""

    plain: Recording | None = None
    strict: Recording | None = None
    lenient: Recording | None = None


def recordings(task: Task) -> Mapping[str, TraceRecordings]:
    """Recorded results by trace name (`reference` for the reference), in order of name.

    Raises TaskError for a record that is not JSON or lacks a field.
    """
    if task.path is None:
        return {}
    found: dict[str, dict[str, Recording]] = {}
    for kind, folder in FOLDERS.items():
        for path in sorted((task.path / folder).glob("*.json")):
            found.setdefault(path.stem, {})[kind.value] = read_recording(path, kind)
    return {name: TraceRecordings(**found[name]) for name in sorted(found)}


def read_recording(path: Path, kind: RecordingKind) -> Recording:
    """One recorded result. Raises TaskError when it is not one."""
    text = read_text(path, TaskError)
    data = read_json(text, TaskError, hint="record it again", path=path)
    if not isinstance(data, dict):
        raise TaskError("not a JSON object", hint="record it again", path=path, line=1)
    argv = tuple(str(a) for a in _field(data, "argv", list, path))
    return Recording(
        name=path.stem,
        kind=kind,
        path=path,
        verus_version=_version(data, path),
        argv=argv,
        args=tuple(a for a in argv[1:] if not a.endswith(".rs")),
        source_sha256=_field(data, "source_sha256", str, path),
        exit_code=_field(data, "exit_code", int, path),
        stdout=_field(data, "stdout", str, path),
        stderr=_field(data, "stderr", str, path),
        wall_s=data.get("wall_s"),
        extractor=data.get("extractor", "strict"),
        source=data.get("source"),
    )


def _field(data: dict[str, Any], name: str, kind: type, path: Path) -> Any:
    value = data.get(name)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise TaskError(
            f"the field '{name}' is missing or not of its kind",
            hint="record the result again (`verulaw-gate record`)",
            path=path,
            line=1,
        )
    return value


def _version(data: dict[str, Any], path: Path) -> str:
    value = data.get("verus_version")
    if isinstance(value, dict):
        value = value.get("version")
    if not isinstance(value, str):
        raise TaskError(
            "the field 'verus_version' is missing", hint="record it again", path=path, line=1
        )
    return value
