"""The monitor: who wrote what, whether it was legal, and where it first was not.

The post-hoc decoding monitor of Crouse et al. 2023 (section 2.2), made incremental. Any text may
come in; what comes out does not depend on how it was cut into chunks. The first violation, or the
first rejecting finding of a content checker, latches: what follows is dropped.
"""

from __future__ import annotations

import codecs
from collections.abc import Sequence

from verulaw_gate.codes import Severity
from verulaw_gate.errors import UsageError
from verulaw_gate.monitor.correction import Situation, correct
from verulaw_gate.monitor.hints import HintScanner
from verulaw_gate.monitor.model import (
    ContentChecker,
    Correction,
    CorrectionMode,
    Speaker,
    Verdict,
    ViolationKind,
)
from verulaw_gate.monitor.reading import Reading
from verulaw_gate.monitor.run import Run
from verulaw_gate.monitor.splitter import Piece, Splitter
from verulaw_gate.protocol.model import MarkerMode, Protocol


class Monitor(Reading):
    """One run of a protocol. Feed it as text arrives; read `violation` at any time."""

    def __init__(self, protocol: Protocol, checkers: Sequence[ContentChecker] = ()) -> None:
        run = Run(protocol, checkers)
        markers = tuple(run.by_marker)
        super().__init__(
            protocol, run, HintScanner(markers, protocol.markers is MarkerMode.ANYWHERE)
        )
        self._splitter = Splitter(markers, protocol.markers)
        self._decoder = codecs.getincrementaldecoder("utf-8")("strict")
        self._finished = False
        # Eagerly: how many states may have begun, and whether the last correction wrote the
        # marker of a state whose content is still to come.
        self._limit: int | None = None
        self._fresh = False

    # -- the three speakers ----------------------------------------------------------------

    def begin(self, prefix: Sequence[tuple[str, str]]) -> str:
        """The states and contents that the harness prompts with. The answer is their text.

        Raises `UsageError` for a name that is no state, or when the run has already begun.
        """
        if self._run.at.offset or self._run.latch:
            raise UsageError("begin() comes first", hint="make a new Monitor for a new run")
        return "".join(self._write(name, content, Speaker.PROMPT) for name, content in prefix)

    def feed(self, text: str) -> None:
        """Text of the model."""
        self._refuse_finished()
        if self._run.latch is None and self._decoder.getstate()[0]:
            self._not_utf8()
        self._receive(text)

    def feed_bytes(self, data: bytes) -> None:
        """Text of the model as UTF-8 bytes; a character may be cut between two calls."""
        self._refuse_finished()
        try:
            text = self._decoder.decode(data)
        except UnicodeDecodeError as problem:
            self._receive(problem.object[: problem.start].decode("utf-8"))
            self._not_utf8()
        else:
            self._receive(text)

    def end_turn(self) -> None:
        """The model has stopped: stop sequence, end of stream or token limit.

        What was held back as the beginning of a marker is content now.
        """
        if self._run.latch is None and self._decoder.getstate()[0]:
            self._not_utf8()
        if self._run.latch is None:
            held, at = self._splitter.held, self._run.at
            self._take(self._splitter.flush())
            if held:
                self._scanner.cut(held, at)
        self._scanner.end()

    def feed_environment(self, state: str, content: str) -> str:
        """A turn of the environment. The answer is the text that the monitor wrote for it:
        the marker (unless the model's own asks for it already), the content, a line end; empty
        when the turn is a violation.

        Raises `UsageError` for a name that is no state.
        """
        self._refuse_finished()
        return self._write(state, content, Speaker.ENVIRONMENT)

    def finish(self) -> Verdict:
        """The run is over; the verdict. Calling it again gives the same one."""
        run = self._run
        if not self._finished:
            self.end_turn()
            if run.latch is None:
                run.close()
            if run.latch is None and not run.complete:
                due = ", ".join(run.by_name[name].text for name in run.legal_next)
                run.fail(
                    ViolationKind.MISSING_TERMINATION,
                    f"the run ends before it is complete; due: {due}",
                )
            self._finished = True
            self._log.run_over(run.latch is None)
        return self.verdict()

    # -- correction ------------------------------------------------------------------------

    def correction(
        self, mode: CorrectionMode = CorrectionMode.PREFIX, *, state: str | None = None
    ) -> Correction | None:
        """How to go on after the violation; None when there is none. `state` picks the marker in
        forced mode (default: the legal state nearest to completion)."""
        if self._run.latch is None:
            return None
        return correct(self._situation(), CorrectionMode(mode), state)

    def lead(self) -> str:
        """Ask for one state: what to put before the model's next words so that they are the next
        state. It is the common prefix of the markers that may come, on its own line; feed it as
        model text. Empty after a violation, while the environment is due, and where a correction
        has just begun the state.

        From here on the model's text is taken up to the next marker but one, or the next where
        the state has begun; then the monitor is `over`. The next call of `lead`, a correction or
        the environment's turn lifts that.
        """
        run = self._run
        fresh, self._fresh, self._untaken = self._fresh, False, 0
        self._limit = self.begun + (not fresh)
        if run.latch is not None or fresh or self._splitter.held:
            return ""
        return correct(self._situation(), CorrectionMode.PREFIX, None).append

    def _unlimited(self) -> None:
        self._limit, self._fresh, self._untaken = None, False, 0

    def _situation(self) -> Situation:
        run = self._run
        at = self.position
        return Situation(
            self.protocol,
            self.automaton,
            run.q,
            run.legal_next,
            self.requested,
            run.accepted_text(),
            at.line_blank,
            run.latch is not None and run.latch.rollback is not None,
            self.violation,
            tuple(f for f in run.findings if f.severity is Severity.ERROR),
        )

    def resume(self, correction: Correction) -> None:
        """Take the rejected text back and go on: `correction.append` counts as model text.

        From here on the run is the one of the accepted text followed by the appended one.
        Raises `UsageError` when nothing was rejected.
        """
        latch = self._run.latch
        if latch is None:
            raise UsageError("nothing to correct", hint="resume() follows a violation")
        again = self._run.take_back()
        self._finished = False
        self._unlimited()
        self._decoder.reset()
        at = self._run.at
        self._splitter.reset(at.line_blank)
        self._scanner.restart(at)
        self._receive(again)
        self._log.issued("content-finding" if latch.kind is None else latch.kind, correction.mode)
        self._receive(correction.append)
        self._fresh = self._run.segment is not None and not self._run.segment.content

    # -- inside ----------------------------------------------------------------------------

    def _refuse_finished(self) -> None:
        if self._finished:
            raise UsageError("the run is finished", hint="resume() a correction, or begin anew")

    def _receive(self, text: str) -> None:
        if self._untaken:
            self._untaken += len(text)
            return
        if self._run.latch is None:
            self._take(self._splitter.feed(text))
        else:
            self._scanner.rest(text)

    def _take(self, pieces: list[Piece]) -> None:
        run = self._run
        for number, (marker, text) in enumerate(pieces):
            at = run.at
            if marker is not None and self._limit is not None and self.begun >= self._limit:
                held = self._splitter.reset(at.line_blank)
                self._untaken = sum(len(piece) for _, piece in pieces[number:]) + len(held)
                return
            if marker is None:
                run.text(text)
            else:
                run.marker(marker)
            if run.latch is not None:
                seen = run.at.offset - at.offset
                self._scanner.feed(marker, text[:seen], at)
                rest = [text[seen:], *(t for _, t in pieces[number + 1 :])]
                self._latched("".join(rest) + self._splitter.held)
                return
            self._scanner.feed(marker, text, at)
            if marker is not None:
                self._log.next_state(legal=True)

    def _latched(self, rest: str) -> None:
        """Text from `rest` on is dropped, but for the hints of the line that it begins in."""
        run = self._run
        self._log.next_state(legal=False)
        self._splitter.reset(False)
        # A finding latches at the end of its line: nothing of a next one is looked at then.
        if run.at.column > 1 or (run.latch is not None and run.latch.kind is not None):
            self._scanner.only_rest(run.at)
            self._scanner.rest(rest)

    def _not_utf8(self) -> None:
        """The next byte is not UTF-8: what was held back is decided, then it latches."""
        run = self._run
        self._decoder.reset()
        if self._untaken:
            return
        if run.latch is None:
            self._take(self._splitter.flush())
        if run.latch is None:
            run.close()
            if run.latch is None:
                run.fail(ViolationKind.NOT_UTF8, "the bytes here are not UTF-8")
            self._latched("")
        # Bytes that are no text end the line that is looked at.
        self._scanner.end()

    def _write(self, name: str, content: str, speaker: Speaker) -> str:
        run = self._run
        state = run.by_name.get(name)
        if state is None:
            raise UsageError(
                f"{self.protocol.name} has no state {name!r}",
                hint=f"its states: {', '.join(run.by_name)}",
            )
        if run.latch is None:
            self.end_turn()
        if run.latch is None:
            run.close()
        if run.latch is not None:
            self._log.next_state(legal=False)
            return ""
        self._unlimited()
        at = run.at
        lead, content, tail = run.write(state, content, speaker)
        self._log.next_state(legal=run.latch is None)
        if run.latch is not None:
            return ""
        # Each on its own: the line end before a marker is not its line.
        before, marker, after = lead.partition(state.text)
        self._scanner.feed(None, before, at, own=False)
        self._scanner.feed(marker or None, marker, at.after(before))
        self._scanner.feed(None, after + content, at.after(before + marker), own=False)
        self._scanner.end()
        self._splitter.reset(True)
        return lead + content + tail
