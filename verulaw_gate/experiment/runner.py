"""Run an experiment: every task under every arm, so many samples, each episode once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from verulaw_gate.experiment.executors import check_executor, run_all
from verulaw_gate.experiment.model import EpisodeSpec
from verulaw_gate.experiment.plan import Experiment
from verulaw_gate.experiment.replay import protocol_sha256, sha256_json
from verulaw_gate.experiment.schedule import phases, schedule, settled
from verulaw_gate.experiment.worker import Unit, Workshop, forget
from verulaw_gate.protocol import load_protocol
from verulaw_gate.record.environment import environment
from verulaw_gate.record.events import (
    Arm,
    ArmSettled,
    Corpus,
    Disposition,
    GenerationClosed,
    LayerRow,
    RunClosed,
    RunStarted,
)
from verulaw_gate.record.loop_events import UNFINISHED
from verulaw_gate.record.store import Store
from verulaw_gate.verus.model import RECORDED_OPTIONS

Progress = Callable[[int, int], None]
_REJECTED = frozenset({Disposition.PROTOCOL_REJECTED, Disposition.GATE_REJECTED})


@dataclass(frozen=True, slots=True)
class Ran:
    """What a call of `run_experiment` did: episodes that it ended, of how many in the run."""

    run: str
    new: int
    total: int


def run_experiment(
    experiment: Experiment,
    store_url: str,
    workshop: Workshop,
    *,
    run: str | None = None,
    executor: str = "threads",
    workers: int = 1,
    verus_version: str | None = None,
    model: str | None = None,
    progress: Progress | None = None,
) -> Ran:
    """Run what is not stored yet and close the run.

    Arms that copy another arm's rejection rate follow when that arm is done. A run that was
    killed goes on where it was; with the store on a server, several machines may run it at once.
    Raises StoreError when a run of that name has another experiment file or other tasks.
    """
    check_executor(executor, workers)  # before anything is stored
    name = run or f"{experiment.name}-{experiment.sha256[:8]}"
    first, copying = phases(experiment.arms)
    ended = _Ended(store_url, name, experiment.episodes, progress)
    try:
        with Store(store_url) as store:
            store.start_run(name, _started(experiment, workshop, verus_version, model))
            ended.count = sum(1 for key in store.keys(name) if key[3] == 0)
            _run_arms(store, name, experiment, workshop, first, executor, workers, ended)
            if copying:
                ready = [_settle(store, name, arm) for arm in copying]
                _run_arms(store, name, experiment, workshop, ready, executor, workers, ended)
            _close(store, name)
    finally:
        forget()
    return Ran(name, ended.new, experiment.episodes)


def _close(store: Store, run: str) -> None:
    keys = store.keys(run)
    episodes = sum(1 for key in keys if key[3] == 0)
    store.close_run(run, RunClosed(episodes=episodes, generations=len(keys) - episodes))


class _Ended:
    def __init__(self, url: str, run: str, total: int, progress: Progress | None) -> None:
        self.url, self.run, self.total, self.progress = url, run, total, progress
        self.count = self.new = 0

    def __call__(self, unit: Unit) -> None:
        self.count += 1
        self.new += 1
        if self.progress is not None:
            self.progress(self.count, self.total)


def _run_arms(
    store: Store,
    run: str,
    experiment: Experiment,
    workshop: Workshop,
    arms: Sequence[Arm],
    executor: str,
    workers: int,
    ended: _Ended,
) -> None:
    done = {(task, arm, sample) for task, arm, sample, n in store.keys(run) if n == 0}
    left = [s for s in schedule(experiment, arms) if _place(s) not in done]
    units = [Unit(store.url, run, spec, workshop) for spec in left]
    run_all(units, executor, workers, ended)


def _place(spec: EpisodeSpec) -> tuple[str, str, int]:
    return (spec.task.id, spec.arm.name, spec.sample)


def _settle(store: Store, run: str, arm: Arm) -> Arm:
    """The arm with the rejection rate that is stored of the arm it copies."""
    assert arm.matched_to is not None
    closed = [
        stored.event
        for stored in store.events(run, arm=arm.matched_to)
        if isinstance(stored.event, GenerationClosed) and stored.event.disposition not in UNFINISHED
    ]
    said = store.settle_arm(
        run,
        ArmSettled(
            arm=arm.name,
            matched_to=arm.matched_to,
            rejected=sum(event.disposition in _REJECTED for event in closed),
            generations=len(closed),
        ),
    )
    return settled(arm, said.rate)


def _started(
    experiment: Experiment, workshop: Workshop, verus_version: str | None, model: str | None
) -> RunStarted:
    from verulaw_gate.gate import Gate
    from verulaw_gate.record.convert import layer_rows

    protocol = load_protocol(experiment.protocol)
    layers: tuple[LayerRow, ...] = layer_rows(Gate(None).check_source(""))
    return RunStarted(
        corpus=Corpus.LIVE,
        corpus_name=experiment.name,
        corpus_sha256=experiment.tasks_sha256,
        arms=experiment.arms,
        config=experiment.as_config(),
        config_sha256=sha256_json([experiment.sha256, workshop.key]),
        protocol=protocol.name,
        protocol_sha256=protocol_sha256(protocol),
        extractors=tuple(dict.fromkeys(arm.extractor for arm in experiment.arms)),
        options=RECORDED_OPTIONS.args,
        verus_version=experiment.verus_version or verus_version,
        layers=layers,
        environment=environment(verus_version=verus_version, model=model),
        plan_sha256=experiment.sha256 if experiment.plan else None,
        started_at=datetime.now(UTC).isoformat(timespec="seconds"),
        notes=(),
    )
