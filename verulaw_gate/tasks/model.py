"""A task: a fixed Rust/Verus file with two holes, what is known of it, and its traces."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path


class TaskKind(StrEnum):
    """exec: write the body; proof: prove a proof fn; annotate: add only proof to given code."""

    EXEC = "exec"
    PROOF = "proof"
    ANNOTATE = "annotate"


@dataclass(frozen=True, slots=True)
class Label:
    """What a designed trace was written to show, one stage each on its own."""

    protocol: str
    gate: str
    verus: str
    note: str


@dataclass(frozen=True, slots=True)
class LabelledTrace:
    """One candidate trace (`name` without .txt) and its label. The reference has no label file
    entry: its label is ok, ok, verified."""

    name: str
    text: str
    label: Label
    path: Path


@dataclass(frozen=True, slots=True)
class Task:
    """One task. `source` is task.rs with its hole lines; `exec_body` the fixed executable code of
    an annotate task. Traces and recordings are read on demand (`tasks.load`)."""

    id: str
    title: str
    statement: str
    difficulty: str
    topics: tuple[str, ...]
    kind: TaskKind
    target: str
    source: str
    reference: str
    exec_body: str | None = None
    path: Path | None = None
    origin: str = ""
    extra: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of an assembled source that came from the trace: source characters
    `[source_start, source_end)` are trace characters from `trace_start` on (after CRLF has been
    normalised to LF, so lengths agree only in LF traces). `hole` is `lemmas` or `body`."""

    hole: str
    source_start: int
    source_end: int
    trace_start: int


@dataclass(frozen=True, slots=True)
class Assembly:
    """A candidate file and where its parts came from. `extractor` names how the trace was cut:
    `strict` (a conforming trace) or `lenient-sections`."""

    source: str
    extractor: str
    pieces: tuple[Piece, ...] = ()
