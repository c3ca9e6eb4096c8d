"""One turn of the model under the monitor: stream, watch every chunk, stop, correct, go on.

A continuation after a correction belongs to the same generation. What the model wrote past its
first violation is dropped: it is in `raw`, for the record, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from time import perf_counter

from verulaw_gate.agent.eager import goes_on, joint_for, refuse_without_prefill
from verulaw_gate.agent.errors import BudgetEnded
from verulaw_gate.agent.joint import Joint
from verulaw_gate.agent.model import Client, Finish, FinishReason, Prompt, estimate_tokens
from verulaw_gate.agent.text import clean
from verulaw_gate.monitor.model import (
    Correction,
    CorrectionMode,
    Mode,
    Speaker,
    Verdict,
    ViolationKind,
)
from verulaw_gate.monitor.modes import stop_sequences
from verulaw_gate.monitor.monitor import Monitor
from verulaw_gate.monitor.position import Position
from verulaw_gate.monitor.trace import since
from verulaw_gate.protocol import ContentKind, Protocol


@dataclass(frozen=True, slots=True)
class TurnSettings:
    """`max_tokens` bounds one request. `early_stop`: close the stream at the first rejection.
    `correction` answers a protocol violation within the turn (None: not at all), at most
    `max_corrections` times; it needs a client that can prefill. A rejecting finding of a content
    checker is never corrected within the turn: the model has to hear why. With `repairs_later` a
    correction that would complete the run without another word of the model (a marker that is
    missing, text after the end) is left to the gate's repair, which counts it as what it is.
    `mode` eager asks for one state a request (it needs a client that can prefill, too); then
    `max_tokens` bounds the requests up to a correction together."""

    max_tokens: int = 4096
    early_stop: bool = True
    correction: CorrectionMode | None = CorrectionMode.PREFIX
    max_corrections: int = 3
    repairs_later: bool = False
    mode: Mode = Mode.OPTIMISTIC


@dataclass(frozen=True, slots=True)
class Issued:
    """One correction given to the model, by the kind of violation that made it due."""

    cause: str
    correction: Correction


@dataclass(slots=True)
class Turn:
    """What became of a turn.

    `raw` is what the model wrote until its first rejection or end, as received; `first` the
    monitor's verdict on exactly that (places count from its start). `text` is the turn as it
    stands in the conversation: accepted text, corrections and continuations. `requested` names
    the environment state that is due now. `stopped_at`: length of `raw` when our side closed the
    stream for a rejection (None: it did not). `unread_tokens` bounds what the model might still
    have written then (the token limit less what was read: an upper bound, no measurement).
    `dropped_chars`: received, but past a violation. Of a turn that ends rejected, `said` is the
    text with what was rejected last and `last` the verdict on it. `lead_chars`: how much of `raw`
    is ours, the beginnings of markers of an eager turn. `monitor_seconds` is the time spent in the
    monitor. What a turn costs a `MeteredClient` knows.
    """

    raw: str = ""
    text: str = ""
    first: Verdict | None = None
    said: str = ""
    last: Verdict | None = None
    requested: str | None = None
    issued: list[Issued] = field(default_factory=list)
    finish: Finish | None = None
    stopped_at: int | None = None
    unread_tokens: int | None = None
    dropped_chars: int = 0
    lead_chars: int = 0
    monitor_seconds: float = 0.0

    @property
    def cut_off(self) -> bool:
        """Whether the answer ended at the token limit."""
        return self.finish is not None and self.finish.reason is FinishReason.LENGTH


async def take_turn(
    client: Client,
    prompt: Prompt,
    monitor: Monitor,
    settings: TurnSettings | None = None,
    *,
    on_text: Callable[[str], None] | None = None,
    origin: Position | None = None,
) -> Turn:
    """Let the model speak until an environment state is due, the run is complete, or the turn is
    rejected for good (then `monitor.rejected`).

    Stop sequences are sent only to a client that says which one matched; for others the stream
    is watched and closed at the environment's marker. A turn that ends where only the model may go
    on is a missing termination; where the environment may speak, it is handed the turn. Raises
    ClientError (eagerly UsageError for a client without prefill); what was received until then
    only `on_text` has heard. A correction that a budget does not cover is not given. `origin` is
    where places in `Turn.first` count from (default: the start of the turn).
    """
    settings = settings or TurnSettings()
    turn = Turn()
    able = client.capabilities
    eager = settings.mode is Mode.EAGER
    if eager:
        refuse_without_prefill(client)
    knows = able.stop and able.reports_stop
    stops = stop_sequences(monitor.protocol, settings.mode) if knows else ()
    current, origin = prompt, origin or monitor.position
    joint: Joint | None = None
    room, unsent = settings.max_tokens, False
    while True:
        if eager:
            current, joint = _ask_for_one(prompt, monitor, turn, joint)
        received = ""
        if not eager or not (monitor.rejected or monitor.done):
            within = replace(settings, max_tokens=room)
            try:
                received = await _stream(
                    client, current, monitor, within, stops, turn, on_text, joint
                )
            except BudgetEnded:
                if not unsent:
                    raise
                # What was said stays rejected: the correction has not reached the model.
                turn.issued.pop()
                monitor.finish()
                return turn
        unsent = False
        ours = 0 if joint is None else joint.kept
        if turn.first is None:
            turn.raw += received
            turn.lead_chars += ours
        turn.text += received
        if eager:
            written = len(received) - ours + monitor.untaken
            room -= estimate_tokens(written)
            if goes_on(monitor, said=written > 0, cut_off=turn.cut_off):
                joint = None
                if room > 0:
                    continue
                turn.finish = Finish(FinishReason.LENGTH)
        _end(monitor, turn)
        if turn.first is None:
            turn.first = since(monitor.verdict(), origin)
        if not monitor.rejected:
            return turn
        turn.said, turn.last = turn.text, since(monitor.verdict(), origin)
        correction = _correction(client, monitor, settings, turn)
        if correction is None:
            return _rejected(monitor, turn, origin)
        unsent = True
        current = prompt.with_prefill(prompt.prefill + correction.accepted + correction.append)
        joint = joint_for(monitor, correction.append)
        room = settings.max_tokens
        if joint is not None:
            # Whether the model takes up the beginning of a marker shows in what it writes.
            correction = replace(correction, append="")
        turn.text = correction.accepted + correction.append
        monitor.resume(correction)
        if correction.hand_over is not None:
            turn.requested = correction.hand_over
            return turn
        if _completes(monitor, correction):
            return turn
        if monitor.rejected:
            return _rejected(monitor, turn, origin)


def _ask_for_one(
    prompt: Prompt, monitor: Monitor, turn: Turn, joint: Joint | None
) -> tuple[Prompt, Joint | None]:
    """The request for one state. `joint` is that of a correction which has written the lead."""
    lead = monitor.lead()
    if joint is None and lead:
        joint = joint_for(monitor, lead)
        if joint is None:
            monitor.feed(lead)
            turn.text += lead
            if turn.first is None:
                turn.raw += lead
                turn.lead_chars += len(lead)
    begun = "" if joint is None else joint.append
    return prompt.with_prefill(prompt.prefill + turn.text + begun), joint


async def _stream(
    client: Client,
    prompt: Prompt,
    monitor: Monitor,
    settings: TurnSettings,
    stops: tuple[str, ...],
    turn: Turn,
    on_text: Callable[[str], None] | None,
    joint: Joint | None,
) -> str:
    """One request: what was received, fed to the monitor as it came (with what the joint has)."""
    parts: list[str] = []
    finish: Finish | None = None
    stopped = False
    async with aclosing(
        client.stream(prompt, stop=stops, max_tokens=settings.max_tokens)
    ) as chunks:
        async for chunk in chunks:
            finish = chunk.finish or finish
            text = clean(chunk.said)
            if not text:
                continue
            if on_text is not None:
                on_text(text)
            text = text if joint is None else joint.feed(text)
            parts.append(text)
            at = perf_counter()
            monitor.feed(text)
            turn.monitor_seconds += perf_counter() - at
            if finish is not None:
                # Nothing to stop any more; the token counts are still to come.
                continue
            if monitor.over or (monitor.requested is not None and not monitor.rejected):
                break
            if (
                monitor.rejected
                and settings.early_stop
                and not _mendable(client, monitor, settings)
            ):
                stopped = True
                break
    if joint is not None:
        parts.append(joint.close())
        monitor.feed(parts[-1])
    received = "".join(parts)
    received = received[: len(received) - monitor.untaken]
    turn.finish = finish or turn.finish
    if stopped and turn.stopped_at is None and turn.first is None:
        turn.stopped_at = len(turn.raw) + len(received)
        turn.unread_tokens = max(0, settings.max_tokens - estimate_tokens(len(received)))
    return received


def _mendable(client: Client, monitor: Monitor, settings: TurnSettings) -> bool:
    """Whether to read on after a violation: prose before the first marker is no certain rejection
    where repair can remove it later and no correction can be given now."""
    violation = monitor.violation
    if violation is None or violation.kind is not ViolationKind.TEXT_BEFORE_FIRST_MARKER:
        return False
    corrects = settings.correction in (CorrectionMode.PREFIX, CorrectionMode.FORCED)
    written = any(step.speaker is Speaker.MODEL for step in monitor.steps)
    return not written and not (corrects and client.capabilities.prefill)


def _end(monitor: Monitor, turn: Turn) -> None:
    """The model has stopped. Decide whose turn it is; the run may be over, well or not."""
    monitor.end_turn()
    if monitor.rejected:
        return
    if monitor.requested is not None:
        turn.requested = monitor.requested
        return
    if monitor.complete:
        monitor.finish()
        return
    due = [name for name in monitor.legal_next if monitor.protocol.state(name).env_input]
    if due and (turn.finish is not None or monitor.over) and not turn.cut_off:
        turn.requested = due[0]
        return
    monitor.finish()


def _correction(
    client: Client, monitor: Monitor, settings: TurnSettings, turn: Turn
) -> Correction | None:
    """The next correction; None when there is none to give within this turn."""
    mode = settings.correction
    violation = monitor.violation
    if violation is None or mode is None or mode is CorrectionMode.FEEDBACK:
        return None
    if violation.kind is ViolationKind.MISSING_TERMINATION and turn.cut_off:
        # A new section would begin in the middle of the one that the token limit cut.
        return None
    if len(turn.issued) >= settings.max_corrections:
        return None
    correction = monitor.correction(mode)
    if correction is None or not (correction.hand_over or client.capabilities.prefill):
        return None
    if settings.repairs_later and _alone(monitor, correction, violation.kind):
        return None
    turn.issued.append(Issued(violation.kind.value, correction))
    turn.dropped_chars += len(turn.text) - len(correction.accepted)
    return correction


def _rejected(monitor: Monitor, turn: Turn, origin: Position) -> Turn:
    """The turn ends here: its text is what was accepted."""
    turn.said, turn.last = turn.text, since(monitor.verdict(), origin)
    correction = monitor.correction(CorrectionMode.PREFIX)
    assert correction is not None, "a rejected run has a correction"
    turn.dropped_chars += len(turn.text) - len(correction.accepted)
    turn.text = correction.accepted
    return turn


def _alone(monitor: Monitor, correction: Correction, kind: ViolationKind) -> bool:
    """Whether the correction alone can complete the run, before it is applied."""
    if kind is ViolationKind.TEXT_AFTER_TERMINATION:
        return True
    return (
        kind is ViolationKind.MISSING_TERMINATION
        and len(correction.legal_next) == 1
        and correction.append.strip() in _empty_markers(monitor.protocol)
    )


def _completes(monitor: Monitor, correction: Correction) -> bool:
    """Whether the corrected text completes the run without another word of the model: text after
    the end was cut off, or the whole marker of a final state that holds nothing was appended."""
    if correction.append and correction.append.strip() not in _empty_markers(monitor.protocol):
        return False
    monitor.end_turn()
    return monitor.complete and monitor.finish().complete


def _empty_markers(protocol: Protocol) -> frozenset[str]:
    """The markers of states that hold nothing."""
    return frozenset(s.text for s in protocol.states if s.content is ContentKind.EMPTY)
