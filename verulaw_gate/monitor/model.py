"""What the monitor says: steps, violations, hints, verdicts, corrections."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol as TypingProtocol

from verulaw_gate.findings import Finding
from verulaw_gate.protocol.model import State


class Speaker(StrEnum):
    """Who wrote a piece of the trace."""

    PROMPT = "prompt"
    MODEL = "model"
    ENVIRONMENT = "environment"


class ViolationKind(StrEnum):
    """The closed set of protocol violations (each is one VG0xx code of the same name)."""

    TEXT_BEFORE_FIRST_MARKER = "text-before-first-marker"
    UNEXPECTED_STATE = "unexpected-state"
    ENVIRONMENT_CONTENT_FROM_MODEL = "environment-content-from-model"
    MODEL_CONTENT_FROM_ENVIRONMENT = "model-content-from-environment"
    TEXT_AFTER_TERMINATION = "text-after-termination"
    MISSING_TERMINATION = "missing-termination"
    TOO_LONG = "too-long"
    NOT_ONE_OF = "not-one-of"
    NOT_UTF8 = "not-utf8"
    NOT_JSON = "not-json"


@dataclass(frozen=True, slots=True)
class Step:
    """One completed state of the trace.

    Offsets count characters of the whole trace as fed, all speakers together, from 0. `start` is
    where the marker begins, `content_start`/`end` bound the content; `content` is that text as it
    stands (CRLF kept). `line`/`column` are those of `start`.
    """

    state: str
    content: str
    speaker: Speaker
    start: int
    content_start: int
    end: int
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Violation:
    """The first violation. `state` is the state the run was in (None before the first step);
    `legal_next` the names that would have been legal there, in order of declaration."""

    kind: ViolationKind
    offset: int
    line: int
    column: int
    state: str | None
    legal_next: tuple[str, ...]
    message: str


@dataclass(frozen=True, slots=True)
class Hint:
    """A line that looks like a marker and is none. `meant` is the marker text it resembles."""

    offset: int
    line: int
    column: int
    text: str
    meant: str | None
    message: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """The monitor's answer. Acceptance (`ok`) is a prefilter: it says nothing about meaning.

    `accepted_end` is the offset up to which text was accepted; nothing past it is in any step.
    `complete`: the run ended in an accepting state. `findings` come from content checkers and
    count under their own families, never as protocol.
    """

    steps: tuple[Step, ...]
    violation: Violation | None
    hints: tuple[Hint, ...]
    complete: bool
    findings: tuple[Finding, ...]
    accepted_end: int
    legal_next: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """No violation and no rejecting content finding."""
        return self.violation is None and not any(f.severity == "error" for f in self.findings)


class Mode(StrEnum):
    """When a protocol is enforced: `optimistic` checks what arrived, `eager` asks for one state at
    a time."""

    OPTIMISTIC = "optimistic"
    EAGER = "eager"


class CorrectionMode(StrEnum):
    """prefix: valid-state prefixing (Crouse et al. 2023); feedback: a text that names the
    violation; forced: the whole marker of one legal state."""

    PREFIX = "prefix"
    FEEDBACK = "feedback"
    FORCED = "forced"


@dataclass(frozen=True, slots=True)
class Correction:
    """How to go on after a violation. `accepted` is the accepted text of the open model turn,
    `append` the text to add to it (fed back as model text). `hand_over` names the environment
    state that is due instead: then nothing is appended. `feedback` is set in feedback mode."""

    mode: CorrectionMode
    accepted: str
    append: str
    hand_over: str | None
    legal_next: tuple[str, ...]
    feedback: str = ""


class ContentSession(TypingProtocol):
    """One open content under check. Spans in its findings are relative to the content's start."""

    def feed(self, text: str) -> Sequence[Finding]:
        """More content. A finding returned here is certain whatever follows."""

    def finish(self) -> Sequence[Finding]:
        """The content is complete; the remaining findings."""


class ContentChecker(TypingProtocol):
    """Makes a session for the content of a state, or None when it has nothing to check there."""

    def start(self, state: State) -> ContentSession | None:
        """Begin checking the content of `state`."""
