"""Check everything that a task folder claims; name all that is wrong, not only the first."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from verulaw_gate.errors import InputError, TaskError
from verulaw_gate.tasks.assemble import LENIENT_SECTIONS, STRICT, assemble, assemble_lenient
from verulaw_gate.tasks.load import labelled_traces, load_task
from verulaw_gate.tasks.model import LabelledTrace, Task
from verulaw_gate.tasks.recordings import FOLDERS, Recording, RecordingKind, read_recording


def check_task(path: Path | str) -> list[TaskError]:
    """All that is wrong with a task folder, in order of finding; empty when it holds together.

    Looks at what `load_task` and `labelled_traces` look at, and also: does the reference run
    through the proof protocol and assemble; does each recorded result belong to a trace and to
    the source that this trace assembles to. An error that hides the rest (a task that does not
    load) is the only one returned.
    """
    try:
        task = load_task(path)
        traces = labelled_traces(task)
    except TaskError as problem:
        return [problem]
    problems = list(_check_reference(task))
    by_name = {trace.name: trace for trace in traces}
    problems.extend(_check_recordings(task, by_name))
    return problems


def _check_reference(task: Task) -> Iterator[TaskError]:
    if not task.reference:
        return
    try:
        _strict_source(task, task.reference)
    except InputError as problem:
        yield TaskError(
            f"the reference does not assemble: {problem.message}",
            hint=problem.hint or "write it as [Lemma]*, [Body], [QED]",
            path=None if task.path is None else task.path / "reference.txt",
            line=problem.line,
        )


def _check_recordings(task: Task, traces: dict[str, LabelledTrace]) -> Iterator[TaskError]:
    if task.path is None:
        return
    for kind, folder in FOLDERS.items():
        for path in sorted((task.path / folder).glob("*.json")):
            try:
                recording = read_recording(path, kind)
            except TaskError as problem:
                yield problem
                continue
            yield from _check_recording(task, recording, traces)


def _check_recording(
    task: Task, recording: Recording, traces: dict[str, LabelledTrace]
) -> Iterator[TaskError]:
    trace = traces.get(recording.name)
    if trace is None:
        yield TaskError(
            f"a recorded result for '{recording.name}', but there is no such trace",
            hint="add the trace or remove the result",
            path=recording.path,
            line=1,
        )
        return
    wanted = LENIENT_SECTIONS if recording.kind is RecordingKind.LENIENT else STRICT
    if recording.extractor != wanted:
        yield TaskError(
            f"extractor '{recording.extractor}' in a folder for '{wanted}'",
            hint="move the result to the folder of its extractor",
            path=recording.path,
            line=1,
        )
        return
    try:
        source = (
            _strict_source(task, trace.text)
            if wanted == STRICT
            else assemble_lenient(task, trace.text).source
        )
    except InputError as problem:
        yield TaskError(
            f"a recorded result, but its trace does not assemble: {problem.message}",
            hint="remove the result or mend the trace",
            path=trace.path,
            line=problem.line,
        )
        return
    digest = hashlib.sha256(source.encode("utf-8")).hexdigest()
    if digest != recording.source_sha256:
        yield TaskError(
            f"source_sha256 {recording.source_sha256[:12]}… is not that of the assembled source "
            f"({digest[:12]}…)",
            hint="the task or trace changed after recording; record it again",
            path=recording.path,
            line=_key_line(recording.path, "source_sha256"),
        )


def _strict_source(task: Task, text: str) -> str:
    """The strictly assembled source of a trace; InputError at the line where it breaks the
    protocol."""
    from verulaw_gate.monitor import run_trace
    from verulaw_gate.protocol import load_protocol

    verdict = run_trace(load_protocol("proof"), text, prompt=(("task", ""),))
    if verdict.violation is not None:
        raise InputError(
            verdict.violation.message,
            hint="write it as [Lemma]*, [Body], [QED]",
            line=verdict.violation.line,
        )
    return assemble(task, verdict.steps).source


def _key_line(path: Path, key: str) -> int | None:
    lines = path.read_text(encoding="utf-8").splitlines()
    return next((n for n, line in enumerate(lines, 1) if f'"{key}"' in line), None)
