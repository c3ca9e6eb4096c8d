"""What keeps a text from loading: its form, and a behaviour that nothing can satisfy.

On the way of every load, so it knows nothing of automata; the bounds are left to the compiler.
"""

from __future__ import annotations

from verulaw_gate.protocol.diagnostics import Diagnostic
from verulaw_gate.protocol.model import ContentKind, Formula, Next, Or, Protocol, Ref, Repeat, State
from verulaw_gate.protocol.reader import read_protocol
from verulaw_gate.spans import Span


def diagnose(text: str, path: str = "<string>") -> tuple[Protocol | None, tuple[Diagnostic, ...]]:
    """The protocol of a text as far as there is one, and the errors that keep it from loading."""
    reading = read_protocol(text, path)
    found = list(reading.diagnostics)
    if reading.protocol is not None and not found:
        found += _nothing_accepts(reading.protocol)
    return reading.protocol, tuple(sorted(found, key=lambda d: (d.span.start, d.code)))


def can_be_satisfied(state: State) -> bool:
    """Whether some content meets all properties of the state."""
    if not state.one_of:
        return True
    limit = state.max_chars
    return any(
        (limit is None or len(word) <= limit)
        and (state.content is not ContentKind.EMPTY or not word)
        for word in state.one_of
    )


def _nothing_accepts(protocol: Protocol) -> list[Diagnostic]:
    usable = {state.name for state in protocol.states if can_be_satisfied(state)}
    if _runs(protocol.behavior, usable)[1]:
        return []
    return [
        Diagnostic(
            "P111",
            "no run with at least one state is ever complete",
            protocol.behavior.span or Span(0, 0, 1, 1),
            "look at the states whose content is impossible",
        )
    ]


def _runs(formula: Formula, usable: set[str]) -> tuple[bool, bool]:
    """Whether the formula has the empty run, and a run of one or more usable states."""
    match formula:
        case Ref(name=name):
            return False, name in usable
        case Or(items=items):
            parts = [_runs(item, usable) for item in items]
            return any(e for e, _ in parts), any(n for _, n in parts)
        case Next(items=items):
            parts = [_runs(item, usable) for item in items]
            every = all(e or n for e, n in parts)
            return all(e for e, _ in parts), every and any(n for _, n in parts)
        case Repeat(loop=loop, exit=leave, low=low):
            empty, full = _runs(loop, usable)
            looped = (low == 0 or empty, full)
            left = (True, False) if leave is None else _runs(leave, usable)
            every = any(looped) and any(left)
            return looped[0] and left[0], every and (looped[1] or left[1])
