"""Two runs side by side, paired by task and sample. What is not comparable is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from verulaw_gate import __version__
from verulaw_gate.errors import UsageError
from verulaw_gate.record.events import Corpus, LabelStage
from verulaw_gate.record.store import Store
from verulaw_gate.report.arms import split
from verulaw_gate.report.checks import Checks, cross
from verulaw_gate.report.contrasts import solved_pairs
from verulaw_gate.report.definitions import DEFINITIONS
from verulaw_gate.report.episodes import (
    Endpoint,
    Episode,
    arm_curve,
    budget_of,
    difference_interval,
    episodes_of,
)
from verulaw_gate.report.facts import GenerationFacts, RunFacts, collect
from verulaw_gate.report.filing import FILED, Filed, filed, predictive_codes, result_of
from verulaw_gate.report.model import Cell, Figure, Report, Row, Section, Table
from verulaw_gate.report.predictive import false_rejects
from verulaw_gate.report.statistics import mcnemar
from verulaw_gate.report.survival import common_tau

Pair = tuple[GenerationFacts, GenerationFacts]


def compare(store: Store, first: str, second: str) -> Report:
    """The comparison of two runs of a store.

    Raises UsageError, with every reason, when they can't be compared; StoreError for an unknown
    run.
    """
    one, two = (store.run(name).name for name in (first, second))
    return compare_runs(collect(one, store.events(one)), collect(two, store.events(two)))


def obstacles(one: RunFacts, two: RunFacts) -> list[str]:
    """Why two runs can't be compared; empty when they can."""
    if one.name == two.name:
        return ["they are the same run"]
    a, b = one.started, two.started
    found = []
    if a.corpus is not b.corpus:
        return [f"one is {a.corpus}, the other {b.corpus}: corpus kinds are never mixed"]
    if a.corpus_sha256 != b.corpus_sha256:
        found.append(f"the corpora differ in content ({a.corpus_name}, {b.corpus_name})")
    if a.options != b.options:
        found.append("outcomes are under other Verus options")
    versions = [sorted({v.version or "" for g in r.generations for v in g.verifications}
                       - {""}) for r in (one, two)]  # fmt: skip
    if versions[0] and versions[1] and versions[0] != versions[1]:
        found.append(f"Verus versions differ ({', '.join(versions[0])}; {', '.join(versions[1])})")
    for run in (one, two):
        if not run.complete:
            found.append(f"run {run.name} is not complete")
    if a.corpus is Corpus.LIVE:
        if a.config.get("budgets") != b.config.get("budgets"):
            found.append("the budgets differ")
        if not _arm_pairs(one, two):
            found.append("they have no arm of the same name")
    return found


def compare_runs(one: RunFacts, two: RunFacts) -> Report:
    """The comparison of two runs whose events are put together. Raises UsageError."""
    reasons = obstacles(one, two)
    if reasons:
        raise UsageError(
            f"runs {one.name} and {two.name} can't be compared: {'; '.join(reasons)}",
            hint="report each on its own",
        )
    checks = Checks()
    live = one.started.corpus is Corpus.LIVE
    tables = [_settings(one, two)]
    tables += _live_tables(one, two, checks) if live else _replay_tables(one, two, checks)
    kind = str(one.started.corpus)
    section = Section(
        key="comparison",
        title=f"{one.name} against {two.name}",
        kind=kind,
        facts=(("corpus", one.started.corpus_name),),
        paragraphs=(
            "Both runs are of the same corpus content under the same Verus options; only what both "
            "have is compared, and what one lacks is counted.",
        ),
        tables=tuple(tables),
        checks=tuple(checks.done),
    )
    return Report(
        title="verulaw-gate comparison",
        facts=(("made by", f"verulaw-gate {__version__}"), ("runs", f"{one.name}, {two.name}")),
        sections=(section,),
        definitions=DEFINITIONS,
    )


