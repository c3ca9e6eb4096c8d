"""False rejects code by code, each over the files in which its construct occurs at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from verulaw_gate.codes import CODES, PREDICTIVE, Family, family_of
from verulaw_gate.gate.exposure import exposed
from verulaw_gate.gate.lexer import lex
from verulaw_gate.record.events import Form
from verulaw_gate.report.checks import Checks
from verulaw_gate.report.facts import GenerationFacts
from verulaw_gate.report.filing import Filed, filed, front_end_passed, predictive_codes
from verulaw_gate.report.model import Row, Table
from verulaw_gate.report.statistics import Share

TextOf = Callable[[str], str | None]

_LAYERS = {Family.STRUCTURE: "tokens", Family.SYNTAX: "native", Family.STATIC: "static"}


def exposure_table(
    generations: Sequence[GenerationFacts], text_of: TextOf, checks: Checks
) -> Table:
    """Per predictive code: false rejects, of the files that passed Verus's front end, in which the
    construct occurs and the code's layer ran."""
    passed = [g for g in generations if front_end_passed(g) and filed(g) is not Filed.NOT_JUDGED]
    codes = [c for c in CODES.values() if c.family in PREDICTIVE]
    wrong = dict.fromkeys((c.code for c in codes), 0)
    reach = dict.fromkeys((c.code for c in codes), 0)
    files: dict[str, set[str] | None] = {}
    missing = 0
    for facts in passed:
        done = facts.measured
        open_to = None if done is None else _exposed(done.source_sha256, text_of, files)
        if open_to is None:
            missing += 1
            continue
        found, ran = set(predictive_codes(facts)), _layers_run(facts)
        for code in codes:
            if code.code in found:
                wrong[code.code] += 1
            if code.code in found or (_LAYERS[code.family] in ran and code.code in open_to):
                reach[code.code] += 1
    checks.partition(
        "files for exposure", len(passed), {"read": len(passed) - missing, "not kept": missing}
    )
    excluded = (f"{missing} files whose text the store does not have",) if missing else ()
    return Table(
        key="exposure",
        title="False rejects by code and exposure",
        question="In how many files could the rule have been wrong at all?",
        columns=("code", "name", "false rejects of exposed"),
        rows=tuple(
            Row(c.code, (c.code, c.name, Share(wrong[c.code], reach[c.code]))) for c in codes
        ),
        denominator=f"of {len(passed)} judged files that passed Verus's front end, those in which "
        "the construct occurs and the layer of the code ran",
        excluded=excluded,
        notes=("0 of n means at most the upper bound; 0 of 0 means that nothing is known",),
    )


def _exposed(key: str, text_of: TextOf, files: dict[str, set[str] | None]) -> set[str] | None:
    """Predictive codes whose construct occurs in a stored file; None when it is not stored."""
    if key not in files:
        text = text_of(key)
        if text is None:
            files[key] = None
        else:
            tokens = lex(text)
            files[key] = {
                c for c in CODES if family_of(c) in PREDICTIVE and exposed(c, text, tokens)
            }
    return files[key]


def _layers_run(facts: GenerationFacts) -> set[str]:
    decision = facts.raw_decision(Form.SOURCE) or facts.raw_decision(Form.TRACE)
    return set() if decision is None else {x.name for x in decision.layers if x.ran}
