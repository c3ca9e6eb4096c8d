"""What a harness may read of a run at any time."""

from __future__ import annotations

from verulaw_gate.findings import Finding
from verulaw_gate.monitor.hints import HintScanner
from verulaw_gate.monitor.model import Hint, Step, Verdict, Violation
from verulaw_gate.monitor.outcomes import CorrectionOutcome, OutcomeLog
from verulaw_gate.monitor.position import Position
from verulaw_gate.monitor.run import Run
from verulaw_gate.protocol.model import ContentKind, Protocol


class Reading:
    """A run as it stands. Nothing here changes it; `Monitor` does."""

    def __init__(self, protocol: Protocol, run: Run, scanner: HintScanner) -> None:
        self.protocol = protocol
        self.automaton = run.automaton
        self._run = run
        self._scanner = scanner
        self._log = OutcomeLog()
        self._untaken = 0

    @property
    def state(self) -> str | None:
        """The name of the state that the run is in; None before the first."""
        return self._run.current

    @property
    def legal_next(self) -> tuple[str, ...]:
        """The states that may come next, in order of declaration."""
        return self._run.legal_next

    @property
    def requested(self) -> str | None:
        """The environment state that the model asked for by its marker, while it is unanswered."""
        return None if self._run.requested is None else self._run.requested[0].name

    @property
    def position(self) -> Position:
        """The place up to which text was accepted."""
        return self._run.latch.accepted if self._run.latch else self._run.at

    @property
    def rejected(self) -> bool:
        """Whether a violation or a rejecting finding has latched."""
        return self._run.latch is not None

    @property
    def violation(self) -> Violation | None:
        """The first violation. Its message names a near miss of a marker, once its line is in."""
        latch = self._run.latch
        if latch is None or latch.kind is None:
            return None
        at = latch.at
        steps = self._run.steps
        since = steps[-1].start if steps else 0
        if latch.rollback is not None:
            since = latch.rollback.begin.offset
        return Violation(
            latch.kind,
            at.offset,
            at.line,
            at.column,
            latch.state,
            latch.legal_next,
            latch.message + self._scanner.near_miss(since),
        )

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings of the content checkers so far."""
        segment = self._run.segment
        return (*self._run.findings, *(segment.findings if segment else ()))

    @property
    def steps(self) -> tuple[Step, ...]:
        """The completed steps. They never change, unless a correction reopens the last one."""
        return tuple(self._run.steps)

    @property
    def hints(self) -> tuple[Hint, ...]:
        """Lines that look like markers and are none, as far as the lines are complete."""
        return tuple(self._scanner.hints)

    @property
    def complete(self) -> bool:
        """Whether the run is in an accepting state, nothing asked for and nothing taken back."""
        return self._run.complete

    @property
    def done(self) -> bool:
        """Whether nothing but blank text can follow: a loop may stop the model here."""
        run = self._run
        if run.latch is not None or not self.automaton.final(run.q):
            return False
        return run.segment is None or run.segment.state.content is ContentKind.EMPTY

    @property
    def begun(self) -> int:
        """How many states have begun, the open one and an unanswered request included."""
        run = self._run
        return len(run.steps) + (run.segment is not None) + (run.requested is not None)

    @property
    def untaken(self) -> int:
        """How many characters the model has written past the state it was asked for (see
        `Monitor.lead`), from the marker of the next one on. They are not part of the run."""
        return self._untaken

    @property
    def over(self) -> bool:
        """Whether the model has gone past the state it was asked for: stop it here."""
        return self._untaken > 0

    @property
    def outcomes(self) -> tuple[CorrectionOutcome, ...]:
        """What became of each correction that was applied."""
        return tuple(self._log.outcomes)

    def verdict(self) -> Verdict:
        """The verdict on what was fed so far, without closing anything."""
        return Verdict(
            self.steps,
            self.violation,
            self.hints,
            self._run.complete and self._run.segment is None,
            self.findings,
            self.position.offset,
            self.legal_next,
        )
