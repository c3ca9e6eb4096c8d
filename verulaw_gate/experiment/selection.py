"""The tasks that a pilot selected, frozen by hash before the run."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verulaw_gate.errors import TaskError
from verulaw_gate.tasks.files import read_json, read_text, write_text
from verulaw_gate.tasks.load import load_task
from verulaw_gate.tasks.model import Task

SCHEMA = "verulaw-gate/selection/1"
_HINT = "write it with the pilot"


@dataclass(frozen=True, slots=True)
class FirstTry:
    """What a pilot saw of one task: `honest` of `scored` first answers were honest successes.
    Answers without a verdict are not in `scored`."""

    task: str
    honest: int
    scored: int

    @property
    def rate(self) -> float | None:
        """The first-try rate; None when nothing was scored."""
        return self.honest / self.scored if self.scored else None


def task_sha256(task: Task) -> str:
    """The hash of all of a task that a model or the judge sees."""
    digest = hashlib.sha256()
    for part in (task.id, task.statement, task.source, task.target, task.exec_body or ""):
        digest.update(part.encode("utf-8") + b"\0")
    return digest.hexdigest()


def write_selection(
    path: Path,
    tried: Mapping[str, FirstTry],
    tasks: Mapping[str, Task],
    *,
    low: float,
    high: float,
    run: str,
    model: str,
) -> tuple[str, ...]:
    """Write the tasks whose first-try rate is within [low, high]; returns their ids.

    The file has the counts of every task that was tried, so that what was left out shows too.
    """
    chosen = [
        name for name, seen in tried.items() if seen.rate is not None and low <= seen.rate <= high
    ]
    content = {
        "schema": SCHEMA,
        "pilot_run": run,
        "model": model,
        "low": low,
        "high": high,
        "tried": {n: {"honest": s.honest, "scored": s.scored} for n, s in sorted(tried.items())},
        "tasks": [
            {
                "id": name,
                "sha256": task_sha256(tasks[name]),
                "path": str(tasks[name].path) if tasks[name].path is not None else None,
            }
            for name in sorted(chosen)
        ],
    }
    write_text(path, json.dumps(content, indent=1, ensure_ascii=False) + "\n", TaskError)
    return tuple(sorted(chosen))


def read_selection(path: Path) -> tuple[tuple[Task, ...], Mapping[str, Any]]:
    """The selected tasks, and what the pilot said.

    Raises TaskError when the file is none, or a task is not the one that was selected.
    """
    try:
        content: Any = read_json(read_text(path, TaskError), TaskError, hint=_HINT, path=path)
        if content["schema"] != SCHEMA:
            raise TaskError(f"not {SCHEMA}", hint=_HINT, path=path, line=1)
        rows = [(str(r["id"]), str(r["sha256"]), r.get("path")) for r in content["tasks"]]
    except (KeyError, TypeError) as problem:
        raise TaskError(f"not a selection: {problem!r}", hint=_HINT, path=path, line=1) from None
    if not rows:
        raise TaskError("no task was selected", hint="widen the range of the pilot", path=path)
    tasks = []
    for name, wanted, place in rows:
        folder = Path(place) if place and Path(place, "task.toml").is_file() else None
        task = load_task(folder if folder is not None else name)
        if task_sha256(task) != wanted:
            raise TaskError(
                f"'{name}' is not the task that was selected: it has changed since",
                hint="run the pilot again, or bring the task back",
                path=task.path,
            )
        tasks.append(task)
    return tuple(tasks), content
