"""Each predictive finding matched to a diagnostic of Verus: same line, same kind.

Verus stops at the first phase that fails, so a true finding may go unconfirmed because an
earlier error hid it: k/n is a lower bound of how often a rule is right about the place.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from verulaw_gate.codes import CODES, PREDICTIVE
from verulaw_gate.gate.confirm import same_kind
from verulaw_gate.record.events import Form
from verulaw_gate.report.checks import Checks
from verulaw_gate.report.facts import GenerationFacts
from verulaw_gate.report.filing import Filed, Result, filed, rejecting, result_of
from verulaw_gate.report.model import Row, Table
from verulaw_gate.report.slim import Found
from verulaw_gate.report.statistics import Share


@dataclass(slots=True)
class _Tally:
    findings: int = 0
    front_end: int = 0
    line: int = 0
    kind: int = 0


def confirmation_table(generations: Sequence[GenerationFacts], checks: Checks) -> Table:
    """Confirmed k/n of every predictive code that rejected something, three degrees of exactness:
    the file failed in the front end; with an error on the line; of the kind that the code names."""
    tallies: dict[str, _Tally] = defaultdict(_Tally)
    placeless = undecided = 0
    for facts in generations:
        findings = _predictive(facts)
        if not findings:
            continue
        if result_of(facts) in (Result.NONE, Result.UNDECIDED):
            undecided += len(findings)
            continue
        done = facts.measured
        errors = [] if done is None else [d for d in done.diagnostics if d.level == "error"]
        for finding in findings:
            if finding.source_line is None:
                placeless += 1
            tally = tallies[finding.code]
            tally.findings += 1
            tally.front_end += result_of(facts) is Result.FRONT_END
            if result_of(facts) is Result.FRONT_END:
                near = [d for d in errors if d.line is not None and d.line == finding.source_line]
                tally.line += bool(near)
                tally.kind += any(same_kind(finding.code, d.code, d.message) for d in near)
    rows = [
        Row(
            code,
            (
                code,
                CODES[code].name,
                Share(tally.front_end, tally.findings),
                Share(tally.line, tally.findings),
                Share(tally.kind, tally.findings),
            ),
        )
        for code, tally in sorted(tallies.items())
    ]
    checks.equal(
        "predictive findings scored",
        sum(t.findings for t in tallies.values()) + undecided,
        sum(len(_predictive(g)) for g in generations),
    )
    excluded = []
    if undecided:
        excluded.append(f"{undecided} findings in files without a decided Verus result")
    return Table(
        key="confirmation",
        title="Findings confirmed by Verus's diagnostics",
        question="Does Verus complain on the same line, and for the reason that the code names?",
        columns=("code", "name", "front end refused", "error on the line", "of that kind"),
        rows=tuple(rows),
        denominator="rejecting predictive findings, each code and line once a generation",
        excluded=tuple(excluded),
        empty="no rejecting predictive finding",
        notes=(
            "Verus stops at the first phase that fails: an earlier error can hide the one "
            "foretold, so the last two columns are lower bounds",
            *(
                (f"{placeless} of the findings have no line in the file: never confirmed by line",)
                if placeless
                else ()
            ),
        ),
    )


def _predictive(facts: GenerationFacts) -> list[Found]:
    # The file's own findings where the gate looked at the file, otherwise those of the trace.
    source = facts.raw_decision(Form.SOURCE)
    if source is not None:
        forms: tuple[Form, ...] = (Form.SOURCE,)
    elif filed(facts) is Filed.PROTOCOL:
        return []
    else:
        forms = (Form.TRACE,)
    kept: dict[tuple[str, int | None], Found] = {}
    for finding in rejecting(facts, forms):
        if finding.family in PREDICTIVE:
            kept.setdefault((finding.code, finding.source_line), finding)
    return list(kept.values())
