"""Attempt logs: loops recorded elsewhere, one JSON object a line (verulaw-gate/attempt/1).

Required: `schema`, `task`, `attempt` (1, 2, ... in the loop's order) and at least one of `text`
(the model's raw answer) and `source` (the whole candidate file). Optional, and reported as absent
where they are: `sample` (which loop of that task, from 0), `base` (the task's file before the
model touched it), `target`, `origin`, `verus` (the result: `outcome` and what else is known),
`strict` (the result with `--no-cheating`), `prompt_tokens`, `completion_tokens`, `seconds` (model
time), `cost_usd`.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from verulaw_gate.errors import LogError
from verulaw_gate.record.events import MAX_COUNT
from verulaw_gate.tasks.files import read_json, read_lines
from verulaw_gate.verus.model import Outcome

SCHEMA = "verulaw-gate/attempt/1"
MAX_LINE = 32 * 1024 * 1024
"""Bytes of one line; a longer one is refused."""


class _Row(BaseModel):
    model_config = ConfigDict(frozen=True, extra="allow", allow_inf_nan=False)


class AttemptDiagnostic(_Row):
    """One diagnostic of a recorded result."""

    message: str
    code: str | None = None
    line: int | None = None
    column: int | None = None


class AttemptResult(_Row):
    """A recorded Verus result; only `outcome` is required. `wall_s` in seconds. `options`: those
    besides `--output-json --error-format=json`; a plain result that has any is not comparable
    with the others and stays unscored."""

    outcome: Outcome
    version: str | None = None
    exit_code: int | None = None
    verified: int | None = None
    errors: int | None = None
    front_end: str | None = None
    wall_s: float | None = Field(default=None, ge=0)
    options: tuple[str, ...] | None = None
    diagnostics: tuple[AttemptDiagnostic, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _refused(cls, data: Any) -> Any:
        # Logs call a strict verdict "refused": with --no-cheating that is an error of the front
        # end, before any proof.
        if isinstance(data, dict) and data.get("outcome") == "refused":
            return {**data, "outcome": "compile-error", "front_end": "vir"}
        return data


class Attempt(_Row):
    """One line of an attempt log."""

    schema_: Literal["verulaw-gate/attempt/1"] = Field(alias="schema")
    task: str = Field(min_length=1, max_length=200)
    attempt: int = Field(ge=1, le=MAX_COUNT)
    sample: int = Field(default=0, ge=0, le=MAX_COUNT)
    text: str | None = None
    source: str | None = None
    base: str | None = None
    target: str | None = None
    origin: str = ""
    verus: AttemptResult | None = None
    strict: AttemptResult | None = None
    prompt_tokens: int | None = Field(default=None, ge=0)
    completion_tokens: int | None = Field(default=None, ge=0)
    seconds: float | None = Field(default=None, ge=0)
    cost_usd: float | None = Field(default=None, ge=0)

    @model_validator(mode="after")
    def _one_of(self) -> Attempt:
        if not self.task.isprintable():
            raise ValueError("`task` has a character that can't be printed")
        if self.text is None and self.source is None:
            raise ValueError("an attempt needs `text` or `source`")
        return self


@dataclass(slots=True)
class LogSummary:
    """What one reading of a log found, without its attempts: a log may be larger than memory.

    `sha256` is that of the files' own hashes in order. `offsets`: by how much the samples of
    each file are raised, so that loops of different files differ. `loops`: attempts by (task,
    sample).
    `present`: how many attempts have each field; `unknown`: the same of fields that are not ours.
    """

    name: str
    paths: tuple[Path, ...]
    sha256: str = ""
    offsets: list[int] = field(default_factory=list)
    count: int = 0
    loops: dict[tuple[str, int], list[int]] = field(default_factory=dict)
    present: Counter[str] = field(default_factory=Counter)
    unknown: Counter[str] = field(default_factory=Counter)
    timed: int = 0
    verified: int = 0
    verified_strict: int = 0
    last_compiled: dict[tuple[str, int], tuple[int, bool]] = field(default_factory=dict)

    def add(self, attempt: Attempt) -> None:
        """Count one attempt."""
        loop = (attempt.task, attempt.sample)
        self.count += 1
        self.loops.setdefault(loop, []).append(attempt.attempt)
        self.present.update(
            n for n in attempt.model_fields_set if getattr(attempt, n, None) is not None
        )
        self.unknown.update(list(attempt.model_extra or {}))
        result = attempt.verus
        if result is not None:
            self.timed += result.wall_s is not None
            if result.outcome is Outcome.VERIFIED:
                self.verified += 1
                self.verified_strict += attempt.strict is not None
        compiled = result is not None and result.outcome is Outcome.PROOF_FAILURE
        if attempt.attempt >= self.last_compiled.get(loop, (0, False))[0]:
            self.last_compiled[loop] = (attempt.attempt, compiled)

    def notes(self) -> tuple[str, ...]:
        """What this log can't answer, in plain sentences."""
        notes = []
        for name, sentence in (
            ("text", "raw text: nothing can be said of protocols, corrections or repairs"),
            (
                "source",
                "source: the candidate is cut from the text by a named extractor, and a Verus "
                "result in the log is of a file not known here: unscored",
            ),
            ("base", "base: specification and integrity rules can't compare, no honest success"),
            ("verus", "Verus result: those are unscored"),
        ):
            if absent := self.count - self.present[name]:
                notes.append(f"{absent} of {self.count} attempts have no {sentence}.")
        scored = self.present["verus"]
        if untimed := scored - self.timed:
            notes.append(f"{untimed} of {scored} results have no time: seconds are of the rest.")
        if unjudged := self.verified - self.verified_strict:
            notes.append(
                f"{unjudged} of {self.verified} verified attempts have no strict verdict: "
                "honest success is not known for them."
            )
        if stopped := sum(compiled for _, compiled in self.last_compiled.values()):
            notes.append(
                f"{stopped} of {len(self.loops)} loops end at an attempt that compiled but did "
                "not verify: this log can't say how many calls a success takes."
            )
        if not self.present["seconds"]:
            notes.append("No attempt has model seconds.")
        if self.unknown:
            shown = ", ".join(f"{k} ({v})" for k, v in sorted(self.unknown.items()))
            notes.append(f"Fields that are not read: {shown}.")
        return tuple(notes)