def _settings(one: RunFacts, two: RunFacts) -> Table:
    rows = []
    a, b = one.started.model_dump(mode="json"), two.started.model_dump(mode="json")
    flat = [_flat(a), _flat(b)]
    for name in sorted(set(flat[0]) | set(flat[1])):
        left, right = flat[0].get(name, "absent"), flat[1].get(name, "absent")
        if left != right and name != "started_at":
            rows.append(Row(name, (name, left, right)))
    return Table(
        key="settings",
        title="Settings that differ",
        columns=("setting", one.name, two.name),
        rows=tuple(rows),
        denominator=f"{len(rows)} settings of the runs' first events differ",
        empty="none",
    )


def _flat(value: object, prefix: str = "") -> dict[str, str]:
    if isinstance(value, Mapping):
        found: dict[str, str] = {}
        for name, part in value.items():
            found |= _flat(part, f"{prefix}.{name}" if prefix else str(name))
        return found
    text = str(value)
    return {prefix: text if len(text) <= 60 else f"{text[:57]}..."}


def _paired(one: RunFacts, two: RunFacts, checks: Checks) -> tuple[list[Pair], Table]:
    def place(facts: GenerationFacts) -> tuple[str, int, int]:
        return (facts.key.task, facts.key.sample, facts.key.generation)

    left = {place(g): g for g in one.generations}
    right = {place(g): g for g in two.generations}
    both = sorted(set(left) & set(right))
    for run, own in ((one, left), (two, right)):
        checks.partition(
            f"generations of {run.name}",
            len(run.generations),
            {"in both": len(both), "alone": len(own) - len(both)},
        )
    table = Table(
        key="pairs",
        title="Pairs",
        columns=("what", "generations"),
        rows=(
            Row("both", ("in both runs", len(both))),
            Row("first", (f"only in {one.name}", len(left) - len(both))),
            Row("second", (f"only in {two.name}", len(right) - len(both))),
        ),
        denominator="generations by task, sample and number",
    )
    return [(left[p], right[p]) for p in both], table


def _replay_tables(one: RunFacts, two: RunFacts, checks: Checks) -> list[Table]:
    pairs, table = _paired(one, two, checks)
    tables = [table]
    if one.started.corpus is Corpus.DESIGNED:
        return [*tables, _label_changes(pairs)]
    found = cross(
        "pairs by filing",
        pairs,
        FILED,
        FILED,
        lambda pair: filed(pair[0]),
        lambda pair: filed(pair[1]),
        checks,
    )
    used = [n for n in FILED if found.row_total(n) or found.column_total(n)]
    tables.append(
        Table(
            key="filing",
            title="Filing in both runs",
            columns=(f"{one.name} \\ {two.name}", *used, "all"),
            rows=tuple(
                Row(a, (a, *(found.cell(a, b) for b in used), found.row_total(a))) for a in used
            ),
            denominator=f"{len(pairs)} generations that both runs have",
        )
    )
    changed = [p for p in pairs if filed(p[0]) is not filed(p[1])]
    tables.append(_changes(changed, len(pairs)))
    tables.append(_measures(pairs))
    return tables


def _changes(changed: Sequence[Pair], total: int) -> Table:
    return Table(
        key="changes",
        title="Generations filed elsewhere",
        columns=("generation", "first run", "second run", "predictive codes", "Verus"),
        rows=tuple(
            Row(
                a.id,
                (
                    a.name,
                    filed(a),
                    filed(b),
                    f"{', '.join(predictive_codes(a)) or '-'} / "
                    f"{', '.join(predictive_codes(b)) or '-'}",
                    result_of(a),
                ),
            )
            for a, b in changed
        ),
        denominator=f"{total} generations that both runs have, {len(changed)} filed elsewhere",
        empty="none",
    )


_MEASURES: tuple[tuple[str, Callable[[GenerationFacts], bool]], ...] = (
    ("accepted", lambda g: filed(g) is Filed.ACCEPTED),
    ("false rejects", lambda g: bool(false_rejects([g]))),
    (
        "accepted and failed in Verus",
        lambda g: (
            filed(g) is Filed.ACCEPTED and result_of(g) in ("front-end failure", "proof failure")
        ),
    ),
)


def _measures(pairs: Sequence[Pair]) -> Table:
    rows = []
    for name, measure in _MEASURES:
        found = mcnemar((measure(a), measure(b)) for a, b in pairs)
        rows.append(
            Row(name, (name, found.both, found.only_first, found.only_second, found.neither))
        )
    return Table(
        key="measures",
        title="What both runs say of the same generations",
        columns=("measure", "both", "only the first", "only the second", "neither"),
        rows=tuple(rows),
        denominator=f"{len(pairs)} generations that both runs have",
    )


