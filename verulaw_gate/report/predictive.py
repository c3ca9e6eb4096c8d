"""Predictive rejections against what Verus's front end said; false rejects; false confidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from verulaw_gate.report.checks import Checks
from verulaw_gate.report.facts import GenerationFacts
from verulaw_gate.report.filing import (
    FILED_PREDICTIVE,
    Filed,
    Result,
    filed,
    front_end_passed,
    predictive_codes,
    result_of,
)
from verulaw_gate.report.flow import (
    RESULT_COLUMNS,
    failed_share,
    result_cells,
    result_share,
    undecided_note,
)
from verulaw_gate.report.formatting import percent
from verulaw_gate.report.model import Headline, Row, Table
from verulaw_gate.report.statistics import Share

LIST_LIMIT = 60


def predictive_table(generations: Sequence[GenerationFacts], checks: Checks) -> Table:
    """Predictive rejections x front-end failure x proof failure x verified."""
    groups = {name: [g for g in generations if filed(g) is name] for name in FILED_PREDICTIVE}
    hit = [g for name in FILED_PREDICTIVE for g in groups[name]]
    rest = [g for g in generations if filed(g) not in FILED_PREDICTIVE]
    checks.partition(
        "generations by predictive rejection",
        len(generations),
        {"rejected": len(hit), "not rejected": len(rest)},
    )
    rows = [
        Row(name, (name, *result_cells(group), result_share(group, Result.FRONT_END)))
        for name, group in groups.items()
    ]
    for key, label, group, total in (
        ("predictive", "any predictive family", hit, True),
        ("other", "not rejected as predictive", rest, False),
        ("all", "all", list(generations), True),
    ):
        rows.append(
            Row(
                key,
                (label, *result_cells(group), result_share(group, Result.FRONT_END)),
                total=total,
            )
        )
    front_end = [g for g in generations if result_of(g) is Result.FRONT_END]
    caught = Share(sum(1 for g in front_end if filed(g) in FILED_PREDICTIVE), len(front_end))
    also = sum(1 for g in generations if filed(g) is Filed.PROTOCOL and predictive_codes(g))
    return Table(
        key="predictive",
        title="Predictive rejections and Verus's front end",
        question="Does Verus refuse in its front end what the gate rejects as malformed?",
        columns=("filed under", *RESULT_COLUMNS, "front-end failure of decided"),
        rows=tuple(rows),
        denominator="generations; the share is of those with a decided Verus result",
        excluded=undecided_note(generations),
        notes=(
            f"of {caught.n} front-end failures, {caught.k} are filed under a predictive family",
            "generations with a predictive finding that are filed under protocol, which comes "
            f"first: {also}; false rejects are looked for there too",
        ),
    )


def false_rejects(generations: Sequence[GenerationFacts]) -> list[GenerationFacts]:
    """Generations with a rejecting predictive finding, wherever filed, whose front end passed."""
    return [g for g in generations if predictive_codes(g) and front_end_passed(g)]


def false_reject_share(generations: Sequence[GenerationFacts]) -> Share:
    """False rejects, of the judged generations whose file passed Verus's front end."""
    exposed = [g for g in generations if front_end_passed(g) and filed(g) is not Filed.NOT_JUDGED]
    return Share(sum(1 for g in exposed if predictive_codes(g)), len(exposed))


def false_reject_table(generations: Sequence[GenerationFacts], checks: Checks) -> Table:
    """Every false reject by name; none is stated with its bound."""
    wrong = false_rejects(generations)
    share = false_reject_share(generations)
    checks.equal("false rejects", share.k, len(wrong))
    interval = share.wilson
    notes = []
    if interval is not None:
        notes.append(
            f"{share.k} of {share.n} files that passed the front end were rejected: the true share "
            f"is at most {percent(interval.high)} (Wilson 95 % bound)"
        )
    answers = [front_end_passed(g) for g in generations if predictive_codes(g)]
    right = Share(answers.count(False), answers.count(False) + answers.count(True))
    notes.append(
        f"{right.k} of {right.n} files with a predictive finding were refused by Verus's front end"
        if right.n
        else "no file with a predictive finding has a decided result"
    )
    return Table(
        key="false-rejects",
        title="False rejects",
        question="Predictive rejections of a file that passed Verus's front end: the worst bug.",
        columns=("generation", "filed under", "codes", "Verus"),
        rows=tuple(
            Row(g.id, (g.name, filed(g), ", ".join(predictive_codes(g)), result_of(g)))
            for g in wrong
        ),
        denominator=f"{share.n} judged generations whose file passed Verus's front end",
        notes=tuple(notes),
        empty="none",
    )


