"""The candidate file of a conforming trace."""

from __future__ import annotations

from collections.abc import Sequence

from verulaw_gate.monitor.model import Speaker, Step
from verulaw_gate.protocol.model import ContentKind, Protocol
from verulaw_gate.tasks.model import Assembly, Piece, Task

WHOLE_FILE = "whole-file"


def candidate(protocol: Protocol, task: Task, steps: Sequence[Step]) -> Assembly:
    """What a conforming trace would send to Verus: the content of its last `verus-file` state
    where the protocol has one, otherwise the last attempt's sections put into the task.

    An attempt begins after an environment turn, or after the state that ended the one before.
    Raises InputError when the last attempt has no body section.
    """
    kinds = {state.name: state.content for state in protocol.states}
    files = [step for step in steps if kinds.get(step.state) is ContentKind.VERUS_FILE]
    if files:
        return _file(files[-1])
    from verulaw_gate.tasks.assemble import assemble

    return assemble(task, last_attempt(steps))


def _file(step: Step) -> Assembly:
    content = step.content.lstrip("\r\n")
    source = content.replace("\r\n", "\n").rstrip("\n") + "\n"
    start = step.content_start + len(step.content) - len(content)
    return Assembly(source, WHOLE_FILE, (Piece("file", 0, len(source), start),))


def last_attempt(steps: Sequence[Step]) -> list[Step]:
    """The steps of the last attempt: from the last body section back to where it began."""
    bodies = [n for n, step in enumerate(steps) if step.state == "body"]
    if not bodies:
        return list(steps)
    first = last = bodies[-1]
    while first > 0 and steps[first - 1].state == "lemma" and _of_model(steps[first - 1]):
        first -= 1
    return list(steps[first : last + 1])


def _of_model(step: Step) -> bool:
    return step.speaker is Speaker.MODEL
