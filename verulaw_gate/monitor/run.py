"""The walk: markers and text against the automaton, one piece at a time.

`Run` knows nothing of chunks, bytes or hints; `Monitor` brings it pieces that are certain. The
first fault latches and stays until the monitor takes it back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from verulaw_gate.findings import Finding
from verulaw_gate.monitor.content import Fault, Segment, first_nonblank
from verulaw_gate.monitor.model import ContentChecker, Speaker, Step, ViolationKind
from verulaw_gate.monitor.position import Position
from verulaw_gate.protocol.automaton import compile_protocol
from verulaw_gate.protocol.model import Protocol, State

_ROLLED_BACK = (
    None,
    ViolationKind.TOO_LONG,
    ViolationKind.NOT_ONE_OF,
    ViolationKind.NOT_JSON,
)


@dataclass(frozen=True, slots=True)
class Latch:
    """The first violation (`kind`) or rejecting finding (None). `accepted` is where the accepted
    text ends; `rollback` the segment whose content was taken back."""

    kind: ViolationKind | None
    at: Position
    state: str | None
    legal_next: tuple[str, ...]
    message: str
    accepted: Position
    rollback: Segment | None = None


class Run:
    """One run of a protocol over pieces of text."""

    def __init__(self, protocol: Protocol, checkers: Sequence[ContentChecker]) -> None:
        self.protocol = protocol
        self.automaton = compile_protocol(protocol)
        self.by_name = {state.name: state for state in protocol.states}
        self.by_marker = {state.text: state for state in protocol.states}
        self.q = self.automaton.start
        self.current: str | None = None
        self.at = Position()
        self.segment: Segment | None = None
        self.requested: tuple[State, Position] | None = None
        self.steps: list[Step] = []
        self.findings: list[Finding] = []
        self.latch: Latch | None = None
        self._checkers = tuple(checkers)
        # Where the last segment began, and the state before it.
        self._opened: tuple[Position, int, str | None] = (self.at, self.q, None)
        # The model's turn: where it began, and its blank text outside of all segments.
        self._turn_at = self.at
        self._turn_steps = 0
        self._blanks: list[str] = []

    @property
    def legal_next(self) -> tuple[str, ...]:
        """The states that may come next; the one asked for, while a request is unanswered."""
        if self.requested is not None:
            return (self.requested[0].name,)
        return self.automaton.legal_next(self.q)

    @property
    def complete(self) -> bool:
        """In an accepting state, with nothing asked for and nothing taken back."""
        rolled_back = self.latch is not None and self.latch.rollback is not None
        return self.automaton.accepting(self.q) and self.requested is None and not rolled_back

    # -- the model -------------------------------------------------------------------------

    def text(self, text: str) -> None:
        """Text of the model between markers."""
        segment = self.segment
        if segment is None:
            self._text_outside(text)
            return
        fault = segment.append(text, self.at)
        if fault is None:
            self.at = self.at.after(text)
            return
        self.at = fault.at
        if fault.kind in _ROLLED_BACK:
            self._roll_back(fault)
            return
        self.close()
        if self.latch is None:
            self.fail(fault.kind, fault.message)

    def _text_outside(self, text: str) -> None:
        index = first_nonblank(text)
        blank = text if index is None else text[:index]
        self._blanks.append(blank)
        self.at = self.at.after(blank)
        if index is None:
            return
        if self.requested is not None:
            self._wrote_on()
        elif self.automaton.final(self.q):
            self.fail(ViolationKind.TEXT_AFTER_TERMINATION, "text after the final state")
        else:
            self.fail(ViolationKind.TEXT_BEFORE_FIRST_MARKER, "text where a marker is due")

    def marker(self, marker: str) -> None:
        """A marker of the model."""
        if self.requested is not None:
            self._wrote_on()
            return
        self.close()
        if self.latch is not None:
            return
        state = self.by_marker[marker]
        target = self.automaton.step(self.q, state.name)
        if target is None:
            self.illegal(state)
            return
        begin = self.at
        self.at = begin.after(marker)
        if state.env_input:
            self.requested = (state, begin)
            return
        self._opened = (begin, self.q, self.current)
        self.q, self.current = target, state.name
        final = self.automaton.final(target)
        self.segment = Segment(state, begin, self.at, self._checkers, final=final)

    def close(self) -> None:
        """The open segment, if any, is complete here."""
        segment = self.segment
        if segment is None:
            return
        fault = segment.finish(self.at)
        if fault is not None:
            self._roll_back(fault)
            return
        self.segment = None
        self.findings += segment.findings
        self._step(
            segment.state,
            segment.content,
            Speaker.MODEL,
            segment.begin,
            segment.content_at,
            self.at,
        )

    # -- the harness -----------------------------------------------------------------------

    def write(self, state: State, content: str, speaker: Speaker) -> tuple[str, str, str]:
        """A turn of the harness, after the model's was closed. The answer is what was written:
        before the content (line end and marker), the content, and a line end after it; three
        empty texts when the turn is a violation."""
        target = self.automaton.step(self.q, state.name)
        if speaker is Speaker.ENVIRONMENT and not state.env_input:
            self.fail(
                ViolationKind.MODEL_CONTENT_FROM_ENVIRONMENT,
                f"the environment wrote {state.text}, which is the model's",
            )
        elif target is None or (self.requested and self.requested[0] is not state):
            self.illegal(state)
        else:
            return self._written(state, target, content, speaker)
        return "", "", ""

    def _written(
        self, state: State, target: int, content: str, speaker: Speaker
    ) -> tuple[str, str, str]:
        lead = ""
        if self.requested is None:
            lead = "\n" if self.at.column > 1 else ""
            begin = self.at.after(lead)
            lead += state.text
        else:
            begin = self.requested[1]
        content_at = self.at.after(lead)
        if content and not content[0].isspace() and not content_at.line_blank:
            lead += "\n"
            content_at = content_at.after("\n")
        end = content_at.after(content)
        tail = "" if end.column == 1 else "\n"
        self.q, self.current, self.requested = target, state.name, None
        self._step(state, content, speaker, begin, content_at, end)
        self.at = end.after(tail).fresh_line()
        self._turn_at, self._turn_steps, self._blanks = self.at, len(self.steps), []
        return lead, content, tail

    # -- faults ----------------------------------------------------------------------------

    def fail(self, kind: ViolationKind | None, message: str) -> None:
        """A violation here; the text before this place is accepted."""
        self._latched(kind, message, self.at, self.at, None)

    def illegal(self, state: State) -> None:
        """The marker of a state that may not come here."""
        if self.automaton.final(self.q):
            self.fail(ViolationKind.TEXT_AFTER_TERMINATION, f"{state.text} after the final state")
            return
        legal = ", ".join(self.by_name[name].text for name in self.legal_next) or "nothing"
        where = f"after {self.by_name[self.current].text}" if self.current else "at the start"
        self.fail(
            ViolationKind.UNEXPECTED_STATE, f"{state.text} is not legal {where}; legal: {legal}"
        )

    def _wrote_on(self) -> None:
        assert self.requested is not None, "only a request can be written past"
        self.fail(
            ViolationKind.ENVIRONMENT_CONTENT_FROM_MODEL,
            f"the model wrote on after {self.requested[0].text}, which the environment answers",
        )

    def _roll_back(self, fault: Fault) -> None:
        segment = self.segment
        assert segment is not None, "only an open segment has content to take back"
        self.segment = None
        self.findings += segment.findings
        self._latched(fault.kind, fault.message, fault.at, segment.content_at, segment)

    def _latched(
        self,
        kind: ViolationKind | None,
        message: str,
        at: Position,
        accepted: Position,
        rollback: Segment | None,
    ) -> None:
        self.latch = Latch(kind, at, self.current, self.legal_next, message, accepted, rollback)

    def take_back(self) -> str:
        """Undo the latch: go back to before the last marker of the accepted text. The answer is
        the accepted text from there on, to be read again: what follows may make a longer marker
        of its end, as it would have without the rejected text."""
        latch = self.latch
        assert latch is not None, "nothing has latched"
        accepted = self.accepted_text()
        self.findings = [f for f in self.findings if f.severity != "error"]
        self.latch = None
        self.at = latch.accepted
        if self.requested is not None:
            state, begin = self.requested
            # The blanks after the request are read again with it.
            after = latch.accepted.offset - begin.offset - len(state.text)
            blanks = "".join(self._blanks)
            self._blanks = [blanks[: len(blanks) - after]]
            self.requested = None
        elif latch.rollback is not None or len(self.steps) > self._turn_steps:
            if latch.rollback is None:
                self.steps.pop()
            begin, self.q, self.current = self._opened
        else:
            return ""
        self.segment = None
        self.at = begin
        return accepted[begin.offset - self._turn_at.offset :]

    # -- accounts --------------------------------------------------------------------------

    def _step(
        self,
        state: State,
        content: str,
        speaker: Speaker,
        begin: Position,
        content_at: Position,
        end: Position,
    ) -> None:
        self.steps.append(
            Step(
                state.name,
                content,
                speaker,
                begin.offset,
                content_at.offset,
                end.offset,
                begin.line,
                begin.column,
            )
        )

    def accepted_text(self) -> str:
        """The accepted text of the model's turn, that is since the harness last wrote."""
        begins = [(s.start, self.by_name[s.state], s.content) for s in self._turn()]
        open_one = self.latch.rollback if self.latch and self.latch.rollback else self.segment
        if open_one is not None:
            begins.append((open_one.begin.offset, open_one.state, open_one.content))
        if self.requested is not None:
            begins.append((self.requested[1].offset, self.requested[0], ""))
        blanks = "".join(self._blanks)
        first = begins[0][0] - self._turn_at.offset if begins else len(blanks)
        inside = "".join(state.text + content for _, state, content in begins)
        end = self.latch.accepted if self.latch else self.at
        text = blanks[:first] + inside + blanks[first:]
        return text[: end.offset - self._turn_at.offset]

    def _turn(self) -> list[Step]:
        return self.steps[self._turn_steps :]