def false_reject_headline(generations: Sequence[GenerationFacts]) -> Headline:
    """The bound on false rejects, with its n."""
    share = false_reject_share(generations)
    interval = share.wilson
    bound = f"at most {percent(interval.high)} by Wilson's bound" if interval else "no bound"
    return Headline(
        "false-rejects",
        "False rejects",
        share,
        f"Of the files that passed Verus's front end, {share.k} were rejected as malformed: {bound}"
        ".",
    )


def accepted(generations: Sequence[GenerationFacts]) -> list[GenerationFacts]:
    """Generations that both monitor and gate accepted."""
    return [
        g
        for g in generations
        if filed(g) is Filed.ACCEPTED and g.monitor is not None and g.monitor.ran
    ]


def gate_accepted_only(generations: Sequence[GenerationFacts]) -> list[GenerationFacts]:
    """Generations that the gate accepted and of which the monitor could say nothing."""
    return [
        g
        for g in generations
        if filed(g) is Filed.ACCEPTED and (g.monitor is None or not g.monitor.ran)
    ]


def false_confidence_headlines(generations: Sequence[GenerationFacts]) -> tuple[Headline, ...]:
    """Accepted, but Verus failed it: with the monitor, and without where there is no raw text."""
    headlines = []
    both, gate_only = accepted(generations), gate_accepted_only(generations)
    if both or not gate_only:
        headlines.append(
            Headline(
                "false-confidence",
                "False confidence",
                failed_share(both),
                "Of what monitor and gate accepted and Verus decided, this share failed in Verus. "
                "Acceptance is a prefilter and says nothing about meaning.",
            )
        )
    if gate_only:
        headlines.append(
            Headline(
                "false-confidence-gate-only",
                "False confidence, gate alone",
                failed_share(gate_only),
                "Of what the gate accepted and Verus decided, this share failed in Verus. These "
                "generations have no raw text, so the monitor did not run.",
            )
        )
    return tuple(headlines)


def false_confidence_table(generations: Sequence[GenerationFacts], checks: Checks) -> Table:
    """Accepted generations that Verus failed, by the first thing Verus said."""
    population = accepted(generations) + gate_accepted_only(generations)
    failed = [g for g in population if result_of(g) in (Result.FRONT_END, Result.PROOF)]
    share = failed_share(population)
    checks.equal("accepted and failed", share.k, len(failed))
    counts = Counter((str(result_of(g)), _first_message(g)) for g in failed)
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    rows = [
        Row(f"{result}/{message}", (result, message, count))
        for (result, message), count in ordered[:LIST_LIMIT]
    ]
    left = sum(count for _, count in ordered[LIST_LIMIT:])
    if left:
        rows.append(Row("more", ("", "other messages", left)))
    rows.append(Row("all", ("all", "", len(failed)), total=True))
    return Table(
        key="false-confidence",
        title="False confidence by Verus's first error",
        question="What monitor and gate accepted and Verus refused: what the gate cannot see.",
        columns=("Verus", "first error", "generations"),
        rows=tuple(rows),
        denominator=f"{share.n} accepted generations with a decided result; {share.k} failed",
        excluded=undecided_note(population),
    )


def _first_message(facts: GenerationFacts) -> str:
    done = facts.measured
    errors = [] if done is None else [d.message for d in done.diagnostics if d.level == "error"]
    if not errors:
        return "(no diagnostic recorded)"
    first = errors[0].splitlines()[0]
    # Names in backticks differ from file to file; the kind of error is what is counted.
    quoted = first.split("`")
    return "`..`".join(quoted[::2]) if len(quoted) > 2 else first
