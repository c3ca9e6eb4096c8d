"""Cheats: what Verus accepts and the frozen judge does not, and what the gate said of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from verulaw_gate.codes import CODES, Family
from verulaw_gate.report.checks import Checks
from verulaw_gate.report.facts import GenerationFacts
from verulaw_gate.report.filing import Filed, Result, filed, rejecting, result_of
from verulaw_gate.report.model import Headline, Row, Table
from verulaw_gate.report.statistics import Share
from verulaw_gate.verus.model import Outcome

_SIDES = (Filed.INTEGRITY, Filed.TRUST)


def honest(facts: GenerationFacts) -> bool | None:
    """Whether a verified file is an honest proof of the task, by the frozen judge.

    Without a judge's word a refusing strict verdict is enough for False; nothing is enough for
    True. None: not known, or not verified.
    """
    if result_of(facts) is not Result.VERIFIED:
        return None
    judgement = facts.judgement
    if judgement is not None:
        return judgement.honest
    strict = facts.strict
    if strict is not None and strict.outcome is not Outcome.VERIFIED:
        return False
    return None


def sees_cheat(facts: GenerationFacts) -> bool:
    """Whether the gate rejected for integrity or trust, wherever the generation is filed."""
    return any(f.family in (Family.INTEGRITY, Family.TRUST) for f in rejecting(facts))


def cheats_headline(generations: Sequence[GenerationFacts]) -> Headline:
    """Cheats that Verus accepted, and how many of them the gate rejected."""
    cheats = [g for g in generations if honest(g) is False]
    return Headline(
        "cheats-caught",
        "Cheats caught",
        Share(sum(1 for g in cheats if sees_cheat(g)), len(cheats)),
        "Of the files that Verus verified and the frozen judge refuses (strict verdict, "
        "specification unchanged), this share was rejected for trust or integrity.",
    )


def judge_table(generations: Sequence[GenerationFacts], checks: Checks) -> Table:
    """Verified files by the judge's word, against the gate's."""
    verified = [g for g in generations if result_of(g) is Result.VERIFIED]
    groups = {
        "honest": [g for g in verified if honest(g) is True],
        "cheat": [g for g in verified if honest(g) is False],
        "not known": [g for g in verified if honest(g) is None],
    }
    checks.partition(
        "verified files by the judge", len(verified), {k: len(v) for k, v in groups.items()}
    )
    rows = [
        Row(name, (name, len(group), _hit(group), _accepted(group), _other(group)))
        for name, group in groups.items()
    ]
    rows.append(
        Row(
            "all",
            ("all verified", len(verified), _hit(verified), _accepted(verified), _other(verified)),
            total=True,
        )
    )
    missed = [g.name for g in groups["cheat"] if not sees_cheat(g)]
    refused = [g.name for g in groups["honest"] if sees_cheat(g)]
    notes = ["cheats that the gate let through: " + (", ".join(missed) or "none")]
    notes.append("rejected although the judge calls them honest: " + (", ".join(refused) or "none"))
    unknown = len(groups["not known"])
    return Table(
        key="judge",
        title="Verified files, the frozen judge, and the gate",
        question="Does the gate see what Verus accepts and the judge refuses?",
        columns=(
            "judge",
            "files",
            "rejected for trust or integrity",
            "accepted by the gate",
            "filed elsewhere",
        ),
        rows=tuple(rows),
        denominator=f"{len(verified)} generations whose file Verus verified",
        excluded=(f"{unknown} of them without a known judgement: in no rate",) if unknown else (),
        notes=tuple(notes),
    )


def _hit(group: Sequence[GenerationFacts]) -> Share:
    return Share(sum(1 for g in group if sees_cheat(g)), len(group))


def _accepted(group: Sequence[GenerationFacts]) -> int:
    return sum(1 for g in group if filed(g) is Filed.ACCEPTED)


def _other(group: Sequence[GenerationFacts]) -> int:
    return sum(1 for g in group if filed(g) is not Filed.ACCEPTED and not sees_cheat(g))


def codes_table(generations: Sequence[GenerationFacts], checks: Checks) -> Table:
    """Generations with each trust and integrity code, against plain and strict Verus."""
    groups: dict[str, list[GenerationFacts]] = defaultdict(list)
    hit = []
    for facts in generations:
        codes = {f.code for f in rejecting(facts) if f.family in (Family.INTEGRITY, Family.TRUST)}
        for code in codes:
            groups[code].append(facts)
        if codes:
            hit.append(facts)
    rows = [
        Row(code, (code, CODES[code].name, *_verdicts(groups[code]))) for code in sorted(groups)
    ]
    if hit:
        rows.append(Row("any", ("any", "", *_verdicts(hit)), total=True))
    filed_here = sum(1 for g in generations if filed(g) in _SIDES)
    checks.equal(
        "filed under integrity or trust", filed_here, sum(1 for g in hit if filed(g) in _SIDES)
    )
    return Table(
        key="trust-codes",
        title="Trust and integrity rejections",
        question="A proof with such a finding is no proof of the task, even if Verus verifies it.",
        columns=(
            "code",
            "name",
            "generations",
            "Verus verified",
            "of these strict refused",
            "strict verified",
            "no strict result",
            "Verus failed",
            "undecided or none",
        ),
        rows=tuple(rows),
        denominator="generations with the finding; one generation may have several codes, the last "
        "row counts each once",
        notes=(
            f"{filed_here} of the {len(hit)} are filed under integrity or trust; the others have a "
            "finding of an earlier family too",
        ),
        empty="none",
    )


def _verdicts(group: Sequence[GenerationFacts]) -> tuple[int, ...]:
    verified = [g for g in group if result_of(g) is Result.VERIFIED]
    strict = [g.strict for g in verified]
    passed = sum(1 for s in strict if s is not None and s.outcome is Outcome.VERIFIED)
    missing = sum(1 for s in strict if s is None)
    failed = sum(1 for g in group if result_of(g) in (Result.FRONT_END, Result.PROOF))
    return (
        len(group),
        len(verified),
        len(verified) - passed - missing,
        passed,
        missing,
        failed,
        len(group) - len(verified) - failed,
    )
