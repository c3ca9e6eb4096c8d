"""The gate: one text in, one decision out. Pure: no I/O but for the protocol and grammar files
that it loads once, no clock, no randomness."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from verulaw_gate import findings as ordering
from verulaw_gate.codes import Family, Severity
from verulaw_gate.config import DEFAULTS, Config
from verulaw_gate.findings import Finding
from verulaw_gate.gate.context import Context, View
from verulaw_gate.gate.layers import PINNED_VERUS, NativeReading, native_reading
from verulaw_gate.gate.model import Decision, GateResult, Layer, SourceKind
from verulaw_gate.gate.places import to_trace
from verulaw_gate.gate.protocol_findings import violation_finding
from verulaw_gate.gate.rule import LayerName, Rule
from verulaw_gate.gate.rules import RULES

if TYPE_CHECKING:  # `check` on a file needs none of them, and starts faster without
    from verulaw_gate.gate.versions import Measured
    from verulaw_gate.monitor.model import ContentChecker, Step, Verdict
    from verulaw_gate.protocol.model import Protocol
    from verulaw_gate.tasks.model import Assembly, Piece, Task

# Which candidate already has a result: given its normal hash, what to call that result.
Known = Callable[[str], str | None]

_VERSIONED = frozenset({Family.SYNTAX, Family.STATIC})
_NO_BASE = Severity.WARNING


class Gate:
    """Rules held against a task, an earlier version of a file, or nothing.

    `base`: a Task (then `check` takes traces), a file's earlier text, or None: "specification not
    compared", and trust findings are warnings unless `config.severity` says otherwise. `rules` and
    `config` say what is in force. `repair`: mend what is safe before rejecting (off in `check`, on
    in loops). `protocol`: what a trace must conform to; default the shipped `proof`.
    `verus_version`: the version that files are meant for; on another than the pinned one, syntax
    and static findings are warnings. `known`: asked last, with the normal hash of an acceptable
    candidate. `native`: False leaves Verus's own parser out.

    A gate holds no state between calls; it may be shared between threads.
    """

    def __init__(
        self,
        base: Task | str | None = None,
        *,
        config: Config = DEFAULTS,
        rules: Sequence[Rule] = RULES,
        repair: bool = False,
        protocol: Protocol | None = None,
        verus_version: str | None = None,
        known: Known | None = None,
        native: bool = True,
    ) -> None:
        self.task = None if base is None or isinstance(base, str) else base
        self.base = None if base is None else View(fixed_text(base))
        self.config = config
        self.rules = tuple(rules)
        self.repair = repair
        self.verus_version = verus_version or config.verus_version or PINNED_VERUS
        self._measured = _measured(self.verus_version)
        self._protocol = protocol
        self._known = known
        self._native = native

    @property
    def protocol(self) -> Protocol:
        """The protocol of traces."""
        if self._protocol is None:
            from verulaw_gate.protocol import load_protocol

            self._protocol = load_protocol(self.config.protocol or "proof")
        return self._protocol

    def check(self, text: str) -> GateResult:
        """The decision on a text: a trace when the base is a task, otherwise a file."""
        if self.task is None:
            return self.check_source(text)
        raw = self._check_trace(text)
        if self.repair and raw.decision is Decision.REJECTED:
            return self.mended(text, raw)
        return raw

    def mended(self, text: str, raw: GateResult) -> GateResult:
        """What repair makes of a trace that was rejected with `raw`; `raw` where it can't help."""
        from verulaw_gate.gate.repair import repaired

        return repaired(self._check_trace, self.protocol, text, raw)

    def check_source(self, source: str) -> GateResult:
        """The decision on a whole file, also when the base is a task."""
        return self._check_file(source)

    def check_assembly(self, assembly: Assembly) -> GateResult:
        """The decision on a file that an extractor made of a trace; findings are about places in
        the assembled source."""
        result = self._check_file(assembly.source, assembly.pieces)
        return replace(result, assembly=assembly)

    def content_checker(self) -> ContentChecker:
        """The rules that can speak while a section streams in, for `monitor.Monitor`."""
        from verulaw_gate.gate.streaming import VerusContent

        return VerusContent(self._keep, fences_mended=self.repair)

    def _check_file(self, source: str, pieces: Sequence[Piece] = ()) -> GateResult:
        reading = native_reading(source, wanted=self._native)
        context = Context(
            source,
            base=self.base,
            task=self.task,
            pieces=pieces,
            native=reading.facts,
            verus_version=self.verus_version,
        )
        found: list[Finding] = []
        for rule in self.rules:
            if rule.layer is LayerName.TOKENS or reading.facts is not None:
                found += rule.run(context)
        found = self._kept(_agreed(found, reading))
        decision = _decide(found)
        if decision is Decision.ACCEPTED and self._known is not None:
            reuse = self._kept(known_finding(self._known, context))
            found += reuse
            decision = Decision.REUSED if reuse else decision
        return GateResult(
            decision,
            ordering.order(found),
            source,
            layers=self._layers(reading),
            verus_version=self.verus_version,
        )

    def _check_trace(self, text: str) -> GateResult:
        from verulaw_gate.gate.candidate import candidate
        from verulaw_gate.monitor import run_trace

        assert self.task is not None
        verdict = run_trace(self.protocol, text)
        if verdict.violation is not None:
            return self._rejected_trace(text, verdict)
        assembly = candidate(self.protocol, self.task, verdict.steps)
        result = self._check_file(assembly.source, assembly.pieces)
        found = to_trace(result.findings, assembly.pieces, text)
        return replace(result, findings=ordering.order(found), verdict=verdict, assembly=assembly)

    def _rejected_trace(self, text: str, verdict: Verdict) -> GateResult:
        """No candidate could be made; the sections that there are still get their findings."""
        found: list[Finding] = []
        violation = violation_finding(verdict, len(text))
        if violation is not None:
            found += self._kept([violation])
        checker = self.content_checker()
        for step in verdict.steps:
            session = checker.start(self.protocol.state(step.state))
            if session is not None:
                inside = [*session.feed(step.content), *session.finish()]
                found += to_trace(inside, [_piece(step)], text)
        decision = _decide(found)
        return GateResult(
            # Without a conforming trace there is nothing to send, whatever is ignored.
            Decision.REJECTED if decision is Decision.ACCEPTED else decision,
            ordering.order(found),
            None,
            layers=self._layers(NativeReading(None, "no candidate could be assembled")),
            verdict=verdict,
            source_kind=SourceKind.RAW,
            verus_version=self.verus_version,
        )

    def _layers(self, reading: NativeReading) -> tuple[Layer, ...]:
        ran = reading.facts is not None
        static = any(rule.layer is LayerName.STATIC for rule in self.rules)
        return (
            Layer(LayerName.TOKENS, True),
            Layer(LayerName.NATIVE, ran, reading.reason),
            Layer(
                LayerName.STATIC,
                ran and static,
                reading.reason if static else "no static rule is in force",
            ),
            *(Layer(f"{LayerName.STATIC} {code}", False, why) for code, why in self._off().items()),
        )

    def _off(self) -> Mapping[str, str]:
        """Rules that do not hold on the version at hand, and why: they are not run there."""
        return {} if self._measured is None else self._measured.off

    def _holds(self, finding: Finding) -> bool:
        """Whether a rule about a version may reject on the one at hand. The parser is pinned: on
        another version it only warns."""
        if self.verus_version == PINNED_VERUS:
            return True
        if self._measured is None or finding.family is Family.SYNTAX:
            return False
        return self._measured.holds(finding.code)

    def _kept(self, found: Iterable[Finding]) -> list[Finding]:
        return [kept for finding in found if (kept := self._keep(finding)) is not None]

    def _keep(self, finding: Finding) -> Finding | None:
        """The finding under the settings in force: dropped, or with its severity."""
        if not self.config.enabled(finding.code) or finding.code in self._off():
            return None
        if finding.severity is not Severity.ERROR:
            return finding
        severity = self.config.severity.get(finding.code)
        if severity is None:
            if finding.family in _VERSIONED and not self._holds(finding):
                severity = Severity.WARNING
            elif finding.family is Family.TRUST and self.base is None:
                severity = _NO_BASE
        return finding if severity is None else finding.with_severity(severity)


