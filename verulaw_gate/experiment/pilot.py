"""The pilot: how often does a model solve each task at the first try?

Tasks that are always or never solved at once can't show an effect of gating. The pilot asks once,
without any gate, and selects the tasks in between; the selection is frozen by hash before the run.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace

from verulaw_gate.experiment.model import Budgets
from verulaw_gate.experiment.plan import Experiment
from verulaw_gate.experiment.selection import FirstTry
from verulaw_gate.record.events import (
    Arm,
    ArmKind,
    EpisodeClosed,
    EpisodeResult,
    Purpose,
    VerificationDone,
)
from verulaw_gate.record.store import Store
from verulaw_gate.verus.model import Outcome

LOW, HIGH = 0.2, 0.7
PILOT_ARM = Arm(name="pilot", kind=ArmKind.OFF)
_DECIDED = frozenset(
    {Outcome.VERIFIED, Outcome.PROOF_FAILURE, Outcome.RLIMIT, Outcome.COMPILE_ERROR}
)


def pilot_of(experiment: Experiment, samples: int) -> Experiment:
    """The experiment as a pilot: one arm without a gate, one generation, so many samples."""
    digest = hashlib.sha256(json.dumps([experiment.sha256, "pilot", samples]).encode()).hexdigest()
    return replace(
        experiment,
        name=f"{experiment.name}-pilot",
        sha256=digest,
        samples=samples,
        arms=(PILOT_ARM,),
        budgets=Budgets(generations=1),
        plan={},
    )


def _says(event: VerificationDone) -> bool:
    measured = event.purpose is Purpose.MEASURE
    return measured and event.outcome in _DECIDED and not event.unstable


def first_tries(store: Store, run: str) -> Mapping[str, FirstTry]:
    """First-try counts of a pilot's run by task. An episode is scored when Verus's verdict on its
    one answer is known (a timeout, a crash or tries that differ are none) and, where it verified,
    the judge could say; others are left out."""
    ended: dict[tuple[str, int], EpisodeResult] = {}
    decided: set[tuple[str, int]] = set()
    for stored in store.events(run, arm=PILOT_ARM.name):
        event, place = stored.event, (stored.key.task, stored.key.sample)
        if isinstance(event, EpisodeClosed):
            ended[place] = event.result
        elif isinstance(event, VerificationDone) and _says(event):
            decided.add(place)
    counts: dict[str, list[int]] = {}
    for (task, sample), result in ended.items():
        seen = counts.setdefault(task, [0, 0])
        judged = result in (EpisodeResult.HONEST_SUCCESS, EpisodeResult.CHEAT)
        if judged or (result is EpisodeResult.CENSORED and (task, sample) in decided):
            seen[1] += 1
            seen[0] += result is EpisodeResult.HONEST_SUCCESS
    return {task: FirstTry(task, *seen) for task, seen in sorted(counts.items())}
