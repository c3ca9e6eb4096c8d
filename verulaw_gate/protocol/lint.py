"""All that can be said of a protocol text before it is used."""

from __future__ import annotations

from verulaw_gate.protocol.automaton import Automaton, compile_unlocated
from verulaw_gate.protocol.diagnostics import Diagnostic
from verulaw_gate.protocol.model import Protocol
from verulaw_gate.protocol.nfa import TooLarge
from verulaw_gate.protocol.validate import can_be_satisfied, diagnose
from verulaw_gate.spans import Span


def lint(text: str, path: str = "<string>") -> tuple[Diagnostic, ...]:
    """Every diagnostic of a protocol text, by place. Never raises for bad text."""
    # Imported here: its patterns cost a load of a protocol more than the load itself.
    from verulaw_gate.protocol.content_lint import marker_in_content

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


def _impossible(protocol: Protocol) -> list[Diagnostic]:
    return [
        Diagnostic(
            "P118",
            f"no content of {state.name} satisfies its :one-of and its other properties",
            _span(state.span),
            "drop one of the properties",
        )
        for state in protocol.states
        if not can_be_satisfied(state)
    ]


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