def _measured(version: str) -> Measured | None:
    if version == PINNED_VERUS:
        return None
    from verulaw_gate.gate.versions import measured

    return measured(version)


def fixed_text(base: Task | str) -> str:
    """The text that candidates are held against: a task's file with nothing in its lemma hole and
    an empty block in its body hole."""
    if isinstance(base, str):
        return base
    from verulaw_gate.tasks.holes import BODY, hole_of, lines_of

    return "\n".join("{ }" if hole_of(line) == BODY else line for line in lines_of(base.source))


def known_finding(known: Known, context: Context) -> Iterable[Finding]:
    """VG501 when the candidate, up to comments and white space, already has a result."""
    from verulaw_gate.gate.known import hash_of

    earlier = known(hash_of(context.tokens))
    if earlier is not None:
        yield context.whole(
            "VG501", f"the same candidate already has a result: {earlier}", "it is not sent again"
        )


def _agreed(found: list[Finding], reading: NativeReading) -> list[Finding]:
    """Where Verus's own parser takes the file, a rule of structure that rejects it is wrong: two
    readings that disagree are no ground for a rejection."""
    if reading.facts is None or reading.facts.status != "ok":
        return found
    return [f.with_severity(Severity.WARNING) if f.family is Family.STRUCTURE else f for f in found]


def _decide(found: Iterable[Finding]) -> Decision:
    rejects = any(finding.severity is Severity.ERROR for finding in found)
    return Decision.REJECTED if rejects else Decision.ACCEPTED


def _piece(step: Step) -> Piece:
    from verulaw_gate.tasks.model import Piece

    return Piece(step.state, 0, len(step.content), step.content_start)
