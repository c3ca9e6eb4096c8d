"""All that can be said of a protocol text before it is used."""

from __future__ import annotations

from verulaw_gate.protocol.automaton import Automaton, compile_unlocated
from verulaw_gate.protocol.content_lint import marker_in_content
from verulaw_gate.protocol.diagnostics import Diagnostic
from verulaw_gate.protocol.model import ContentKind, Formula, Next, Or, Protocol, Ref, Repeat, State
from verulaw_gate.protocol.nfa import TooLarge
from verulaw_gate.protocol.reader import read_protocol
from verulaw_gate.spans import Span


def diagnose(text: str, path: str = "<string>") -> tuple[Protocol | None, tuple[Diagnostic, ...]]:
    """What keeps a text from loading: the form, and a behaviour that nothing can satisfy.

    The bounds are left to the compiler: this is on the way of every load.
    """
    reading = read_protocol(text, path)
    found = list(reading.diagnostics)
    if reading.protocol is not None and not found:
        found += _nothing_accepts(reading.protocol)
    return reading.protocol, tuple(sorted(found, key=lambda d: (d.span.start, d.code)))


def lint(text: str, path: str = "<string>") -> tuple[Diagnostic, ...]:
    """Every diagnostic of a protocol text, by place. Never raises for bad text."""
    protocol, found = diagnose(text, path)
    if protocol is None or found:
        return found
    more = [*_impossible(protocol), *_prefixes(protocol), *marker_in_content(protocol)]
    try:
        automaton = compile_unlocated(protocol)
    except TooLarge as problem:
        more.append(
            Diagnostic(
                "P114",
                problem.message,
                _span(problem.formula.span),
                "lower the bounds, or use an unbounded until",
            )
        )
    else:
        more += _unused(protocol, automaton)
        more += _both_speak(protocol, automaton)
        more += _empty_run(protocol, automaton)
    return tuple(sorted(more, key=lambda d: (d.span.start, d.code)))


def _span(span: Span | None) -> Span:
    return span if span is not None else Span(0, 0, 1, 1)


def _can_be_satisfied(state: State) -> bool:
    """Whether some content meets all properties of the state."""
    if not state.one_of:
        return True
    limit = state.max_chars
    return any(
        (limit is None or len(word) <= limit)
        and (state.content is not ContentKind.EMPTY or not word)
        for word in state.one_of
    )


def _impossible(protocol: Protocol) -> list[Diagnostic]:
    return [
        Diagnostic(
            "P118",
            f"no content of {state.name} satisfies its :one-of and its other properties",
            _span(state.span),
            "drop one of the properties",
        )
        for state in protocol.states
        if not _can_be_satisfied(state)
    ]


def _nothing_accepts(protocol: Protocol) -> list[Diagnostic]:
    usable = {state.name for state in protocol.states if _can_be_satisfied(state)}
    if _runs(protocol.behavior, usable)[1]:
        return []
    return [
        Diagnostic(
            "P111",
            "no run with at least one state is ever complete",
            _span(protocol.behavior.span),
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


def _prefixes(protocol: Protocol) -> list[Diagnostic]:
    return [
        Diagnostic(
            "P109",
            f"marker {short.text} of {short.name} begins marker {long.text} of {long.name}",
            _span(short.span),
            "nothing to mend; the longest match wins",
        )
        for short in protocol.states
        for long in protocol.states
        if short is not long and long.text.startswith(short.text)
    ]


def _unused(protocol: Protocol, automaton: Automaton) -> list[Diagnostic]:
    used = {name for _, name, _ in automaton.edges()}
    return [
        Diagnostic(
            "P107",
            f"no legal run visits {state.name}",
            _span(state.span),
            "use it in :behavior, or delete it",
        )
        for state in protocol.states
        if state.name not in used
    ]


def _both_speak(protocol: Protocol, automaton: Automaton) -> list[Diagnostic]:
    env = {state.name for state in protocol.states if state.env_input}
    found: dict[tuple[str, ...], None] = {}
    for q in range(automaton.size):
        legal = automaton.legal_next(q)
        if env.intersection(legal) and not env.issuperset(legal):
            found.setdefault(legal)
    diagnostics = []
    for legal in found:
        asked = [name for name in legal if name in env]
        wrote = [name for name in legal if name not in env]
        diagnostics.append(
            Diagnostic(
                "P115",
                f"the model may write {', '.join(wrote)} where the environment may answer "
                f"with {', '.join(asked)}",
                _span(protocol.state(asked[0]).span),
                f"the model asks for the environment by writing "
                f"{protocol.state(asked[0]).text} alone; tell it so in the prompt",
            )
        )
    return diagnostics


def _empty_run(protocol: Protocol, automaton: Automaton) -> list[Diagnostic]:
    if not automaton.accepting(automaton.start):
        return []
    return [
        Diagnostic(
            "P119",
            "a trace without any state is complete",
            _span(protocol.behavior.span),
            "end the behaviour with a state that every run must reach",
        )
    ]
