"""What became of corrections: next state legal, run complete, counted by kind and mode."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from verulaw_gate.monitor.model import CorrectionMode


@dataclass(slots=True)
class CorrectionOutcome:
    """One correction that was applied. `kind` is the violation's, or `content-finding`. The other
    two are None until the run has told: a correction without an outcome is in no rate."""

    kind: str
    mode: CorrectionMode
    next_legal: bool | None = None
    run_complete: bool | None = None


@dataclass(frozen=True, slots=True)
class CorrectionCount:
    """A row: of `issued` corrections so many were followed by a legal state, and by a complete
    run; `next_known` and `run_known` are the denominators (outcome known)."""

    kind: str
    mode: CorrectionMode
    issued: int
    next_legal: int
    next_known: int
    run_complete: int
    run_known: int


def count(outcomes: Iterable[CorrectionOutcome]) -> tuple[CorrectionCount, ...]:
    """Corrections by kind and mode, sorted."""
    groups: dict[tuple[str, CorrectionMode], list[CorrectionOutcome]] = {}
    for outcome in outcomes:
        groups.setdefault((outcome.kind, outcome.mode), []).append(outcome)
    return tuple(
        CorrectionCount(
            kind,
            mode,
            len(group),
            sum(o.next_legal is True for o in group),
            sum(o.next_legal is not None for o in group),
            sum(o.run_complete is True for o in group),
            sum(o.run_complete is not None for o in group),
        )
        for (kind, mode), group in sorted(groups.items())
    )


class OutcomeLog:
    """Follows the corrections of one run."""

    def __init__(self) -> None:
        self.outcomes: list[CorrectionOutcome] = []

    def issued(self, kind: str, mode: CorrectionMode) -> None:
        """A correction was applied."""
        self.outcomes.append(CorrectionOutcome(kind, mode))

    def next_state(self, legal: bool) -> None:
        """The first thing that happened after the last correction."""
        if self.outcomes and self.outcomes[-1].next_legal is None:
            self.outcomes[-1].next_legal = legal

    def run_over(self, complete: bool) -> None:
        """The run has ended."""
        self.next_state(complete)
        for outcome in self.outcomes:
            outcome.run_complete = complete
