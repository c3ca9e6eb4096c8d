"""What the tables need of each event, in a tenth of its memory.

A run of 100,000 generations has a million events. Field names are those of the events
(`record.events`), where they are defined; strings and lists that recur are kept once.
"""

from __future__ import annotations

from dataclasses import dataclass
from sys import intern

from verulaw_gate.codes import Family, Severity
from verulaw_gate.gate.model import Decision, SourceKind
from verulaw_gate.monitor.model import ViolationKind
from verulaw_gate.record import events as ev
from verulaw_gate.verus.model import Outcome


@dataclass(frozen=True, slots=True)
class Answer:
    """Of `Generation`."""

    trace: str | None
    origin: str
    chars: int | None
    stopped_early_at: int | None
    unread_tokens: int | None
    prompts: int | None
    prompt_chars: int | None
    answer_chars: int | None
    lead_chars: int | None


@dataclass(frozen=True, slots=True)
class Violation:
    """Of `ViolationRow`."""

    violation: ViolationKind
    offset: int


@dataclass(frozen=True, slots=True)
class Monitored:
    """Of `MonitorVerdict`."""

    ran: bool
    reason: str
    violation: Violation | None
    seconds: float | None


@dataclass(frozen=True, slots=True)
class Made:
    """Of `Candidate`."""

    extractor: str
    source_kind: SourceKind
    source_sha256: str | None


@dataclass(frozen=True, slots=True)
class Found:
    """Of `FindingRow`."""

    code: str
    family: Family
    severity: Severity
    source_line: int | None


@dataclass(frozen=True, slots=True)
class Ran:
    """Of `LayerRow`."""

    name: str
    ran: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Decided:
    """Of `GateDecision`."""

    form: ev.Form
    source_kind: SourceKind
    decision: Decision | None
    reason: str
    findings: tuple[Found, ...]
    layers: tuple[Ran, ...]
    repairs: tuple[str, ...]
    source_sha256: str | None
    seconds: float | None
    verus_version: str


@dataclass(frozen=True, slots=True)
class Asked:
    """Of `VerusRequest`."""

    purpose: ev.Purpose
    resolution: ev.Resolution
    heard: bool


@dataclass(frozen=True, slots=True)
class Said:
    """Of `DiagnosticRow`."""

    level: str
    code: str | None
    message: str
    line: int | None


@dataclass(frozen=True, slots=True)
class Verified:
    """Of `VerificationDone`."""

    purpose: ev.Purpose
    source_sha256: str
    source_kind: SourceKind
    outcome: Outcome
    unstable: bool
    wall_s: float | None
    version: str | None
    diagnostics: tuple[Said, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """Of `Judgement`."""

    source_sha256: str
    honest: bool | None


class Slimmer:
    """Makes slim facts of events. One for a run: it remembers what recurs."""

    def __init__(self) -> None:
        self._layers: dict[tuple[Ran, ...], tuple[Ran, ...]] = {}

    def answer(self, event: ev.Generation) -> Answer:
        """Of a generation event."""
        origin = intern(event.origin)
        return Answer(
            event.trace,
            origin,
            event.chars,
            event.stopped_early_at,
            event.unread_tokens,
            event.prompts,
            event.prompt_chars,
            event.answer_chars,
            event.lead_chars,
        )

    def monitored(self, event: ev.MonitorVerdict) -> Monitored:
        """Of a monitor verdict."""
        first = event.violation
        violation = None if first is None else Violation(first.violation, first.offset)
        return Monitored(event.ran, intern(event.reason), violation, event.seconds)

    def made(self, event: ev.Candidate) -> Made:
        """Of a candidate."""
        return Made(intern(event.extractor), event.source_kind, _kept(event.source_sha256))

    def decided(self, event: ev.GateDecision) -> Decided:
        """Of a gate decision."""
        layers = tuple(Ran(intern(x.name), x.ran, intern(x.reason)) for x in event.layers)
        return Decided(
            event.form,
            event.source_kind,
            event.decision,
            intern(event.reason),
            tuple(
                Found(intern(f.code), f.family, f.severity, f.source_line) for f in event.findings
            ),
            self._layers.setdefault(layers, layers),
            event.repairs,
            _kept(event.source_sha256),
            event.seconds,
            intern(event.verus_version),
        )

    def asked(self, event: ev.VerusRequest) -> Asked:
        """Of a Verus request."""
        return Asked(event.purpose, event.resolution, event.heard)

    def verified(self, event: ev.VerificationDone) -> Verified:
        """Of a verification."""
        return Verified(
            event.purpose,
            intern(event.source_sha256),
            event.source_kind,
            event.outcome,
            event.unstable,
            event.wall_s,
            _kept(event.version),
            tuple(
                Said(intern(d.level), _kept(d.code), intern(d.message), d.line)
                for d in event.diagnostics
            ),
        )

    def judged(self, event: ev.Judgement) -> Judged:
        """Of a judgement."""
        return Judged(intern(event.source_sha256), event.honest)


def _kept(text: str | None) -> str | None:
    return None if text is None else intern(text)