def _label_changes(pairs: Sequence[Pair]) -> Table:
    rows = []
    total = 0
    for a, b in pairs:
        for stage in LabelStage:
            left = next((r for r in a.labels if r.stage is stage), None)
            right = next((r for r in b.labels if r.stage is stage), None)
            if left is None or right is None:
                continue
            total += 1
            if left.observed != right.observed:
                row = (a.name, stage, left.label, left.observed, right.observed)
                rows.append(Row(f"{a.id}/{stage}", row))
    return Table(
        key="label-changes",
        title="Labelled traces that came out otherwise",
        columns=("trace", "stage", "label", "first run", "second run"),
        rows=tuple(rows),
        denominator=f"{total} labels that both runs judged, {len(rows)} came out otherwise",
        empty="none",
    )


def _arm_pairs(one: RunFacts, two: RunFacts) -> list[tuple[str, str]]:
    """Arms of the same name; the only arms of both runs where each has one."""
    left, right = ([arm.name for arm in run.started.arms] for run in (one, two))
    shared = [(name, name) for name in left if name in right]
    if not shared and len(left) == len(right) == 1:
        return [(left[0], right[0])]
    return shared


def _live_tables(one: RunFacts, two: RunFacts, checks: Checks) -> list[Table]:
    left, right = split(one, episodes_of(one)), split(two, episodes_of(two))
    solved, costs = [], []
    for a, b in _arm_pairs(one, two):
        first, second = _shared(left[a], right[b])
        checks.equal(f"episodes of arm {a} in both runs", len(first), len(second))
        pairs = mcnemar((x.solved, y.solved) for x, y in zip(first, second, strict=True))
        tasks = mcnemar(solved_pairs(first, second))
        label = a if a == b else f"{a} / {b}"
        solved.append(
            Row(
                label,
                (
                    label,
                    len(left[a]) - len(first),
                    len(right[b]) - len(second),
                    pairs.both,
                    pairs.only_first,
                    pairs.only_second,
                    pairs.neither,
                    tasks.only_first,
                    tasks.only_second,
                ),
            )
        )
        costs.append(Row(label, (label, len(first), *_costs(one, first, second))))
    return [
        Table(
            key="solved",
            title="Episodes honestly solved in both runs",
            columns=(
                "arm",
                f"only in {one.name}",
                f"only in {two.name}",
                "solved in both",
                "only in the first",
                "only in the second",
                "in neither",
                "tasks only in the first",
                "tasks only in the second",
            ),
            rows=tuple(solved),
            denominator="episodes by task and sample; tasks by their first sample",
        ),
        Table(
            key="costs",
            title="Cost to the first honest success, second run minus first",
            columns=("arm", "episodes in both", *(f"{e}" for e in Endpoint)),
            rows=tuple(costs),
            denominator="episodes that both runs have; differences of restricted means with "
            "bootstraps by task",
        ),
    ]


def _shared(
    first: Sequence[Episode], second: Sequence[Episode]
) -> tuple[list[Episode], list[Episode]]:
    left = {(e.task, e.sample): e for e in first}
    right = {(e.task, e.sample): e for e in second}
    both = sorted(set(left) & set(right))
    return [left[p] for p in both], [right[p] for p in both]


def _costs(run: RunFacts, first: Sequence[Episode], second: Sequence[Episode]) -> list[Cell]:
    cells: list[Cell] = []
    for endpoint in Endpoint:
        budget = budget_of(run, endpoint)
        curves = [c for g in (first, second) if (c := arm_curve(g, endpoint, budget)) is not None]
        tau = common_tau(curves, budget)
        means = [None if tau is None else c.restricted_mean(tau) for c in curves]
        if tau is None or len(means) < 2 or means[0] is None or means[1] is None:
            cells.append(Figure(None))
            continue
        interval = difference_interval(first, second, endpoint, budget, tau)
        cells.append(Figure(means[1] - means[0], "", interval))
    return cells
