"""Results of real Verus that were recorded, served again. A miss is an error, never a guess."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from verulaw_gate.errors import LogError, RecordedMiss
from verulaw_gate.tasks.model import Task
from verulaw_gate.tasks.recordings import Recording, recordings
from verulaw_gate.verus.cancel import Cancel
from verulaw_gate.verus.diagnostics import Reading
from verulaw_gate.verus.keys import options_key, result_key
from verulaw_gate.verus.model import (
    RECORDED_OPTIONS,
    Diagnostic,
    DiagnosticSpan,
    Outcome,
    Verification,
    VerusOptions,
)
from verulaw_gate.verus.runs import Run, from_json, options_of
from verulaw_gate.verus.target import target_proved

_INDEFINITE = frozenset({Outcome.TIMEOUT, Outcome.CRASH, Outcome.TOOL_ERROR})


@dataclass(frozen=True, slots=True)
class Summary:
    """One recorded result of which only the summary was kept (attempt logs)."""

    reading: Reading
    exit_code: int | None = None
    version: str | None = None
    wall_s: float | None = None


Record = Run | Summary


@dataclass(slots=True)
class RecordedVerifier:
    """A `Verifier` over recorded results, keyed by the SHA-256 of the source and the options.

    Fill it with `add_task`, `add_attempt`, `add_folder` or `add`. Two records of one key that
    tell of one outcome are one; a definite outcome wins over a timeout or crash; two different
    definite outcomes are a miss that says so.
    """

    version: str | None = None
    _records: dict[tuple[str, str], list[Record]] = field(default_factory=dict)

    @classmethod
    def of(
        cls, tasks: Iterable[Task] = (), attempts: Iterable[Mapping[str, Any]] = ()
    ) -> RecordedVerifier:
        """A verifier over the recordings of tasks and the objects of attempt logs."""
        verifier = cls()
        for task in tasks:
            verifier.add_task(task)
        for attempt in attempts:
            verifier.add_attempt(attempt)
        return verifier

    def __len__(self) -> int:
        return len(self._records)

    def add(self, sha256: str, options: VerusOptions, record: Record) -> None:
        """Add one record."""
        self._records.setdefault((sha256, options_key(options)), []).append(record)
        self.version = self.version or record.version

    def add_task(self, task: Task) -> None:
        """Add what was recorded beside a task. Raises TaskError for a record that is not one."""
        for group in recordings(task).values():
            for recording in (group.plain, group.strict, group.lenient):
                if recording is not None:
                    self._add_recording(recording)

    def _add_recording(self, recording: Recording) -> None:
        run = Run(
            recording.argv,
            recording.exit_code,
            recording.stdout,
            recording.stderr,
            recording.verus_version,
            recording.wall_s,
        )
        self.add(recording.source_sha256, VerusOptions(recording.args), run)

    def add_folder(self, folder: Path) -> None:
        """Add every `*.json` of a folder that `verulaw-gate record` wrote.

        Raises LogError for a file that is no recording.
        """
        for path in sorted(folder.glob("*.json")):
            try:
                data = json.loads(path.read_text(encoding="utf-8"))
                run, sha256 = from_json(data), str(data["source_sha256"])
            except (OSError, ValueError, KeyError, TypeError, RecursionError) as problem:
                raise LogError(
                    f"not a recorded result: {problem!r}", hint="record it again", path=path
                ) from None
            self.add(sha256, options_of(run.argv), run)

    def add_attempt(self, attempt: Mapping[str, Any], *, line: int | None = None) -> None:
        """Add the `verus` and `strict` results of one object of an attempt log.

        Raises LogError where the object lacks its source or names no outcome of ours.
        """
        try:
            source, plain = str(attempt["source"]), attempt["verus"]
            strict = attempt.get("strict")
            key, _ = result_key(source, RECORDED_OPTIONS)
            self.add(key, RECORDED_OPTIONS, _summary(plain))
            if strict is not None:
                options = VerusOptions(
                    (*RECORDED_OPTIONS.args, *(str(o) for o in strict["options"]))
                )
                version = plain.get("version")
                self.add(key, options, _summary({"version": version, **strict}))
        except (KeyError, TypeError, ValueError, AttributeError) as problem:
            raise LogError(
                f"an attempt without a usable Verus result: {problem!r}",
                hint="each attempt needs `source` and `verus` with `outcome`",
                line=line,
            ) from None

    def verify(
        self,
        source: str,
        options: VerusOptions = RECORDED_OPTIONS,
        *,
        target: str | None = None,
        cancel: Cancel | None = None,
    ) -> Verification:
        """The recorded result. There is nothing to wait for, so `cancel` is not looked at.

        Raises RecordedMiss where there is none, with the hash and how to record it.
        """
        sha256, key = result_key(source, options)
        records = self._records.get((sha256, key))
        if not records:
            raise self._miss(sha256, options)
        results = [_verification(r, sha256, source, options, target) for r in records]
        definite = [r for r in results if r.outcome not in _INDEFINITE]
        outcomes = sorted({r.outcome.value for r in definite})
        if len(outcomes) > 1:
            raise RecordedMiss(
                f"the recorded results of source {sha256} disagree ({', '.join(outcomes)})",
                hint="the verdict is unstable: keep one record, or run the real Verus",
            )
        return definite[0] if definite else results[0]

    def _miss(self, sha256: str, options: VerusOptions) -> RecordedMiss:
        other = any(known == sha256 for known, _ in self._records)
        shown = " ".join(options.args) or "no options"
        told = "; the same source is recorded under other options" if other else ""
        return RecordedMiss(
            f"no recorded Verus result for source sha256 {sha256} under {shown}{told}",
            hint="record it with a real Verus: `verulaw-gate record FILE.rs --into FOLDER` (or "
            "TASK, or LOG.jsonl), or verify with the real Verus instead",
        )


def _summary(data: Mapping[str, Any]) -> Summary:
    diagnostics = tuple(
        Diagnostic(
            level="error",
            message=str(d["message"]),
            code=d.get("code"),
            spans=_place(d.get("line"), d.get("column")),
        )
        for d in data.get("diagnostics") or ()
    )
    # Logs call a strict verdict `refused`: Verus's own front end then says "not allowed with
    # --no-cheating", an error before any proof.
    refused = data["outcome"] == "refused"
    return Summary(
        reading=Reading(
            outcome=Outcome.COMPILE_ERROR if refused else Outcome(data["outcome"]),
            diagnostics=diagnostics,
            verified=data.get("verified"),
            errors=data.get("errors"),
            front_end="vir" if refused else data.get("front_end"),
            version=data.get("version"),
        ),
        exit_code=data.get("exit_code"),
        version=data.get("version"),
        wall_s=data.get("wall_s"),
    )


def _place(line: int | None, column: int | None) -> tuple[DiagnosticSpan, ...]:
    if line is None:
        return ()
    at = column or 1
    return (DiagnosticSpan("candidate.rs", line, at, line, at, primary=True),)


def _verification(
    record: Record, sha256: str, source: str, options: VerusOptions, target: str | None
) -> Verification:
    if isinstance(record, Run):
        return record.result(
            source=source, sha256=sha256, options=options, target=target, origin="recorded"
        )
    argv = ("verus", "candidate.rs", *options.args)
    reading = record.reading
    return Verification(
        outcome=reading.outcome,
        target_proved=target_proved(reading, argv, target=target, source=source),
        source_sha256=sha256,
        options=options,
        diagnostics=reading.diagnostics,
        verified=reading.verified,
        errors=reading.errors,
        front_end=reading.front_end,
        exit_code=record.exit_code,
        argv=argv,
        version=record.version,
        wall_s=record.wall_s,
        origin="recorded",
        detail=reading.detail,
    )
