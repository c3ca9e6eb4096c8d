"""A trace without a task: its protocol and the contents of its sections can be checked, but there
is no file to be made of it."""

from __future__ import annotations

from verulaw_gate import findings as ordering
from verulaw_gate.codes import Severity
from verulaw_gate.config import Config
from verulaw_gate.gate.gate import Gate
from verulaw_gate.gate.model import Decision, GateResult, Layer
from verulaw_gate.monitor.model import Speaker, Verdict
from verulaw_gate.protocol.model import Protocol


def check_trace(text: str, protocol: Protocol, config: Config) -> GateResult:
    """The result for one model turn. Spans are places in `text`."""
    from verulaw_gate.gate.places import to_trace
    from verulaw_gate.gate.protocol_findings import violation_finding
    from verulaw_gate.monitor import run_trace
    from verulaw_gate.tasks.model import Piece

    verdict = run_trace(protocol, text, prompt=opening(protocol))
    gate = Gate(config=config, protocol=protocol)
    violation = violation_finding(verdict, len(text))
    found = [violation] if violation is not None and config.enabled(violation.code) else []
    checker = gate.content_checker()
    for step in verdict.steps:
        session = checker.start(protocol.state(step.state))
        if session is not None and step.speaker is Speaker.MODEL:
            inside = [*session.feed(step.content), *session.finish()]
            found += to_trace(
                inside,
                [Piece(step.state, 0, len(step.content), step.content_start - _shift(verdict))],
                text,
            )
    rejects = any(f.severity is Severity.ERROR for f in found)
    why = "a trace without a task: no file can be made of it"
    return GateResult(
        Decision.REJECTED if rejects else Decision.ACCEPTED,
        ordering.order(found),
        None,
        layers=(Layer("tokens", True), Layer("native", False, why), Layer("static", False, why)),
        verdict=verdict,
        verus_version=gate.verus_version,
    )


def opening(protocol: Protocol) -> tuple[tuple[str, str], ...]:
    """What is taken as said before the model's turn: the environment states, without content,
    that the protocol demands first."""
    from verulaw_gate.protocol import compile_protocol

    automaton = compile_protocol(protocol)
    said: list[tuple[str, str]] = []
    place = automaton.start
    while True:
        legal = automaton.legal_next(place)
        if len(legal) != 1 or not protocol.state(legal[0]).env_input or len(said) > 50:
            return tuple(said)
        said.append((legal[0], "\n"))
        following = automaton.step(place, legal[0])
        assert following is not None
        place = following


def _shift(verdict: Verdict) -> int:
    return max((s.end for s in verdict.steps if s.speaker is Speaker.PROMPT), default=0)
