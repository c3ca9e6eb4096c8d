"""Judge one generation in the shadow: every verdict is stored, none is acted on."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter

from verulaw_gate.config import DEFAULTS, Config
from verulaw_gate.experiment.judge import judge
from verulaw_gate.experiment.labels import agreements
from verulaw_gate.experiment.model import GenerationRecord
from verulaw_gate.experiment.verify import Asked, Question, ask, strictly
from verulaw_gate.gate import Gate
from verulaw_gate.gate.model import GateResult, SourceKind
from verulaw_gate.protocol.model import Protocol
from verulaw_gate.record.convert import (
    candidate_event,
    gate_event,
    in_source,
    monitor_event,
)
from verulaw_gate.record.events import (
    Disposition,
    Event,
    Form,
    GateDecision,
    Generation,
    GenerationClosed,
    MonitorVerdict,
    Resolution,
    VerusRequest,
)
from verulaw_gate.record.store import sha256_of
from verulaw_gate.tasks.assemble import LENIENT_SECTIONS, STRICT, assemble_lenient
from verulaw_gate.tasks.model import Assembly, Label, Task
from verulaw_gate.verus.model import (
    RECORDED_OPTIONS,
    STRICT_OPTIONS,
    Outcome,
    Verifier,
    VerusOptions,
)

AS_RECORDED = "as-recorded"
_KEPT_GATES = 128


@dataclass(frozen=True, slots=True)
class Subject:
    """One generation to be judged.

    `task` has the holes and the target; None when the base has no holes, then `base` is the file
    before the model touched it (None: not known). `text` is the raw answer, `source` the file as
    the log has it; at least one of them. `strict_source`: cut the candidate of a conforming trace
    by the strict extractor (designed corpora). `label` is that of a designed trace.
    """

    generation: Generation
    task: Task | None
    base: str | None
    text: str | None
    source: str | None
    verifier: Verifier
    label: Label | None = None
    strict_source: bool = False


@dataclass(slots=True)
class Shadow:
    """Gates for the bases it meets, kept for the next generation of the same one."""

    protocol: Protocol
    config: Config = DEFAULTS
    repair: bool = True
    times: bool = True
    options: VerusOptions = RECORDED_OPTIONS
    _gates: OrderedDict[tuple[str, bool], Gate] = field(default_factory=OrderedDict)

    def judge(self, subject: Subject) -> GenerationRecord:
        """Every verdict on one generation, with the texts that the events name."""
        return _Judging(self, subject).record()

    def gate(self, task: Task | None, base: str | None, *, repair: bool = False) -> Gate:
        """The gate for a task or base, made once."""
        origin: Task | str | None = task if task is not None else base
        text = task.id + "\0" + task.source if task is not None else base
        key = ("" if text is None else sha256_of(text), repair)
        if key not in self._gates:
            self._gates[key] = Gate(
                origin, config=self.config, protocol=self.protocol, repair=repair
            )
            if len(self._gates) > _KEPT_GATES:
                self._gates.popitem(last=False)
        self._gates.move_to_end(key)
        return self._gates[key]

    def timed(self, call: Callable[[], GateResult]) -> tuple[GateResult, float | None]:
        """What a gate says, and its seconds where times are wanted."""
        start = perf_counter()
        result = call()
        return result, (perf_counter() - start if self.times else None)


@dataclass(slots=True)
class _Judging:
    shadow: Shadow
    subject: Subject
    events: list[Event] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    raw_seconds: float | None = None

    def record(self) -> GenerationRecord:
        subject = self.subject
        if subject.text is not None:
            self._keep(subject.text)
        self.events.append(subject.generation)
        traced = self._trace()
        assembly, extractor = self._candidate(traced)
        source = None if assembly is None else assembly.source
        if traced is not None and traced.verdict is not None:
            self._repaired(traced, subject.text or "")
        if assembly is None or source is None:
            self.events.append(GenerationClosed(disposition=Disposition.NO_CANDIDATE))
            return GenerationRecord(tuple(self.events), self.texts)
        self.events.append(self._on_source(assembly, traced))
        asked = self._ask(source, extractor)
        if subject.label is not None and traced is not None and traced.verdict is not None:
            outcome = None if asked.result is None else asked.result.outcome
            strict = outcome if extractor == STRICT else None
            self.events.extend(agreements(subject.label, traced.verdict, traced, strict))
        self.events.append(GenerationClosed(disposition=_disposition(asked)))
        return GenerationRecord(tuple(self.events), self.texts)

    def _keep(self, text: str) -> str:
        key = sha256_of(text)
        self.texts[key] = text
        return key

    def _trace(self) -> GateResult | None:
        """The monitor's and the gate's verdict on the raw text; None where there is no text or no
        task to read it against."""
        subject = self.subject
        if subject.text is None or subject.task is None:
            why = "no raw text" if subject.text is None else "the base has no holes"
            self.events.append(MonitorVerdict(ran=False, reason=why))
            return None
        text = subject.text
        gate = self.shadow.gate(subject.task, None)
        result, seconds = self.shadow.timed(lambda: gate.check(text))
        assert result.verdict is not None
        self.raw_seconds = seconds
        # The gate's time has the monitor's in it, so the monitor's own is not told again.
        self.events.append(monitor_event(result.verdict, self.shadow.protocol.name, text))
        self.events.append(gate_event(result, Form.TRACE, seconds=seconds))
        return result

    def _candidate(self, traced: GateResult | None) -> tuple[Assembly | None, str]:
        subject = self.subject
        lenient = None
        if subject.task is not None and subject.text is not None:
            lenient = assemble_lenient(subject.task, subject.text)
        found = lenient
        if subject.source is not None and (lenient is None or subject.source != lenient.source):
            found = Assembly(subject.source, AS_RECORDED)
        elif subject.strict_source and traced is not None and traced.assembly is not None:
            found = traced.assembly
        if found is None:
            reason = "no source in the log and no holes to fill"
            self.events.append(candidate_event(None, extractor=LENIENT_SECTIONS, reason=reason))
            return None, LENIENT_SECTIONS
        self._keep(found.source)
        self.events.append(candidate_event(found.source, extractor=found.extractor))
        return found, found.extractor

    def _on_source(self, assembly: Assembly, traced: GateResult | None) -> GateDecision:
        """The gate's verdict on the candidate. Where both extractors cut the same sections, the
        files differ in blank lines between them at most, and one check serves both."""
        same = (
            traced is not None
            and traced.assembly is not None
            and _sections(traced.assembly) == _sections(assembly)
        )
        if traced is not None and same and "\r" not in (self.subject.text or ""):
            return in_source(gate_event(traced, Form.TRACE), traced, assembly)
        gate = self.shadow.gate(self.subject.task, self.subject.base)
        result, seconds = self.shadow.timed(lambda: gate.check_assembly(assembly))
        return gate_event(result, Form.SOURCE, extractor=assembly.extractor, seconds=seconds)

    def _repaired(self, traced: GateResult, text: str) -> None:
        """The repaired verdict of a rejected text: an event of its own, and its own result."""
        if not self.shadow.repair or traced.accepted:
            return
        gate = self.shadow.gate(self.subject.task, None, repair=True)
        result, seconds = self.shadow.timed(lambda: gate.mended(text, traced))
        if result.source_kind is not SourceKind.REPAIRED:
            return
        if seconds is not None and self.raw_seconds is not None:
            # A gate that repairs has judged the raw text before.
            seconds += self.raw_seconds
        self.events.append(gate_event(result, Form.TRACE, seconds=seconds))
        if result.source is None:
            return
        self._keep(result.source)
        self.events.append(
            candidate_event(result.source, extractor=STRICT, source_kind=SourceKind.REPAIRED)
        )
        question = Question(
            result.source,
            self.shadow.options,
            target=_target(self.subject),
            source_kind=SourceKind.REPAIRED,
            extractor=STRICT,
        )
        self.events.extend(ask(self.subject.verifier, question).events)

    def _ask(self, source: str, extractor: str) -> Asked:
        subject = self.subject
        question = Question(source, self.shadow.options, _target(subject), extractor=extractor)
        asked = ask(subject.verifier, question)
        self.events.extend(asked.events)
        if asked.result is None or asked.result.outcome is not Outcome.VERIFIED:
            return asked
        strict = ask(subject.verifier, strictly(question, STRICT_OPTIONS))
        self.events.extend(strict.events)
        self.events.append(
            judge(
                subject.task,
                source,
                target_proved=asked.result.target_proved,
                strict=None if strict.result is None or strict.unstable else strict.result.outcome,
            )
        )
        return asked


def _sections(assembly: Assembly) -> list[tuple[str, int, str]]:
    """What went into the holes, and from where; the joints between sections are left out."""
    return [
        (p.hole, p.trace_start, assembly.source[p.source_start : p.source_end])
        for p in assembly.pieces
    ]


def _target(subject: Subject) -> str | None:
    return subject.task.target or None if subject.task is not None else None


def _disposition(asked: Asked) -> Disposition:
    request = next(e for e in asked.events if isinstance(e, VerusRequest))
    return {
        Resolution.EXECUTION: Disposition.EXECUTED,
        Resolution.REUSE: Disposition.REUSED,
        Resolution.RECORDED: Disposition.RECORDED,
        Resolution.UNSCORED: Disposition.UNSCORED,
    }[request.resolution]
