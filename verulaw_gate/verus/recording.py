"""Make recordings: what is to be run for tasks and files, and what is written of it.

The format is that of the recordings beside the shipped tasks: one JSON file a result, named for
the trace, in `verus/`, `verus_strict/` or `verus_lenient/` of the task's folder.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from verulaw_gate.errors import InputError, LogError
from verulaw_gate.protocol import Protocol
from verulaw_gate.tasks.assemble import LENIENT_SECTIONS, STRICT, assemble, assemble_lenient
from verulaw_gate.tasks.files import write_lines
from verulaw_gate.tasks.load import labelled_traces
from verulaw_gate.tasks.model import Assembly, Task
from verulaw_gate.verus.clean import without_machine_paths
from verulaw_gate.verus.keys import normal_args, source_sha256
from verulaw_gate.verus.model import Outcome, Verification, VerusOptions
from verulaw_gate.verus.runs import Run, from_json, options_of, run_of, to_json

UNRECORDED = frozenset({Outcome.TIMEOUT, Outcome.CRASH, Outcome.TOOL_ERROR})
"""Outcomes that say nothing of the source: there is no recording of them."""


@dataclass(frozen=True, slots=True)
class Job:
    """One result to be recorded, and the file that it goes to. A lenient source is written into
    the recording: nothing else can make it again."""

    name: str
    source: str
    options: VerusOptions
    path: Path
    extractor: str = STRICT
    group: str = ""

    def strict(self, options: VerusOptions) -> Job | None:
        """The same source for its strict verdict: `verus_strict/` beside a task's `verus/`, else
        the same name with `.strict`. None for a lenient source, of which tasks keep no strict
        verdict."""
        if self.extractor != STRICT:
            return None
        path = self.path.with_name(f"{self.path.stem}.strict.json")
        if self.path.parent.name == "verus":
            path = self.path.parent.with_name("verus_strict") / self.path.name
        return replace(self, options=options, path=path)


def task_jobs(
    task: Task, protocol: Protocol, options: VerusOptions, into: Path | None = None
) -> Iterator[Job]:
    """A job for each trace of a task, the reference first. A trace that conforms to `protocol` is
    assembled strictly, another one leniently. `into`: another folder than the task's own.

    Raises InputError for a task that has no folder when `into` is not given.
    """
    folder = into / task.id if into is not None else task.path
    if folder is None:
        raise InputError(f"task {task.id} has no folder", hint="say where with --into FOLDER")
    for trace in labelled_traces(task):
        assembly = candidate(task, protocol, trace.text)
        kind = "verus" if assembly.extractor == STRICT else "verus_lenient"
        yield Job(
            name=f"{task.id}/{trace.name}",
            source=assembly.source,
            options=options,
            path=folder / kind / f"{trace.name}.json",
            extractor=assembly.extractor,
            group=task.id,
        )


def candidate(task: Task, protocol: Protocol, text: str) -> Assembly:
    """The file that would go to Verus for a trace of a task."""
    from verulaw_gate.monitor import run_trace

    verdict = run_trace(protocol, text, prompt=(("task", ""),))
    if verdict.ok and verdict.complete:
        return assemble(task, verdict.steps)
    return assemble_lenient(task, text)


def file_job(file: Path, options: VerusOptions, into: Path) -> Job:
    """A job for a Verus file. Raises InputError when it cannot be read."""
    try:
        source = file.read_bytes().decode("utf-8")
    except OSError as problem:
        raise InputError(
            f"cannot be read: {problem.strerror}", hint="name a Verus file", path=file
        ) from None
    except UnicodeDecodeError:
        raise InputError("is not UTF-8", hint="save it as UTF-8", path=file) from None
    return Job(file.name, source, options, into / f"{file.stem}.json", group=str(file))


def recorded_run(job: Job, version: str) -> Run | None:
    """What the job's file holds, where that is its result already: same source, options and Verus
    version.

    Raises LogError when the file is there and is no recording: it is never overwritten.
    """
    try:
        data = json.loads(job.path.read_text(encoding="utf-8"))
        run, sha256 = from_json(data), data["source_sha256"]
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise LogError(
            f"is there and is no recording: {problem!r}",
            hint="move it away, or record into another folder",
            path=job.path,
        ) from None
    same = (
        sha256 == source_sha256(job.source)
        and normal_args(options_of(run.argv).args) == normal_args(job.options.args)
        and run.version == version
    )
    return run if same else None


def write_recording(job: Job, result: Verification, roots: Iterable[Path] = ()) -> None:
    """Write one result, whole or not at all, with machine paths removed.

    Raises ValueError for an outcome that is not recorded, InputError when it cannot be written.
    """
    if result.outcome in UNRECORDED:
        raise ValueError(f"a {result.outcome} is not recorded")
    roots = tuple(roots)
    run = run_of(result)
    run = replace(
        run,
        stdout=without_machine_paths(run.stdout, roots),
        stderr=without_machine_paths(run.stderr, roots),
        wall_s=None if run.wall_s is None else round(run.wall_s, 3),
        cpu_s=None if run.cpu_s is None else round(run.cpu_s, 3),
    )
    value = json.loads(to_json(run, result.source_sha256))
    if job.extractor == LENIENT_SECTIONS:
        value = {"extractor": job.extractor, **value, "source": job.source}
    write_whole(job.path, json.dumps(value, indent=1, ensure_ascii=False) + "\n")


def write_whole(path: Path, text: str) -> None:
    """Write a file so that a reader or a crash sees the old one or the new one, never half.

    Raises InputError when it cannot be written.
    """
    hint = "record into another folder with --into"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise InputError(f"cannot be written: {problem.strerror}", hint=hint, path=path) from None
    write_lines(path, [text], hint=hint)
