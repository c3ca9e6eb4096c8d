"""Events put together: what is known of each generation, episode and run.

Nothing is judged here and nothing is filled in: an event that is not there stays absent.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from verulaw_gate.errors import StoreError
from verulaw_gate.gate.model import SourceKind
from verulaw_gate.record.events import (
    ArmSettled,
    Candidate,
    CorrectionIssued,
    CorrectionOutcome,
    Disposition,
    EpisodeClosed,
    Event,
    Form,
    GateDecision,
    Generation,
    GenerationClosed,
    Judgement,
    Key,
    LabelAgreement,
    MonitorVerdict,
    Purpose,
    RunClosed,
    RunResumed,
    RunStarted,
    Stored,
    VerificationDone,
    VerusRequest,
)
from verulaw_gate.report.slim import (
    Answer,
    Asked,
    Decided,
    Judged,
    Made,
    Monitored,
    Slimmer,
    Verified,
)


@dataclass(slots=True)
class GenerationFacts:
    """What the tables need of the events of one generation, by kind, in order. `closed`: its
    disposition, None while its last event is missing.

    `memo` keeps what was derived from them once (`filing`): events do not change afterwards.
    """

    key: Key
    generation: Answer | None = None
    monitor: Monitored | None = None
    candidates: list[Made] = field(default_factory=list)
    decisions: list[Decided] = field(default_factory=list)
    requests: list[Asked] = field(default_factory=list)
    verifications: list[Verified] = field(default_factory=list)
    judgements: list[Judged] = field(default_factory=list)
    corrections: list[CorrectionIssued] = field(default_factory=list)
    correction_outcomes: list[CorrectionOutcome] = field(default_factory=list)
    labels: list[LabelAgreement] = field(default_factory=list)
    closed: Disposition | None = None
    memo: dict[str, object] = field(default_factory=dict, compare=False)

    @property
    def name(self) -> str:
        """How the generation is called in lists: task and trace, or task and number."""
        if self.generation is not None and self.generation.trace:
            return f"{self.key.task}/{self.generation.trace}"
        place = f"{self.key.task}#{self.key.generation}"
        if self.key.sample:
            place += f"/sample {self.key.sample}"
        return place if self.key.arm in ("", "replay") else f"{self.key.arm}: {place}"

    @property
    def id(self) -> str:
        """The whole key in one string, unique in the run."""
        key = self.key
        return f"{key.arm}/{key.task}/{key.sample}/{key.generation}"

    @property
    def measured(self) -> Verified | None:
        """The result of the raw candidate under the run's options; None when there is none."""
        return next(
            (
                v
                for v in self.verifications
                if v.purpose is Purpose.MEASURE and v.source_kind is SourceKind.RAW
            ),
            None,
        )

    @property
    def strict(self) -> Verified | None:
        """The strict result of the same source as `measured`; None when there is none."""
        plain = self.measured
        if plain is None:
            return None
        return next(
            (
                v
                for v in self.verifications
                if v.purpose is Purpose.STRICT and v.source_sha256 == plain.source_sha256
            ),
            None,
        )

    @property
    def judgement(self) -> Judged | None:
        """The frozen judge on the measured source; None when it has not spoken."""
        plain = self.measured
        if plain is None:
            return None
        return next((j for j in self.judgements if j.source_sha256 == plain.source_sha256), None)

    def raw_decision(self, form: Form) -> Decided | None:
        """The gate's verdict on the raw trace or on the raw candidate, if it ran."""
        return next(
            (
                d
                for d in self.decisions
                if d.form is form and d.source_kind is SourceKind.RAW and d.decision is not None
            ),
            None,
        )

    @property
    def gate_seconds(self) -> float | None:
        """Monitor and gate time that a loop would spend on this generation; None if not measured.

        The verdict on the trace has the monitor's time in it, unless the monitor was timed alone
        (a live stream). Verdicts that are made for measurement only (on the file of a trace that
        was judged already) are not in it.
        """
        decision = self.raw_decision(Form.TRACE) or self.raw_decision(Form.SOURCE)
        if decision is None or decision.seconds is None:
            return None
        monitor = self.monitor.seconds if self.monitor is not None else None
        return decision.seconds + (monitor or 0.0)


@dataclass(slots=True)
class RunFacts:
    """One run: its first and last event, its generations and episode ends in order of place."""

    name: str
    started: RunStarted
    closed: RunClosed | None
    generations: list[GenerationFacts]
    episodes: dict[tuple[str, str, int], EpisodeClosed]
    resumed: list[RunResumed] = field(default_factory=list)
    settled: list[ArmSettled] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        """Whether the run came to its end."""
        return self.closed is not None

    def of_arm(self, arm: str) -> list[GenerationFacts]:
        """The generations of one arm."""
        return [g for g in self.generations if g.key.arm == arm]


def collect(name: str, events: Iterable[Stored]) -> RunFacts:
    """Put the events of one run together. They come as a store gives them: in order of their
    place (run events anywhere).

    A generation without its closing event was cut short by a kill and will be done again; it is
    left out here and said by `RunFacts.complete`. Raises StoreError when the run has no start.
    """
    started: RunStarted | None = None
    closed: RunClosed | None = None
    resumed: list[RunResumed] = []
    settled: list[ArmSettled] = []
    episodes: dict[tuple[str, str, int], EpisodeClosed] = {}
    generations: list[GenerationFacts] = []
    slim, last = Slimmer(), GenerationFacts(Key())
    for stored in events:
        event, key = stored.event, stored.key
        if isinstance(event, RunStarted):
            started = event
        elif isinstance(event, RunClosed):
            closed = event
        elif isinstance(event, RunResumed):
            resumed.append(event)
        elif isinstance(event, ArmSettled):
            settled.append(event)
        elif isinstance(event, EpisodeClosed):
            episodes[key.task, key.arm, key.sample] = event
        else:
            if key != last.key:
                last = GenerationFacts(key)
                generations.append(last)
            _add(last, event, slim)
    if started is None:
        raise StoreError(
            f"run '{name}' has no start", hint="replay or run it again under another name"
        )
    done = [g for g in generations if g.closed is not None]
    return RunFacts(name, started, closed, done, episodes, resumed, settled)


def in_order(events: Iterable[Stored]) -> list[Stored]:
    """Events as a store gives them."""
    return sorted(events, key=_place)


def _place(stored: Stored) -> tuple[str, str, int, int, int]:
    key = stored.key
    return (key.task, key.arm, key.sample, key.generation, stored.seq)


def _add(facts: GenerationFacts, event: Event, slim: Slimmer) -> None:
    match event:
        case Generation():
            facts.generation = slim.answer(event)
        case MonitorVerdict():
            facts.monitor = slim.monitored(event)
        case Candidate():
            facts.candidates.append(slim.made(event))
        case GateDecision():
            facts.decisions.append(slim.decided(event))
        case VerusRequest():
            facts.requests.append(slim.asked(event))
        case VerificationDone():
            facts.verifications.append(slim.verified(event))
        case Judgement():
            facts.judgements.append(slim.judged(event))
        case CorrectionIssued():
            facts.corrections.append(event)
        case CorrectionOutcome():
            facts.correction_outcomes.append(event)
        case LabelAgreement():
            facts.labels.append(event)
        case GenerationClosed():
            facts.closed = event.disposition
