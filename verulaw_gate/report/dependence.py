"""The headline rates three ways, because attempts of one task are not independent."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

from verulaw_gate.report.checks import Checks
from verulaw_gate.report.facts import GenerationFacts
from verulaw_gate.report.filing import Result, first_attempts, result_of
from verulaw_gate.report.flow import failed_share
from verulaw_gate.report.model import Figure, Row, Table
from verulaw_gate.report.predictive import accepted, false_reject_share, gate_accepted_only
from verulaw_gate.report.resampling import cluster_bootstrap, few_tasks_notes
from verulaw_gate.report.savings import executed, saved
from verulaw_gate.report.statistics import Share


def _confidence(generations: Sequence[GenerationFacts]) -> Share:
    return failed_share(accepted(generations) + gate_accepted_only(generations))


def _saved(generations: Sequence[GenerationFacts]) -> Share:
    return Share(len(saved(generations)), len(executed(generations)))


def _verified(generations: Sequence[GenerationFacts]) -> Share:
    share = failed_share(generations)
    return Share(sum(1 for g in generations if result_of(g) is Result.VERIFIED), share.n)


RATES: tuple[tuple[str, str, Callable[[Sequence[GenerationFacts]], Share]], ...] = (
    ("verified", "verified, of decided", _verified),
    ("false-confidence", "false confidence", _confidence),
    ("false-rejects", "false rejects", false_reject_share),
    ("saved", "executions saved", _saved),
)


def origins_table(generations: Sequence[GenerationFacts], checks: Checks) -> Table:
    """The headline rates of each origin of a pooled corpus."""
    groups = by_origin(generations)
    checks.partition(
        "generations by origin", len(generations), {name: len(g) for name, g in groups.items()}
    )
    return Table(
        key="origins",
        title="Headline rates by origin",
        question="Attempts of different origin came to be in different ways: read them apart.",
        columns=("origin", "generations", "rate", "share"),
        rows=tuple(
            Row(f"{name}/{key}", (name, len(group), label, rate(group)))
            for name, group in groups.items()
            for key, label, rate in RATES
        ),
        denominator=f"{len(generations)} generations, each under the origin that its log names",
    )


def by_origin(generations: Sequence[GenerationFacts]) -> dict[str, list[GenerationFacts]]:
    """Generations by the origin that their log names, in order of name."""
    groups: dict[str, list[GenerationFacts]] = defaultdict(list)
    for facts in generations:
        origin = "" if facts.generation is None else facts.generation.origin
        groups[origin or "not named"].append(facts)
    return dict(sorted(groups.items()))


def dependence_table(generations: Sequence[GenerationFacts]) -> Table:
    """All attempts as if independent; first attempts only; all attempts by bootstrap of tasks."""
    first = first_attempts(generations)
    tasks: dict[str, list[GenerationFacts]] = defaultdict(list)
    for facts in generations:
        tasks[facts.key.task].append(facts)
    rows = []
    for key, label, rate in RATES:
        parts = {task: rate(group) for task, group in tasks.items()}
        whole = Share(sum(p.k for p in parts.values()), sum(p.n for p in parts.values()))
        interval = cluster_bootstrap({task: (p.k, p.n) for task, p in parts.items()})
        rows.append(
            Row(key, (label, whole, rate(first), Figure(whole.value, "%", interval, digits=1)))
        )
    return Table(
        key="dependence",
        title="Headline rates with and without the dependence within tasks",
        columns=("rate", "all attempts (Wilson)", "first attempts", "all, bootstrap by task"),
        rows=tuple(rows),
        denominator=f"{len(generations)} generations of {len(tasks)} tasks; each rate has its own "
        "denominator, printed with it",
        notes=(
            "Wilson over all attempts takes them as independent, which attempts of one task are "
            "not: where the last column is wider, believe it",
            "a rate that is the same in every resample (0 everywhere, say) has no bootstrap "
            "interval: there Wilson's bound on first attempts is the one to read",
            *few_tasks_notes(len(tasks)),
        ),
    )
