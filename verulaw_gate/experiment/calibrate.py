"""Run every rule over recorded attempts whose Verus outcome is known, and count.

The candidate file is judged as it was sent to Verus (`source`), against the file that it was made
from (`base`). Rules about traces (protocol, sections) are judged on the raw answer, where the log
has one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from verulaw_gate.codes import CODES, PREDICTIVE, Family, Severity
from verulaw_gate.errors import TaskError
from verulaw_gate.experiment.attempts import Attempt, AttemptResult, read_attempts, scan_log
from verulaw_gate.findings import Finding
from verulaw_gate.gate.calibration import Calibration, Pair, Predictive, RuleCounts
from verulaw_gate.gate.confirm import Row, confirms
from verulaw_gate.gate.exposure import exposed, exposed_in_trace
from verulaw_gate.gate.gate import Gate
from verulaw_gate.gate.known import hash_of
from verulaw_gate.gate.layers import PINNED_VERUS
from verulaw_gate.gate.lexer import lex
from verulaw_gate.gate.model import GateResult
from verulaw_gate.gate.rules import RULES
from verulaw_gate.spans import LineIndex
from verulaw_gate.tasks.holes import find_holes
from verulaw_gate.tasks.model import Task, TaskKind
from verulaw_gate.verus.model import Outcome

# What Verus said of the file. Timeouts and crashes are failing calls and neither of the others.
_CLASS = {
    Outcome.VERIFIED: "verified",
    Outcome.PROOF_FAILURE: "proof_failure",
    Outcome.RLIMIT: "proof_failure",
    Outcome.COMPILE_ERROR: "front_end",
    Outcome.TIMEOUT: "other",
    Outcome.CRASH: "other",
}
_PASSES_FRONT_END = ("verified", "proof_failure")

# Rules that read sections of a trace: a whole file has none.
_OF_TRACES = frozenset({"VG104", "VG105", "VG401"})
_LAYER = {code: rule.layer for rule in RULES for code in rule.codes}


@dataclass(slots=True)
class _Judged:
    """One attempt: what Verus said, what the rules say, and which rules could speak."""

    name: str
    kind: str
    rejects: dict[str, list[Finding]]
    warns: set[str]
    ran: dict[str, bool]
    exposed: set[str]
    confirmed: set[str]
    layers: dict[str, bool]
    repeat: bool


@dataclass(slots=True)
class _Tally:
    k: int = 0
    n: int = 0

    def add(self, hit: bool) -> None:
        self.k += hit
        self.n += 1

    @property
    def pair(self) -> Pair:
        return self.k, self.n


@dataclass(slots=True)
class _RuleTally:
    by_kind: dict[str, _Tally] = field(default_factory=lambda: defaultdict(_Tally))
    exposed: dict[str, _Tally] = field(default_factory=lambda: defaultdict(_Tally))
    failed: _Tally = field(default_factory=_Tally)
    confirmed: _Tally = field(default_factory=_Tally)
    warned: _Tally = field(default_factory=_Tally)
    names: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))


def calibrate(paths: Sequence[Path], name: str | None = None) -> Calibration:
    """The counts of all rules over the attempts of some logs, read as one corpus.

    Raises LogError for a log that does not hold together.
    """
    single = [scan_log([path]) for path in paths]
    summary = scan_log(paths) if len(paths) > 1 else single[0]
    outcomes: Counter[str] = Counter()
    versions: Counter[str] = Counter()
    unscored = 0
    judged: list[_Judged] = []
    seen: set[tuple[str, str]] = set()
    for attempt in read_attempts(summary):
        result = attempt.verus
        if result is None or not _scored(result) or attempt.source is None:
            unscored += 1
            continue
        outcomes[result.outcome] += 1
        versions[result.version or "not recorded"] += 1
        judged.append(_judge(attempt, result, seen))
    layers: dict[str, _Tally] = defaultdict(_Tally)
    for one in judged:
        for layer, ran in one.layers.items():
            layers[layer].add(ran)
    return Calibration(
        name=name or summary.name,
        logs=tuple((one.paths[0].name, one.sha256, one.count) for one in single),
        outcomes=dict(sorted(outcomes.items())),
        unscored=unscored,
        layers={layer: tally.pair for layer, tally in sorted(layers.items())},
        versions=dict(sorted(versions.items())),
        pinned=PINNED_VERUS,
        predictive=_predictive(judged),
        rules=_rules(judged),
    )


def _scored(result: AttemptResult) -> bool:
    # A result under further options (a raised rlimit, ...) is not comparable with the others.
    return result.outcome in _CLASS and not result.options


def _judge(attempt: Attempt, result: AttemptResult, seen: set[tuple[str, str]]) -> _Judged:
    source = attempt.source or ""
    base = _base(attempt)
    gate = Gate(base, verus_version=result.version)
    checked = gate.check_source(source)
    tokens = lex(source)
    key = (attempt.task, hash_of(tokens))
    repeat = key in seen
    seen.add(key)
    layers = {layer.name: layer.ran for layer in checked.layers}
    findings = [f for f in checked.findings if f.code not in _OF_TRACES]
    ran = {code: layers.get(_LAYER.get(code, ""), True) for code in CODES}
    ran.update({x.name.rsplit(" ", 1)[-1]: False for x in checked.layers if " VG" in x.name})
    for code in _OF_TRACES | {c for c, row in CODES.items() if row.family is Family.PROTOCOL}:
        ran[code] = False
    for code, row in CODES.items():
        if row.family is Family.INTEGRITY and base is None:
            ran[code] = False
        if code not in _LAYER and row.family not in (Family.PROTOCOL, Family.KNOWN):
            ran[code] = False  # no rule of this code is in force
    open_to = {code for code in CODES if exposed(code, source, tokens)}
    if attempt.text is not None and isinstance(base, Task):
        findings += _of_trace(gate.check(attempt.text), ran)
        open_to |= exposed_in_trace(gate.protocol)
    if repeat:
        findings.append(Finding("VG501", "repeats an earlier attempt"))
    rejects: dict[str, list[Finding]] = defaultdict(list)
    for finding in findings:
        if finding.severity is Severity.ERROR:
            rejects[finding.code].append(finding)
    index = LineIndex(source)
    rows: list[Row] = [(d.code, d.message, d.line) for d in result.diagnostics]
    return _Judged(
        name=f"{attempt.task}#{attempt.attempt}"
        + (f" (sample {attempt.sample})" if attempt.sample else ""),
        kind=_CLASS[result.outcome],
        rejects=dict(rejects),
        warns={f.code for f in findings} - set(rejects),
        ran=ran,
        exposed=open_to,
        confirmed={
            code
            for code, found in rejects.items()
            if any(_confirmed(f, index, rows) for f in found)
        },
        layers=layers,
        repeat=repeat,
    )


def _of_trace(result: GateResult, ran: dict[str, bool]) -> Iterator[Finding]:
    """Findings about the trace itself. Section rules count only where the protocol holds: a
    broken trace counts as one, and its sections were not what went to Verus."""
    conforming = result.verdict is not None and result.verdict.violation is None
    for code, row in CODES.items():
        if row.family is Family.PROTOCOL:
            ran[code] = True
        elif code in _OF_TRACES:
            ran[code] = conforming and code in _LAYER
    for finding in result.findings:
        if finding.family is Family.PROTOCOL or (conforming and finding.code in _OF_TRACES):
            yield finding


def _base(attempt: Attempt) -> Task | str | None:
    """What the candidate is held against: a task where the base has holes, else the base file."""
    if attempt.base is None:
        return None
    try:
        find_holes(attempt.base)
    except TaskError:
        return attempt.base
    return Task(
        id=attempt.task,
        title=attempt.task,
        statement="",
        difficulty="",
        topics=(),
        kind=TaskKind.EXEC,
        target=attempt.target or "",
        source=attempt.base,
        reference="",
    )


def _confirmed(finding: Finding, index: LineIndex, rows: Sequence[Row]) -> bool:
    if finding.span is None:
        return False
    end = max(finding.span.start, min(finding.span.end, len(index.text)) - 1)
    last = index.position(end)[0]
    return confirms(finding.code, finding.span.line, last, rows)


def _predictive(judged: Sequence[_Judged]) -> Predictive:
    by_kind: dict[str, _Tally] = defaultdict(_Tally)
    failed, known, either = _Tally(), _Tally(), _Tally()
    names = []
    for one in judged:
        rejected = [c for c in one.rejects if CODES[c].family in PREDICTIVE]
        by_kind[one.kind].add(bool(rejected))
        known.add(one.repeat)
        if one.kind != "verified":
            # A proof failure that is rejected was not foreseen: the rule foretold another failure.
            foreseen = bool(rejected) and one.kind == "front_end"
            failed.add(foreseen)
            either.add(foreseen or one.repeat)
        if rejected and one.kind in _PASSES_FRONT_END:
            names.append(f"{one.name} ({one.kind.replace('_', ' ')}): {', '.join(rejected)}")
    return Predictive(
        verified=by_kind["verified"].pair,
        proof_failure=by_kind["proof_failure"].pair,
        front_end=by_kind["front_end"].pair,
        failed=failed.pair,
        known=known.pair,
        failed_or_known=either.pair,
        names=tuple(names),
    )


def _rules(judged: Sequence[_Judged]) -> dict[str, RuleCounts]:
    tallies: dict[str, _RuleTally] = {code: _RuleTally() for code in CODES}
    for one in judged:
        for code, tally in tallies.items():
            if not one.ran[code]:
                continue
            rejected = code in one.rejects
            tally.by_kind[one.kind].add(rejected)
            tally.exposed[one.kind].add(code in one.exposed)
            tally.warned.add(code in one.warns)
            if one.kind != "verified":
                tally.failed.add(rejected)
            if rejected:
                tally.confirmed.add(code in one.confirmed)
                tally.names[one.kind].append(one.name)
    return {code: _counts(code, tally) for code, tally in tallies.items()}


def _counts(code: str, tally: _RuleTally) -> RuleCounts:
    kinds = ("verified", "proof_failure", "front_end")
    return RuleCounts(
        family=CODES[code].family,
        verified=tally.by_kind["verified"].pair,
        proof_failure=tally.by_kind["proof_failure"].pair,
        front_end=tally.by_kind["front_end"].pair,
        failed=tally.failed.pair,
        confirmed=tally.confirmed.pair if CODES[code].family in PREDICTIVE else (0, 0),
        warned=tally.warned.pair,
        exposed={kind: tally.exposed[kind].pair for kind in kinds},
        verified_names=tuple(tally.names["verified"]),
        proof_failure_names=tuple(tally.names["proof_failure"]),
    )
