"""Runs made up for tests: plain descriptions, the events that they give, strategies for both.

Oracles count on the descriptions, never on events, so that they share no code with the report.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from hypothesis import strategies as st

from verulaw_gate.codes import CODES
from verulaw_gate.gate.model import SourceKind
from verulaw_gate.record import events as ev
from verulaw_gate.verus.model import Outcome

ORDER = ("protocol", "structure", "syntax", "static", "integrity", "trust", "known")
PREDICTIVE = ("structure", "syntax", "static")
CODE_POOL = ("VG101", "VG104", "VG201", "VG251", "VG257", "VG301", "VG303", "VG401", "VG501")
VIOLATIONS = ("text-before-first-marker", "unexpected-state", "missing-termination")
OPTIONS = ("--output-json", "--error-format=json")
VERSION = "0.2026.06.08.9a4284b"


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass
class Made:
    """One attempt as a test describes it."""

    task: str
    sample: int
    number: int
    has_text: bool = True
    violation: str | None = None
    trace_codes: tuple[str, ...] = ()
    source_codes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    judged: bool = True
    source: str | None = "s1"
    outcome: str | None = "verified"
    strict: str | None = None
    honest: bool | None = None
    wall_s: float | None = None
    gate_s: float | None = None
    line: int | None = 3
    error_line: int | None = None
    message: str = "loop must have a decreases clause"
    labels: list[tuple[str, str, str, bool | None]] = field(default_factory=list)
    origin: str = ""
    unstable: bool = False

    @property
    def families(self) -> set[str]:
        """Families of everything that rejects, by the code table of the design."""
        codes = self.source_codes if self.judged and self.source else ()
        if self.has_text and self.judged:
            codes += self.trace_codes
        found = {CODES[code].family.value for code in codes}
        if self.has_text and self.violation:
            found.add("protocol")
        return found

    @property
    def filed(self) -> str:
        """Where the design says that it is counted once."""
        for family in ORDER:
            if family in self.families:
                return family
        has_decision = self.judged and (self.has_text or self.source)
        return "accepted" if has_decision else "not judged"

    @property
    def result(self) -> str:
        """The outcome class of the design."""
        if self.outcome is None or self.source is None:
            return "no result"
        if self.unstable:
            return "undecided"
        return {
            "verified": "verified",
            "proof-failure": "proof failure",
            "rlimit": "proof failure",
            "compile-error": "front-end failure",
        }.get(self.outcome, "undecided")


def _rows(codes: tuple[str, ...], severity: str, line: int | None) -> list[ev.FindingRow]:
    return [
        ev.FindingRow(
            code=code,
            name=CODES[code].name,
            family=CODES[code].family,
            severity=severity,
            message="made up",
            line=line,
            source_line=line,
        )
        for code in codes
    ]


def _decision(made: Made, form: ev.Form, codes: tuple[str, ...]) -> ev.GateDecision:
    if not made.judged:
        return ev.GateDecision(form=form, decision=None, reason="switched off")
    rejecting = [c for c in codes if c != "VG501"]
    decision = "rejected" if rejecting else ("reused" if codes else "accepted")
    return ev.GateDecision(
        form=form,
        extractor="lenient-sections",
        decision=decision,
        findings=tuple(
            _rows(codes, "error", made.line) + _rows(made.warnings, "warning", made.line)
        ),
        layers=(
            ev.LayerRow(name="tokens", ran=True),
            ev.LayerRow(name="native", ran=False, reason="not installed"),
        ),
        source_sha256=None if made.source is None else digest(made.source),
        seconds=made.gate_s,
        verus_version=VERSION,
    )


def generation_events(made: Made) -> list[ev.Event]:
    """The events of one attempt, as a replay stores them."""
    text = f"{made.task}/{made.number}" if made.has_text else None
    found: list[ev.Event] = [
        ev.Generation(
            text_sha256=None if text is None else digest(text),
            chars=None if text is None else 40,
            origin=made.origin,
        )
    ]
    if made.has_text:
        violation = None
        if made.violation:
            violation = ev.ViolationRow(
                code="VG002", violation=made.violation, offset=10, line=2, column=1
            )
        found.append(ev.MonitorVerdict(ran=True, ok=violation is None, violation=violation))
        found.append(_decision(made, ev.Form.TRACE, made.trace_codes))
    else:
        found.append(ev.MonitorVerdict(ran=False, reason="no raw text"))
    if made.source is None:
        found.append(ev.Candidate(extractor="lenient-sections", source_kind="raw", reason="none"))
        found.append(ev.GenerationClosed(disposition=ev.Disposition.NO_CANDIDATE))
        return found
    key = digest(made.source)
    found.append(
        ev.Candidate(extractor="lenient-sections", source_kind="raw", source_sha256=key, chars=5)
    )
    found.append(_decision(made, ev.Form.SOURCE, made.source_codes))
    known = made.outcome is not None
    found.append(
        ev.VerusRequest(
            resolution="recorded" if known else "unscored", source_sha256=key, source_kind="raw"
        )
    )
    if known:
        found.append(_verification(made, key, "measure", made.outcome))
        if made.outcome == "verified":
            if made.strict is not None:
                found.append(_verification(made, key, "strict", made.strict))
            found.append(
                ev.Judgement(judge="made", source_sha256=key, honest=made.honest, reason="")
            )
    for stage, label, observed, agrees in made.labels:
        found.append(ev.LabelAgreement(stage=stage, label=label, observed=observed, agrees=agrees))
    end = ev.Disposition.RECORDED if known else ev.Disposition.UNSCORED
    found.append(ev.GenerationClosed(disposition=end))
    return found


def _verification(made: Made, key: str, purpose: str, outcome: str | None) -> ev.VerificationDone:
    failed = outcome != "verified"
    return ev.VerificationDone(
        purpose=purpose,
        source_sha256=key,
        source_kind=SourceKind.RAW,
        extractor="lenient-sections",
        options=OPTIONS if purpose == "measure" else (*OPTIONS, "--no-cheating"),
        outcome=Outcome(outcome),
        unstable=made.unstable and purpose == "measure",
        wall_s=made.wall_s,
        version=VERSION,
        origin="recorded",
        diagnostics=(ev.DiagnosticRow(message=made.message, line=made.error_line),)
        if failed
        else (),
    )


def started(corpus: str = "recorded", **changes: object) -> ev.RunStarted:
    """The first event of a run."""
    values: dict[str, object] = {
        "corpus": corpus,
        "corpus_name": "made",
        "corpus_sha256": digest("corpus"),
        "arms": (ev.Arm(name="replay", kind="replay"),),
        "config_sha256": digest("config"),
        "protocol": "proof",
        "protocol_sha256": digest("protocol"),
        "extractors": ("lenient-sections",),
        "options": OPTIONS,
        "verus_version": VERSION,
        "environment": ev.Environment(package="0", python="3", platform="x", machine="y"),
    }
    return ev.RunStarted(**(values | changes))


def stored_run(
    attempts: list[Made], corpus: str = "recorded", arm: str = "replay", **changes: object
) -> list[ev.Stored]:
    """A whole run of attempts, first and last event included."""
    rows = [ev.Stored(key=ev.Key(), seq=0, event=started(corpus, **changes))]
    for made in attempts:
        key = ev.Key(task=made.task, arm=arm, sample=made.sample, generation=made.number)
        rows += [
            ev.Stored(key=key, seq=at, event=event)
            for at, event in enumerate(generation_events(made))
        ]
    closed = ev.RunClosed(episodes=0, generations=len(attempts))
    rows.append(ev.Stored(key=ev.Key(), seq=1, event=closed))
    return rows


codes = st.lists(st.sampled_from(CODE_POOL), max_size=2, unique=True).map(tuple)
outcomes = st.sampled_from([*(str(o) for o in Outcome), "verified", "compile-error", None])


@st.composite
def attempts(draw: st.DrawFn) -> Made:
    """One attempt, without its place."""
    outcome = draw(outcomes)
    strict = draw(st.sampled_from([None, "verified", "compile-error"]))
    return Made(
        task=draw(st.sampled_from(["t01", "t02", "t03", "t04"])),
        sample=draw(st.integers(0, 1)),
        number=0,
        has_text=draw(st.booleans()),
        violation=draw(st.sampled_from([None, None, *VIOLATIONS])),
        trace_codes=draw(codes),
        source_codes=draw(codes),
        warnings=draw(st.sampled_from([(), ("VG315",), ("VG251",)])),
        judged=draw(st.sampled_from([True, True, True, False])),
        source=draw(st.sampled_from(["s1", "s2", "s3", "s4", "s5", None])),
        outcome=outcome,
        strict=strict,
        honest=draw(st.sampled_from([True, False, None])),
        wall_s=draw(st.sampled_from([None, 0.5, 2.0, 7.25])),
        unstable=draw(st.sampled_from([False, False, False, True])),
        gate_s=draw(st.sampled_from([None, 0.001, 0.002])),
        line=draw(st.sampled_from([None, 3, 4])),
        error_line=draw(st.sampled_from([None, 3, 4])),
    )


@st.composite
def runs(draw: st.DrawFn, max_size: int = 12) -> list[Made]:
    """Attempts of a recorded run, numbered within their loops."""
    found = draw(st.lists(attempts(), max_size=max_size))
    numbers: dict[tuple[str, int], int] = {}
    for made in found:
        place = (made.task, made.sample)
        numbers[place] = numbers.get(place, 0) + 1
        made.number = numbers[place]
    return found
