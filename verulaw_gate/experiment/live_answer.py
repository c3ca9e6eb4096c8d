"""What follows a turn of the model: judge it, ask Verus, answer; all of it as events."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from verulaw_gate.agent.feedback import gate_feedback, protocol_feedback, verus_feedback
from verulaw_gate.agent.metered import Meter
from verulaw_gate.agent.model import Prompt
from verulaw_gate.agent.turn import Turn
from verulaw_gate.codes import BY_NAME, Family, Severity
from verulaw_gate.errors import ToolError
from verulaw_gate.experiment.live_agent import asked_states
from verulaw_gate.experiment.live_events import (
    GATED,
    correction_outcomes,
    generation_event,
    prompt_text,
)
from verulaw_gate.experiment.live_judge import Judged, judge_agent, judge_turn
from verulaw_gate.experiment.live_reuse import as_known, known_result, reuse_events
from verulaw_gate.experiment.model import EpisodeSpec, GenerationRecord, TextOf
from verulaw_gate.experiment.verify import Question, ask
from verulaw_gate.gate import Gate
from verulaw_gate.gate.model import Decision, GateResult
from verulaw_gate.monitor import CorrectionMode, Monitor, Verdict, run_trace
from verulaw_gate.record.convert import candidate_event, gate_event, monitor_event
from verulaw_gate.record.events import (
    ActionGroup,
    ArmKind,
    CorrectionIssued,
    Disposition,
    Event,
    Feedback,
    FeedbackSource,
    Form,
    GenerationClosed,
    Resolution,
    VerusRequest,
)
from verulaw_gate.record.store import sha256_of
from verulaw_gate.tasks.assemble import STRICT, assemble, assemble_lenient
from verulaw_gate.tasks.model import Assembly, Task
from verulaw_gate.verus.model import Outcome, Verification, Verifier

if TYPE_CHECKING:
    from verulaw_gate.experiment.live import LiveSettings

_RANDOM_REPLY = "The answer was rejected. Try again."
_UNSCORED_REPLY = "There is no result for this answer. Try another proof."
_DISPOSITIONS = {
    Resolution.EXECUTION: Disposition.EXECUTED,
    Resolution.REUSE: Disposition.REUSED,
    Resolution.RECORDED: Disposition.RECORDED,
    Resolution.UNSCORED: Disposition.UNSCORED,
}


@dataclass(slots=True)
class Answering:
    """One generation after its turn. `record` does everything once."""

    spec: EpisodeSpec
    history: Sequence[GenerationRecord]
    text_of: TextOf
    prompt: Prompt
    turn: Turn
    meter: Meter
    groups: tuple[ActionGroup, ...]
    monitor: Monitor
    gate: Callable[[Task, bool], Gate]
    verifier: Verifier
    settings: LiveSettings
    origin: str
    say: Callable[[str, str], None]
    events: list[Event] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    verified: bool | None = None

    def record(self) -> GenerationRecord:
        """Judge, ask, answer. Raises ToolError when Verus cannot run."""
        self._keep(self.turn.raw)
        self._keep(self.turn.text)
        first = None if self.history else self._keep(prompt_text(self.prompt))
        self.events.append(generation_event(self.turn, self.meter, self.origin, first))
        self.events.append(
            monitor_event(
                self._conformance(),
                self.settings.protocol.name,
                self.turn.raw,
                self.turn.monitor_seconds,
            )
        )
        self.events.extend(self.groups)
        if self.turn.stopped_at is not None:
            self.say("stopped", f"after {self.turn.stopped_at} characters")
        kind = self.spec.arm.kind
        if kind in GATED:
            disposition = self._gated()
        elif kind is ArmKind.RANDOM and self._unlucky():
            self._tell(FeedbackSource.RANDOM, _RANDOM_REPLY)
            disposition = Disposition.RANDOM_REJECTED
        else:
            disposition = self._ungated()
        # A correction that no budget covered any more was not given.
        within = self.monitor.outcomes[: len(self.turn.issued)]
        self.events.extend(correction_outcomes(self.history, self.events, within, self.verified))
        self.events.append(GenerationClosed(disposition=disposition))
        return GenerationRecord(tuple(self.events), self.texts)

    def _conformance(self) -> Verdict:
        """The protocol's verdict on all of the raw text: that of the stream ends at the first
        finding of the gate's rules, where it ran under them."""
        assert self.turn.first is not None
        whole = self.turn.stopped_at is None and not asked_states(self.settings.protocol)
        if not whole or self.turn.first.violation is not None or self.spec.arm.kind not in GATED:
            return self.turn.first
        return run_trace(self.settings.protocol, self.turn.raw)

    # Arms in which the model hears the gate.

    def _gated(self) -> Disposition:
        task, arm = self.spec.task, self.spec.arm
        for ordinal, issued in enumerate(self.turn.issued):
            self.events.append(
                CorrectionIssued(
                    ordinal=ordinal,
                    cause=BY_NAME[issued.cause].code,
                    mode=issued.correction.mode,
                    append_chars=len(issued.correction.append),
                    hand_over=issued.correction.hand_over,
                )
            )
            self.say("corrected", issued.cause)
        judged = self._judge()
        if not judged.final.accepted or judged.final.source is None:
            return self._refused(judged)
        result = judged.final
        assert result.assembly is not None
        self.say("repaired" if result.repairs else "accepted", "")
        source = self._keep(result.assembly.source)
        self.events.append(
            candidate_event(source, extractor=STRICT, source_kind=result.source_kind)
        )
        reuse = arm.cache or arm.kind is ArmKind.ON
        if reuse and (again := self._reused(result)) is not None:
            return again
        question = Question(
            source,
            self.settings.options,
            target=task.target,
            source_kind=result.source_kind,
            extractor=STRICT,
            heard=True,
        )
        return self._verus(question, result.assembly)

    def _judge(self) -> Judged:
        task, arm = self.spec.task, self.spec.arm
        agent = bool(asked_states(self.settings.protocol))
        if agent:
            judged = judge_agent(
                self.turn,
                self.monitor.verdict(),
                self.monitor.rejected,
                task,
                self.gate(task, False),
            )
        else:
            judged = judge_turn(
                self.turn,
                self.monitor.rejected,
                self.gate(task, False),
                self.gate(task, True),
                autofix=arm.repair and arm.kind in GATED,
            )
        for result, seconds in judged.steps:
            # An agent's candidate is judged as a file: places are in its source.
            form = Form.SOURCE if agent and result.assembly is not None else Form.TRACE
            acted = arm.kind is ArmKind.ON
            self.events.append(gate_event(result, form, acted=acted, seconds=seconds))
        return judged

    def _refused(self, judged: Judged) -> Disposition:
        arm, result = self.spec.arm, judged.final
        rejecting = [f for f in result.findings if f.severity is Severity.ERROR]
        verdict = result.verdict
        protocol = verdict is not None and verdict.violation is not None
        if protocol and verdict is not None:
            text = protocol_feedback(verdict, self.settings.protocol)
            if self.turn.cut_off:
                text += "\nThe answer was cut off at the token limit: write a shorter one."
            source, mode = FeedbackSource.MONITOR, CorrectionMode.FEEDBACK
        else:
            text = gate_feedback(
                rejecting,
                judged.told_in,
                with_fix=arm.fix_message,
                tokens=self.settings.feedback_tokens,
            )
            source, mode = FeedbackSource.GATE, None
        # What the message is about: the violation alone, or every finding.
        told = [f for f in rejecting if f.family is Family.PROTOCOL] if protocol else rejecting
        codes = tuple(dict.fromkeys(f.code for f in told))
        self.events.append(
            CorrectionIssued(
                ordinal=len(self.turn.issued),
                cause=codes[0],
                mode=mode,
                with_fix=arm.fix_message,
            )
        )
        self.say("rejected", ", ".join(f"{f.code} {f.name}" for f in rejecting[:3]))
        self._tell(source, text, codes)
        if arm.kind is ArmKind.SHADOW_ON:
            self._silently()
        return Disposition.PROTOCOL_REJECTED if protocol else Disposition.GATE_REJECTED

    def _silently(self) -> None:
        """What Verus would have said of the raw text; the model does not hear it."""
        assembly = assemble_lenient(self.spec.task, self.turn.raw)
        source = self._keep(assembly.source)
        self.events.append(candidate_event(source, extractor=assembly.extractor))
        question = Question(
            source,
            self.settings.options,
            target=self.spec.task.target,
            extractor=assembly.extractor,
        )
        asked = ask(self.verifier, question)
        self.events.extend(asked.events)
        self.say("silent-verus", "" if asked.result is None else asked.result.outcome.value)

    # Arms in which the model hears Verus only.

    def _ungated(self) -> Disposition:
        task, arm, raw = self.spec.task, self.spec.arm, self.turn.raw
        if arm.kind is ArmKind.SHADOW_OFF:
            self._judge()
        assembly, reason = self._extracted(raw)
        if assembly is None:
            self.events.append(candidate_event(None, extractor=arm.extractor, reason=reason))
            self._tell(FeedbackSource.VERUS, f"No file could be made of the answer: {reason}.")
            return Disposition.NO_CANDIDATE
        source = self._keep(assembly.source)
        self.events.append(candidate_event(source, extractor=assembly.extractor))
        if arm.kind is ArmKind.SHADOW_OFF:
            judged = self.gate(task, False).check_assembly(assembly)
            self.events.append(gate_event(judged, Form.SOURCE, extractor=assembly.extractor))
        if arm.cache or arm.kind is ArmKind.CACHE:
            shell = GateResult(Decision.ACCEPTED, (), source, assembly=assembly)
            if (again := self._reused(shell)) is not None:
                return again
        question = Question(
            source,
            self.settings.options,
            target=task.target,
            extractor=assembly.extractor,
            heard=True,
        )
        return self._verus(question, assembly)

    def _extracted(self, raw: str) -> tuple[Assembly | None, str]:
        if self.spec.arm.extractor != STRICT:
            return assemble_lenient(self.spec.task, raw), ""
        verdict = self.turn.first
        if verdict is None or not verdict.ok or not verdict.complete:
            return None, "it does not keep to the format"
        return assemble(self.spec.task, verdict.steps), ""

    def _unlucky(self) -> bool:
        rate = self.spec.arm.random_rate
        draw = random.Random(f"{self.spec.seed}/{len(self.history) + 1}").random()
        return rate is not None and draw < rate

    # Verus.

    def _verus(self, question: Question, assembly: Assembly) -> Disposition:
        asked = ask(self.verifier, question)
        self.events.extend(asked.events)
        request = next(e for e in asked.events if isinstance(e, VerusRequest))
        result = asked.result
        if result is None:
            self.say("verus", "no result")
            self._tell(FeedbackSource.VERUS, _UNSCORED_REPLY)
            return Disposition.UNSCORED
        if result.outcome is Outcome.TOOL_ERROR:
            raise ToolError(
                f"Verus could not run: {_why(result)}", hint="see `verulaw-gate doctor`"
            )
        self.say("verus", result.outcome.value)
        self.verified = result.outcome is Outcome.VERIFIED and result.target_proved is not False
        if result.outcome is not Outcome.VERIFIED or result.target_proved is False:
            self._tell(
                FeedbackSource.VERUS,
                verus_feedback(
                    result, assembly, self.spec.task.target, tokens=self.settings.feedback_tokens
                ),
            )
        return _DISPOSITIONS[request.resolution]

    def _reused(self, result: GateResult) -> Disposition | None:
        """The result of an earlier candidate that is the same up to comments and blanks."""
        assert result.source is not None
        known = known_result(result.source, self.history, self._stored)
        if known is None:
            return None
        judged = as_known(result, known.generation)
        self.events.append(gate_event(judged, Form.SOURCE, extractor=STRICT, acted=True))
        self.events.extend(reuse_events(result, known.result))
        self._tell(
            FeedbackSource.GATE,
            f"This is the same proof as in attempt {known.generation}, and the result is the same. "
            f"Change the proof.\n{known.told}".rstrip(),
            ("VG501",),
        )
        self.say("reused", f"attempt {known.generation}: {known.result.outcome.value}")
        return Disposition.REUSED

    # Texts.

    def _tell(self, source: FeedbackSource, text: str, codes: tuple[str, ...] = ()) -> None:
        self._keep(text)
        self.events.append(
            Feedback(source=source, chars=len(text), text_sha256=sha256_of(text), codes=codes)
        )
        self.say("answer", text)

    def _keep(self, text: str) -> str:
        self.texts[sha256_of(text)] = text
        return text

    def _stored(self, sha256: str) -> str | None:
        for record in self.history:
            if sha256 in record.texts:
                return record.texts[sha256]
        return self.text_of(sha256)


def _why(result: Verification) -> str:
    said = next((d.message for d in result.diagnostics), "") or result.stderr.strip()
    return " ".join(said.split())[:200] or "no reason given"
