"""What `check` knows of each file: plain data that travels between processes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from verulaw_gate.codes import Family, Severity
from verulaw_gate.findings import Finding
from verulaw_gate.gate.model import Layer
from verulaw_gate.spans import LineIndex

# What no comment and no list of known findings may hide when a change brings it.
GUARDED = frozenset({Family.TRUST, Family.INTEGRITY})


class BaseKind(StrEnum):
    """What a file is compared with. `new`: the base has no such file, so all of it is added."""

    NONE = "none"
    FILE = "file"
    REVISION = "revision"
    NEW = "new"
    TASK = "task"


@dataclass(frozen=True, slots=True)
class Base:
    """The base of one file. `name` is the revision, path or task id; `text` its contents."""

    kind: BaseKind
    name: str = ""
    text: str | None = None

    @property
    def compared(self) -> bool:
        """Whether there is a specification to compare with."""
        return self.kind in (BaseKind.FILE, BaseKind.REVISION, BaseKind.TASK)


NO_BASE = Base(BaseKind.NONE)


@dataclass(frozen=True, slots=True)
class Shown:
    """A finding with what a reader needs to see of the text. `line` and the rest are 0 and
    `source_line` empty for a finding about the text as a whole. `hushed` says what keeps it from
    counting: "" (it counts), "comment" (a suppression in the file) or "baseline"."""

    finding: Finding
    line: int = 0
    column: int = 0
    end_line: int = 0
    end_column: int = 0
    source_line: str = ""
    hushed: str = ""


@dataclass(frozen=True, slots=True)
class Notice:
    """A remark that is no finding: an unused suppression, a stale baseline entry, ..."""

    kind: str
    message: str
    line: int = 0
    column: int = 0


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a file could not be checked at all."""

    message: str
    hint: str = ""
    line: int | None = None
    column: int | None = None
    exit_code: int = 2


@dataclass(frozen=True, slots=True)
class FileReport:
    """All that `check` found in one file. `skipped` says why a file was not for us;
    `receipt` is None when receipts were not asked for, else the reason why none fits or "".
    `sha256` is that of the file's bytes, when receipts are asked for. `mute`: the codes that could
    not speak here, because they are switched off or their layer did not run."""

    path: str
    base: Base = NO_BASE
    shown: tuple[Shown, ...] = ()
    notices: tuple[Notice, ...] = ()
    layers: tuple[Layer, ...] = ()
    fixed: tuple[str, ...] = ()
    failure: Failure | None = None
    skipped: str = ""
    receipt: str | None = None
    verus_version: str = ""
    sha256: str = ""
    mute: frozenset[str] = frozenset()

    @property
    def counted(self) -> tuple[Shown, ...]:
        """The findings that neither a suppression nor the baseline hushes."""
        return tuple(s for s in self.shown if not s.hushed)

    @property
    def errors(self) -> int:
        """How many findings reject."""
        return sum(s.finding.severity is Severity.ERROR for s in self.counted)

    @property
    def exit_code(self) -> int:
        """0 nothing rejects, 1 something does, 2 the file could not be checked."""
        if self.failure is not None:
            return self.failure.exit_code
        return 1 if self.errors or self.receipt else 0


def show(finding: Finding, index: LineIndex) -> Shown:
    """A finding with its places in the checked text."""
    span = finding.span
    if span is None:
        return Shown(finding)
    end_line, end_column = index.position(min(span.end, len(index.text)))
    return Shown(finding, span.line, span.column, end_line, end_column, index.line_text(span.line))
