"""A whole model turn at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from verulaw_gate.findings import Finding
from verulaw_gate.monitor.model import ContentChecker, Verdict
from verulaw_gate.monitor.monitor import Monitor
from verulaw_gate.monitor.position import Position
from verulaw_gate.protocol.automaton import compile_protocol
from verulaw_gate.protocol.model import Protocol
from verulaw_gate.spans import Span


def default_prompt(protocol: Protocol) -> tuple[tuple[str, str], ...]:
    """What a harness has to prompt with before the model can speak: while only environment states
    are legal at the start and there is just one, that one, with empty content."""
    automaton = compile_protocol(protocol)
    prefix: list[tuple[str, str]] = []
    q = automaton.start
    seen = set()
    while q not in seen:
        seen.add(q)
        legal = automaton.legal_next(q)
        if len(legal) != 1 or not protocol.state(legal[0]).env_input:
            break
        prefix.append((legal[0], ""))
        target = automaton.step(q, legal[0])
        assert target is not None, "a legal state has a move"
        q = target
    return tuple(prefix)


def run_trace(
    protocol: Protocol,
    text: str,
    prompt: Sequence[tuple[str, str]] | None = None,
    checkers: Sequence[ContentChecker] = (),
) -> Verdict:
    """The verdict on one whole model turn.

    `prompt` is what the harness wrote before it (default: `default_prompt`). The verdict is about
    `text`: offsets, lines and columns count from its start, and the steps of the prompt are left
    out.
    """
    monitor = Monitor(protocol, checkers)
    monitor.begin(default_prompt(protocol) if prompt is None else prompt)
    origin = monitor.position
    monitor.feed(text)
    return since(monitor.finish(), origin)


def since(verdict: Verdict, origin: Position) -> Verdict:
    """The part of a verdict after `origin`, with places that count from there."""
    offset, line = origin.offset, origin.line - 1

    def column(at_line: int, at_column: int) -> int:
        return at_column - (origin.column - 1 if at_line == origin.line else 0)

    def finding(found: Finding) -> Finding:
        span = found.span
        if span is None:
            return found
        moved = Span(
            span.start - offset,
            span.end - offset,
            span.line - line,
            column(span.line, span.column),
        )
        return replace(found, span=moved)

    steps = tuple(
        replace(
            step,
            start=step.start - offset,
            content_start=step.content_start - offset,
            end=step.end - offset,
            line=step.line - line,
            column=column(step.line, step.column),
        )
        for step in verdict.steps
        if step.start >= offset
    )
    violation = verdict.violation
    if violation is not None:
        violation = replace(
            violation,
            offset=violation.offset - offset,
            line=violation.line - line,
            column=column(violation.line, violation.column),
        )
    hints = tuple(
        replace(h, offset=h.offset - offset, line=h.line - line, column=column(h.line, h.column))
        for h in verdict.hints
        if h.offset >= offset
    )
    return replace(
        verdict,
        steps=steps,
        violation=violation,
        hints=hints,
        findings=tuple(map(finding, verdict.findings)),
        accepted_end=verdict.accepted_end - offset,
    )
