"""Optimistic and eager enforcement of a protocol, with the effort of each counted.

Optimistic (Crouse et al. 2023): let the model write, keep what is legal, correct where it first is
not. Eager: ask for one state at a time, the legal markers' common prefix already written. Eager
never sees an illegal marker where only one is legal, and pays for it with a prompt a state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from verulaw_gate.monitor.model import (
    ContentChecker,
    Correction,
    CorrectionMode,
    Mode,
    Verdict,
    ViolationKind,
)
from verulaw_gate.monitor.monitor import Monitor
from verulaw_gate.protocol.model import MarkerMode, Protocol


@dataclass(slots=True)
class Effort:
    """What a conversation cost. `prompt_chars` sums the lengths of all prompts (each repeats the
    text so far), `written_chars` what the model wrote, `dropped_chars` what of it was rejected."""

    prompts: int = 0
    prompt_chars: int = 0
    written_chars: int = 0
    dropped_chars: int = 0
    corrections: int = 0
    environment_turns: int = 0


@dataclass(frozen=True, slots=True)
class Conversation:
    """A run that was led to its end (or to the limit of prompts), its text, and its effort."""

    verdict: Verdict
    text: str
    effort: Effort


Model = Callable[[str, tuple[str, ...]], Iterable[str]]
"""Continues a prompt: `(text so far, stop sequences) -> chunks`."""
Environment = Callable[[str, str], str]
"""Answers for an environment state: `(state, text so far) -> content`."""


def stop_sequences(protocol: Protocol, mode: Mode) -> tuple[str, ...]:
    """Where the model should stop: at the environment's markers, eagerly at any."""
    lead = "\n" if protocol.markers is MarkerMode.LINE_START else ""
    return tuple(
        lead + state.text for state in protocol.states if state.env_input or mode is Mode.EAGER
    )


def converse(
    protocol: Protocol,
    prefix: Sequence[tuple[str, str]],
    model: Model,
    environment: Environment,
    *,
    mode: Mode = Mode.OPTIMISTIC,
    correction: CorrectionMode = CorrectionMode.PREFIX,
    max_prompts: int = 100,
    checkers: Sequence[ContentChecker] = (),
) -> Conversation:
    """Lead a run of the protocol to its end, at most `max_prompts` prompts long.

    Rejected text is taken back and corrected within the turn. Where only the environment may
    speak, or the model asked for it, or stopped where it may, the environment does.
    """
    monitor = Monitor(protocol, checkers)
    settled = monitor.begin(prefix)
    turn, note = "", ""
    effort = Effort()
    stops = stop_sequences(protocol, mode)
    due = _environment_due(monitor)
    while effort.prompts < max_prompts and not monitor.done:
        if due is not None:
            settled += turn
            settled += monitor.feed_environment(due, environment(due, settled))
            turn = ""
            effort.environment_turns += 1
            due = _environment_due(monitor)
            continue
        if mode is Mode.EAGER:
            lead = monitor.lead()
            monitor.feed(lead)
            turn += lead
            if monitor.done:
                break
        said = ""
        if not monitor.rejected:
            said = _listen(monitor, model, settled + turn + note, stops, effort)
        turn, note = turn + said, ""
        monitor.end_turn()
        if not monitor.rejected:
            if _over(monitor, mode, said):
                break
            due = _environment_due(monitor, stopped=mode is Mode.OPTIMISTIC or not said)
            if due is None and (mode is Mode.OPTIMISTIC or not said):
                monitor.finish()
        if monitor.rejected:
            applied, ended = _correct(monitor, correction, effort)
            # Of what was taken back only this reply is the model's and new.
            effort.dropped_chars += min(len(said), len(turn) - len(applied.accepted))
            turn = applied.accepted + applied.append
            note = f"\n{applied.feedback}\n" if applied.feedback else ""
            due = applied.hand_over
            if ended:
                break
    return Conversation(monitor.finish(), settled + turn, effort)


def _listen(
    monitor: Monitor,
    model: Model,
    prompt: str,
    stops: tuple[str, ...],
    effort: Effort,
) -> str:
    """One prompt: what the model wrote until it stopped, was rejected, asked for the environment,
    or (eagerly) began a further state."""
    effort.prompts += 1
    effort.prompt_chars += len(prompt)
    said = ""
    for chunk in model(prompt, stops):
        said += chunk
        monitor.feed(chunk)
        if monitor.rejected or monitor.requested is not None or monitor.over:
            break
    effort.written_chars += len(said)
    effort.dropped_chars += monitor.untaken
    return said[: len(said) - monitor.untaken]


def _environment_due(monitor: Monitor, *, stopped: bool = False) -> str | None:
    """The environment state whose turn it is. With `stopped`, also where the model might go on."""
    if monitor.requested is not None:
        return monitor.requested
    env = [name for name in monitor.legal_next if monitor.protocol.state(name).env_input]
    if not env or (not stopped and len(env) < len(monitor.legal_next)):
        return None
    return env[0]


def _over(monitor: Monitor, mode: Mode, said: str) -> bool:
    """Whether the model has ended a complete run. Eagerly it was only asked for one state: the run
    is over when nothing can follow, or the model adds nothing."""
    if not monitor.complete:
        return False
    return mode is Mode.OPTIMISTIC or not monitor.legal_next or not said


def _correct(monitor: Monitor, mode: CorrectionMode, effort: Effort) -> tuple[Correction, bool]:
    """Correct a rejected run; whether it was complete and the rejected text merely followed it."""
    violation = monitor.violation
    ended = violation is not None and violation.kind is ViolationKind.TEXT_AFTER_TERMINATION
    correction = monitor.correction(mode)
    assert correction is not None, "a rejected run has a correction"
    effort.corrections += 1
    monitor.resume(correction)
    return correction, ended