def scan_log(paths: Sequence[Path]) -> LogSummary:
    """Read one or more attempt logs as one corpus and check every line.

    Each file's loops are loops of their own: the samples of a later file are numbered on from
    those of the earlier ones (`offsets`). A loop may have gaps: a log may be a selection. Raises
    LogError (path, line, hint) for a file that can't be read, a line that is not JSON or no
    attempt, an attempt that is there twice, and for logs without any attempt.
    """
    digest = hashlib.sha256()
    summary = LogSummary("+".join(path.stem for path in paths), tuple(paths))
    seen: dict[tuple[str, int, int], tuple[str, int]] = {}
    files: dict[bytes, Path] = {}
    for path in paths:
        summary.offsets.append(1 + max((sample for _, sample in summary.loops), default=-1))
        own = hashlib.sha256()
        for number, line in read_lines(path, LogError, limit=MAX_LINE, seen=own.update):
            attempt = parse_attempt(line, path, number, offset=summary.offsets[-1])
            place = (attempt.task, attempt.sample, attempt.attempt)
            if place in seen:
                name, first = seen[place]
                raise LogError(
                    f"attempt {attempt.attempt} of '{attempt.task}' (sample {attempt.sample}) "
                    f"is here a second time; the first is {name}:{first}",
                    hint="number loops of the same task by `sample`",
                    path=path,
                    line=number,
                )
            seen[place] = (path.name, number)
            summary.add(attempt)
        if own.digest() in files:
            # As other samples its attempts would count twice.
            same = files[own.digest()]
            raise LogError(f"the same log as {same}", hint="name each log once", path=path)
        files[own.digest()] = path
        digest.update(own.digest())
    if not summary.count:
        raise LogError("no attempts in the log", hint=f"one {SCHEMA} object a line", path=paths[0])
    summary.sha256 = digest.hexdigest()
    return summary


def read_attempts(summary: LogSummary) -> Iterator[Attempt]:
    """The attempts of scanned logs in the order of their lines. Raises LogError as `scan_log`."""
    for path, offset in zip(summary.paths, summary.offsets, strict=True):
        for number, line in read_lines(path, LogError, limit=MAX_LINE):
            yield parse_attempt(line, path, number, offset=offset)


def parse_attempt(
    line: str, path: Path | None = None, number: int | None = None, *, offset: int = 0
) -> Attempt:
    """One line of a log, its `sample` raised by `offset`. Raises LogError at its place."""
    hint = f"each line is one {SCHEMA} object"
    data = read_json(line, LogError, hint=hint, path=path, line=number)
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        got = data.get("schema") if isinstance(data, dict) else type(data).__name__
        raise LogError(
            f"not an attempt: schema is {got!r}",
            hint=f"it must be {SCHEMA}",
            path=path,
            line=number,
        )
    try:
        attempt = Attempt.model_validate(data)
    except ValidationError as problem:
        first = problem.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise LogError(
            f"{where + ': ' if where else ''}{first['msg']}",
            hint="see docs/attempt-log.md",
            path=path,
            line=number,
        ) from None
    if attempt.sample + offset > MAX_COUNT:
        raise LogError(
            f"sample {attempt.sample} is too large", hint="number loops from 0", path=path,
            line=number,
        )  # fmt: skip
    return attempt.model_copy(update={"sample": attempt.sample + offset}) if offset else attempt
