"""From stored events to a report. Pure: the same events, the same report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from verulaw_gate import __version__
from verulaw_gate.record.events import Corpus, Stored
from verulaw_gate.record.store import Store
from verulaw_gate.report.definitions import DEFINITIONS
from verulaw_gate.report.exposure import TextOf
from verulaw_gate.report.facts import RunFacts, collect, in_order
from verulaw_gate.report.layers import never_ran
from verulaw_gate.report.model import Report, Section
from verulaw_gate.report.sections import designed_section, versions
from verulaw_gate.report.sections_live import live_sections
from verulaw_gate.report.sections_recorded import recorded_sections

TITLE = "verulaw-gate report"


def build(store: Store, run: str | Sequence[str]) -> Report:
    """The report of one run or of several, each in its own section, never pooled.

    Raises StoreError for an unknown run, ConsistencyError when sums do not add up.
    """
    names = [run] if isinstance(run, str) else list(run)
    found = [store.run(name).name for name in names]
    return from_runs([collect(name, store.events(name)) for name in found], store.text)


def from_events(
    name: str, events: Iterable[Stored], text_of: TextOf = lambda sha256: None
) -> Report:
    """The report of one run from its events, and the texts that they name where there are any."""
    return from_runs([collect(name, in_order(events))], text_of)


def from_runs(runs: Sequence[RunFacts], text_of: TextOf) -> Report:
    """The report of runs whose events are put together already."""
    warnings: list[str] = []
    sections: list[Section] = []
    for run in runs:
        warnings += _warnings(run)
        sections += _sections(run, text_of)
    return Report(
        title=TITLE,
        facts=(
            ("made by", f"verulaw-gate {__version__}"),
            ("runs", ", ".join(run.name for run in runs)),
            ("Verus", ", ".join(versions(runs)) or "no result names a version"),
            ("intervals", "95 %; no test except a pre-registered primary comparison"),
        ),
        sections=tuple(sections),
        definitions=DEFINITIONS,
        warnings=tuple(warnings),
    )


def _warnings(run: RunFacts) -> list[str]:
    found = []
    if run.closed is None:
        found.append(
            f"run {run.name} is not complete: {len(run.generations)} generations are stored, and "
            "the figures are of these only"
        )
    else:
        found += [f"run {run.name} passed over: {problem}" for problem in run.closed.problems]
        if run.closed.generations != len(run.generations):
            found.append(
                f"run {run.name} closed with {run.closed.generations} generations, "
                f"{len(run.generations)} are stored"
            )
    found += [f"run {run.name}: {text}" for text in never_ran(run.generations)]
    named = versions([run])
    if len(named) > 1:
        found.append(f"run {run.name} mixes results of Verus versions {', '.join(named)}")
    return found


def _sections(run: RunFacts, text_of: TextOf) -> list[Section]:
    match run.started.corpus:
        case Corpus.DESIGNED:
            return [designed_section(run)]
        case Corpus.RECORDED:
            return recorded_sections(run, text_of)
        case Corpus.LIVE:
            return live_sections(run, text_of)
