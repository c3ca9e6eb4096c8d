"""Two runs side by side, paired by task and sample. What is not comparable is refused."""

from __future__ import annotations

from collections.abc import Mapping

from verulaw_gate import __version__
from verulaw_gate.errors import UsageError
from verulaw_gate.record.events import Corpus
from verulaw_gate.record.store import Store
from verulaw_gate.report.checks import Checks
from verulaw_gate.report.compare_live import arm_pairs, live_tables
from verulaw_gate.report.compare_replays import replay_tables
from verulaw_gate.report.definitions import DEFINITIONS
from verulaw_gate.report.facts import RunFacts, collect
from verulaw_gate.report.model import Report, Row, Section, Table


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
    versions = [_versions(run) for run in (one, two)]
    if versions[0] and versions[1] and versions[0] != versions[1]:
        found.append(f"Verus versions differ ({', '.join(versions[0])}; {', '.join(versions[1])})")
    for run in (one, two):
        if not run.complete:
            found.append(f"run {run.name} is not complete")
    if a.corpus is Corpus.LIVE:
        if a.config.get("budgets") != b.config.get("budgets"):
            found.append("the budgets differ")
        if not arm_pairs(one, two):
            found.append("they have no arm of the same name")
    return found


def _versions(run: RunFacts) -> list[str]:
    return sorted({v.version for g in run.generations for v in g.verifications if v.version})


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
    tables += live_tables(one, two, checks) if live else replay_tables(one, two, checks)
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
