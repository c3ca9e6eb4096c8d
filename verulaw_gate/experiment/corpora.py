"""The corpora of a replay: designed traces of tasks, and recorded attempt logs."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from verulaw_gate.errors import RecordedMiss, TaskError
from verulaw_gate.experiment.attempts import Attempt, LogSummary, read_attempts, scan_log
from verulaw_gate.experiment.shadow import AS_RECORDED, Subject
from verulaw_gate.record.events import Corpus, Generation, Key
from verulaw_gate.record.store import sha256_of
from verulaw_gate.tasks.assemble import LENIENT_SECTIONS, STRICT
from verulaw_gate.tasks.cut import functions_of
from verulaw_gate.tasks.holes import find_holes
from verulaw_gate.tasks.load import labelled_traces
from verulaw_gate.tasks.model import Task, TaskKind
from verulaw_gate.verus.model import RECORDED_OPTIONS, Verification, Verifier, VerusOptions
from verulaw_gate.verus.recorded import RecordedVerifier

ARM = "replay"


class DesignedCorpus:
    """The labelled traces of tasks. Each trace is one sample of its task."""

    kind = Corpus.DESIGNED
    extractors = (STRICT, LENIENT_SECTIONS)

    def __init__(self, tasks: Sequence[Task], verifier: Verifier | None = None) -> None:
        self.tasks = tuple(tasks)
        self.name = "tasks" if len(tasks) != 1 else tasks[0].id
        self._verifier = verifier
        digest = hashlib.sha256()
        for task in self.tasks:
            for trace in labelled_traces(task):
                for part in (task.id, task.source, trace.name, trace.text, str(trace.label)):
                    digest.update(part.encode("utf-8") + b"\0")
        self.sha256 = digest.hexdigest()
        # What a designed corpus can't say, the report of any such run says by itself.
        self.notes: tuple[str, ...] = ()
        self.size = sum(len(labelled_traces(task)) for task in self.tasks)

    def subjects(self, done: frozenset[tuple[str, str, int, int]]) -> Iterator[tuple[Key, Subject]]:
        """Every trace that is not done yet, in order."""
        for task in self.tasks:
            verifier = self._verifier or RecordedVerifier.of(tasks=[task])
            for sample, trace in enumerate(labelled_traces(task)):
                key = Key(task=task.id, arm=ARM, sample=sample, generation=1)
                if (key.task, key.arm, key.sample, key.generation) in done:
                    continue
                generation = Generation(
                    text_sha256=sha256_of(trace.text),
                    chars=len(trace.text),
                    trace=trace.name,
                    origin="designed",
                )
                yield (
                    key,
                    Subject(
                        generation=generation,
                        task=task,
                        base=None,
                        text=trace.text,
                        source=None,
                        verifier=verifier,
                        label=trace.label,
                        strict_source=trace.label.protocol == "ok",
                    ),
                )


class RecordedCorpus:
    """Attempt logs. A task of the suite is used for an attempt whose `base` is that task's file;
    otherwise the base speaks for itself."""

    kind = Corpus.RECORDED
    extractors = (LENIENT_SECTIONS, AS_RECORDED)

    def __init__(
        self,
        paths: Sequence[Path],
        tasks: Iterable[Task] = (),
        verifier: Verifier | None = None,
    ) -> None:
        self.summary: LogSummary = scan_log(paths)
        self.name = self.summary.name
        self.sha256 = self.summary.sha256
        self.notes = self.summary.notes()
        self.size = self.summary.count
        self._suite = {task.id: task for task in tasks}
        self._verifier = verifier
        self._tasks: dict[tuple[str, str | None, str | None], Task | None] = {}
        self._recorded: dict[str, RecordedVerifier] = {}

    @property
    def loops(self) -> Mapping[tuple[str, int], Sequence[int]]:
        """The attempt numbers of each (task, sample)."""
        return self.summary.loops

    def subjects(self, done: frozenset[tuple[str, str, int, int]]) -> Iterator[tuple[Key, Subject]]:
        """Every attempt that is not done yet, in the order of the log."""
        for attempt in read_attempts(self.summary):
            key = Key(task=attempt.task, arm=ARM, sample=attempt.sample, generation=attempt.attempt)
            if (key.task, key.arm, key.sample, key.generation) not in done:
                yield key, self._subject(attempt)

    def _subject(self, attempt: Attempt) -> Subject:
        task = self._task(attempt)
        text = attempt.text
        return Subject(
            generation=Generation(
                text_sha256=None if text is None else sha256_of(text),
                chars=None if text is None else len(text),
                origin=attempt.origin,
                prompt_tokens=attempt.prompt_tokens,
                completion_tokens=attempt.completion_tokens,
                seconds=attempt.seconds,
                cost_usd=attempt.cost_usd,
            ),
            task=task,
            base=attempt.base,
            text=text,
            source=attempt.source,
            verifier=self._verifier
            or _AttemptVerifier(_own_results(attempt), lambda: self._beside(task)),
        )

    def _beside(self, task: Task | None) -> RecordedVerifier:
        name = "" if task is None else task.id
        if name not in self._recorded:
            self._recorded[name] = RecordedVerifier.of(tasks=[] if task is None else [task])
        return self._recorded[name]

    def _task(self, attempt: Attempt) -> Task | None:
        key = (attempt.task, attempt.base and sha256_of(attempt.base), attempt.target)
        if key not in self._tasks:
            self._tasks[key] = _task_of(attempt, self._suite.get(attempt.task))
        return self._tasks[key]


def _task_of(attempt: Attempt, known: Task | None) -> Task | None:
    if known is not None and attempt.base in (None, known.source):
        return known
    if attempt.base is None:
        return None
    try:
        find_holes(attempt.base)
    except TaskError:
        return None
    return Task(
        id=attempt.task,
        title=attempt.task,
        statement="",
        difficulty="",
        topics=(),
        kind=TaskKind.EXEC,
        target=attempt.target or _holed_function(attempt.base),
        source=attempt.base,
        reference="",
        origin=attempt.origin,
    )


def _holed_function(base: str) -> str:
    """The function whose body is the hole: the last one before it."""
    lines = base.splitlines()
    names = functions_of("\n".join(lines[: find_holes(base)["body"]]))
    return names[-1] if names else ""


@dataclass(frozen=True, slots=True)
class _AttemptVerifier:
    """The attempt's own results; for another source (a repaired one) those beside its task."""

    own: RecordedVerifier
    beside: Callable[[], RecordedVerifier]

    def verify(
        self, source: str, options: VerusOptions = RECORDED_OPTIONS, *, target: str | None = None
    ) -> Verification:
        """The recorded result. Raises RecordedMiss where there is none."""
        try:
            return self.own.verify(source, options, target=target)
        except RecordedMiss:
            return self.beside().verify(source, options, target=target)


def add_results(verifier: RecordedVerifier, summary: LogSummary) -> None:
    """Add the results of every attempt of scanned logs."""
    for attempt in read_attempts(summary):
        _add_result(verifier, attempt)


def _own_results(attempt: Attempt) -> RecordedVerifier:
    own = RecordedVerifier()
    _add_result(own, attempt)
    return own


def _add_result(verifier: RecordedVerifier, attempt: Attempt) -> None:
    plain = attempt.verus
    if attempt.source is None or plain is None or plain.options:
        # Without its file, or under other options, a result is no answer to what is asked here.
        return
    strict = attempt.strict
    row = {"source": attempt.source, "verus": plain.model_dump(mode="json"), "strict": None}
    if strict is not None:
        row["strict"] = {**strict.model_dump(mode="json"), "options": ["--no-cheating"]}
    verifier.add_attempt(row)
