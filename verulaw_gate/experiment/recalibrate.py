"""Do the rules still hold on another Verus? Judged on files that were run through it.

The rules are applied at full force, as on the version that they were written for. A rule is wrong
on a file when it rejects it and that Verus's front end passes it.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from verulaw_gate.codes import CODES, PREDICTIVE, Family, Severity
from verulaw_gate.errors import LogError
from verulaw_gate.experiment.attempts import read_attempts, scan_log
from verulaw_gate.experiment.snippets import Snippet
from verulaw_gate.gate.confirm import Row, confirms
from verulaw_gate.gate.gate import Gate
from verulaw_gate.gate.layers import PINNED_VERUS
from verulaw_gate.gate.versions import Measured
from verulaw_gate.spans import LineIndex
from verulaw_gate.verus.diagnostics import read
from verulaw_gate.verus.model import Outcome

_PASSES = frozenset({Outcome.VERIFIED, Outcome.PROOF_FAILURE, Outcome.RLIMIT})
_VERSIONED = frozenset({Family.SYNTAX, Family.STATIC})


@dataclass(frozen=True, slots=True)
class Judged:
    """One file that went through that Verus. `rows`: its diagnostics."""

    name: str
    source: str
    outcome: Outcome
    rows: tuple[Row, ...]


@dataclass(slots=True)
class Behaviour:
    """One rule on that Verus, over files: how many it rejects, on how many of those Verus says the
    same (line and kind), and the names of those that pass Verus's front end."""

    rejects: int = 0
    confirmed: int = 0
    wrong: list[str] = field(default_factory=list)


def recorded(folder: Path) -> Iterator[Judged]:
    """The sources (`*.rs`) of a folder with the recorded results beside them (`.json`). One
    without is left out: there the run had no result.

    Raises LogError for a recording that is none, or is of another source.
    """
    from verulaw_gate.verus.keys import source_sha256
    from verulaw_gate.verus.runs import from_json

    for path in sorted(folder.rglob("*.rs")):
        record = path.with_suffix(".json")
        if not record.is_file():
            continue
        source = path.read_text(encoding="utf-8")
        try:
            data = json.loads(record.read_text(encoding="utf-8"))
            run, sha256 = from_json(data), data["source_sha256"]
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as problem:
            raise LogError(f"not a recording: {problem!r}", path=record) from None
        if sha256 != source_sha256(source):
            raise LogError("a recording of another source", path=record, hint="record it again")
        reading = read(run.argv, run.exit_code, run.stdout, run.stderr)
        rows = tuple((d.code, d.message, d.line) for d in reading.diagnostics)
        name = path.relative_to(folder).as_posix()
        yield Judged(name, source, reading.outcome, rows)


def attempts(log: Path) -> Iterator[Judged]:
    """The attempts of a log that have a source and a result. Raises LogError."""
    for attempt in read_attempts(scan_log([log])):
        if attempt.source is not None and attempt.verus is not None:
            rows = tuple((d.code, d.message, d.line) for d in attempt.verus.diagnostics)
            name = f"{log.name}: {attempt.task}#{attempt.attempt}"
            yield Judged(name, attempt.source, attempt.verus.outcome, rows)


def behaviours(files: Iterable[Judged]) -> dict[str, Behaviour]:
    """What each predictive rule does on the files. Files without a decided outcome (a timeout, a
    crash) are left out."""
    found: dict[str, Behaviour] = defaultdict(Behaviour)
    gate = Gate(verus_version=PINNED_VERUS)
    for file in files:
        if file.outcome not in _PASSES and file.outcome is not Outcome.COMPILE_ERROR:
            continue
        index = LineIndex(file.source)
        said: Counter[str] = Counter()
        for finding in gate.check_source(file.source).findings:
            if finding.family in PREDICTIVE and finding.severity is Severity.ERROR:
                last = finding.span.line if finding.span else 0
                if finding.span is not None:
                    end = max(finding.span.start, finding.span.end - 1)
                    last = index.position(min(end, len(file.source)))[0]
                first = finding.span.line if finding.span else 0
                said[finding.code] += confirms(finding.code, first, last, file.rows)
        for code, confirmed in said.items():
            rule = found[code]
            rule.rejects += 1
            rule.confirmed += confirmed > 0
            if file.outcome in _PASSES:
                rule.wrong.append(f"{file.name} ({file.outcome})")
    return dict(sorted(found.items()))


def surprises(snippets: Iterable[Snippet], files: Iterable[Judged]) -> list[str]:
    """The snippets of which that Verus does not say what they say of it, one line each."""
    outcomes = {file.name: file.outcome for file in files}
    found = []
    for snippet in snippets:
        outcome = outcomes.get(f"{snippet.code}/{snippet.file}")
        if outcome in _PASSES and snippet.found:
            found.append(f"{snippet.code} '{snippet.name}': to be refused, but {outcome}")
        elif outcome is Outcome.COMPILE_ERROR and not snippet.found:
            found.append(f"{snippet.code} '{snippet.name}': to pass the front end, but {outcome}")
    return found


def measured(version: str, found: Mapping[str, Behaviour], verus_syn: str) -> Measured:
    """The entry of that version. A rule that was wrong once is off there."""
    versioned = [c for c in found if CODES[c].family in _VERSIONED]
    off = {
        code: f"on Verus {version} its front end passes {found[code].wrong[0]}"
        + (f" and {len(found[code].wrong) - 1} more" if len(found[code].wrong) > 1 else "")
        for code in versioned
        if found[code].wrong
    }
    return Measured(version, off, {code: found[code].rejects for code in versioned}, verus_syn)
