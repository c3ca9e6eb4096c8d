"""Example traces: who said what, read from a file and played through a monitor.

JSON Lines `{"speaker": "prompt"|"model"|"environment", "state": ..., "text": ...}`, one turn a
line (`state` for prompt and environment), or plain text, which is one turn of the model.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from verulaw_gate.errors import InputError
from verulaw_gate.monitor.model import ContentChecker, Speaker, Verdict
from verulaw_gate.monitor.monitor import Monitor
from verulaw_gate.monitor.position import Position
from verulaw_gate.monitor.trace import default_prompt, since
from verulaw_gate.protocol.model import Protocol

_FORMAT = '{"speaker": "model", "text": "..."}, or "prompt" or "environment" with a "state" too'


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn. `state` is None for the model's."""

    speaker: Speaker
    state: str | None
    text: str | bytes


@dataclass(frozen=True, slots=True)
class Played:
    """A dialogue after it was played: the monitor (not finished) and the trace as fed. Places are
    shown from `origin` on: the start of the trace, or of a plain text that is one turn."""

    monitor: Monitor
    text: str
    origin: Position

    def finish(self) -> Verdict:
        """The verdict on the finished run, with places that count from `origin`."""
        return since(self.monitor.finish(), self.origin)

    @property
    def shown(self) -> str:
        """The text that the verdict's places are about."""
        return self.text[self.origin.offset :]


def read_dialogue(path: Path | str, protocol: Protocol) -> tuple[Turn, ...]:
    """The turns of a file: JSON Lines by the suffix .jsonl, else one turn of the model. A byte
    order mark at the start is not part of the text.

    Raises `InputError` with file and line.
    """
    path = Path(path)
    try:
        raw = path.read_bytes().removeprefix(codecs.BOM_UTF8)
    except OSError as problem:
        raise InputError(
            f"cannot read the trace: {problem.strerror}",
            path=path,
            hint="check its path and permissions",
        ) from None
    if path.suffix != ".jsonl":
        # Bytes, so that a byte that is no UTF-8 is a violation with its place.
        return (Turn(Speaker.MODEL, None, raw),)
    turns = []
    for number, line in enumerate(raw.split(b"\n"), 1):
        if line.strip():
            turns.append(_turn(line, path, number, protocol))
    if not turns:
        raise InputError("no turns in this file", path=path, hint=f"a line is {_FORMAT}")
    return tuple(turns)


def _turn(line: bytes, path: Path, number: int, protocol: Protocol) -> Turn:
    def wrong(message: str, hint: str = f"a line is {_FORMAT}") -> InputError:
        return InputError(message, path=path, line=number, hint=hint)

    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        raise wrong("not a line of JSON") from None
    if not isinstance(entry, dict) or not isinstance(entry.get("text"), str):
        raise wrong("no turn: an object with a text is due")
    known = {"speaker", "state", "text"}
    if set(entry) - known:
        raise wrong(f"unknown key {sorted(set(entry) - known)[0]!r}")
    speaker, state = entry.get("speaker"), entry.get("state")
    if speaker not in tuple(Speaker):
        raise wrong(f"unknown speaker {speaker!r}")
    if (speaker == Speaker.MODEL) != (state is None) or not isinstance(state, str | None):
        raise wrong("a state is due for prompt and environment, and none for the model")
    if state is not None and state not in {s.name for s in protocol.states}:
        states = ", ".join(s.name for s in protocol.states)
        raise wrong(f"{protocol.name} has no state {state!r}", f"its states: {states}")
    return Turn(Speaker(speaker), state, entry["text"])


def play(
    protocol: Protocol,
    turns: Sequence[Turn],
    checkers: Sequence[ContentChecker] = (),
) -> Played:
    """Play turns through a new monitor.

    The prompt turns at the beginning are the prefix; without any, a dialogue that is one turn of
    the model gets the protocol's `default_prompt`. Raises `UsageError` for an unknown state.
    """
    monitor = Monitor(protocol, checkers)
    prefix = [(turn.state or "", _text(turn)) for turn in _prompts(turns)]
    rest = turns[len(prefix) :]
    if not prefix and len(turns) == 1 and turns[0].speaker is Speaker.MODEL:
        parts = [monitor.begin(default_prompt(protocol))]
        origin = monitor.position
    else:
        parts = [monitor.begin(prefix)]
        origin = Position()
    for turn in rest:
        if turn.speaker is Speaker.MODEL:
            if isinstance(turn.text, bytes):
                monitor.feed_bytes(turn.text)
            else:
                monitor.feed(turn.text)
            monitor.end_turn()
            parts.append(_text(turn))
        else:
            # A prompt after the beginning is the harness's word as well.
            parts.append(monitor.feed_environment(turn.state or "", _text(turn)))
    return Played(monitor, "".join(parts), origin)


def _prompts(turns: Sequence[Turn]) -> Sequence[Turn]:
    for number, turn in enumerate(turns):
        if turn.speaker is not Speaker.PROMPT:
            return turns[:number]
    return turns


def _text(turn: Turn) -> str:
    if isinstance(turn.text, str):
        return turn.text
    return turn.text.decode("utf-8", errors="replace")
