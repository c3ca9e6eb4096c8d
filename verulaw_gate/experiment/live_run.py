"""A live run outside of an experiment file: some tasks, one arm, so many samples."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from anyio.from_thread import start_blocking_portal

from verulaw_gate.agent.model import Client
from verulaw_gate.agent.threads import Stoppable
from verulaw_gate.errors import StoreError, UsageError
from verulaw_gate.experiment.episode import Tools, run_episode
from verulaw_gate.experiment.live import LiveSettings, LiveStepper, Note
from verulaw_gate.experiment.model import Budgets, EpisodeSpec
from verulaw_gate.experiment.plan import tasks_sha256
from verulaw_gate.experiment.replay import protocol_sha256, sha256_json
from verulaw_gate.experiment.schedule import episode_seed
from verulaw_gate.gate import Gate
from verulaw_gate.record.convert import layer_rows
from verulaw_gate.record.environment import environment
from verulaw_gate.record.events import Arm, Corpus, EpisodeClosed, RunClosed, RunStarted
from verulaw_gate.record.store import Store
from verulaw_gate.tasks.model import Task
from verulaw_gate.verus.cancel import Cancel
from verulaw_gate.verus.model import Verifier


@dataclass(frozen=True, slots=True)
class LivePlan:
    """What a live run is. `config` is what is stored with it and what a resumed run has to have
    in common; it holds no key. `model` names the model for the record."""

    tasks: tuple[Task, ...]
    arm: Arm
    budgets: Budgets
    settings: LiveSettings
    samples: int = 1
    seed: int = 0
    model: str = ""
    config: dict[str, Any] = field(default_factory=dict)
    verus_version: str | None = None

    @property
    def sha256(self) -> str:
        """Equal for plans that ask the same."""
        return sha256_json([self.config, tasks_sha256(self.tasks), self.arm.model_dump()])

    def specs(self) -> list[EpisodeSpec]:
        """The episodes, sample by sample."""
        return [
            EpisodeSpec(
                task,
                self.arm,
                sample,
                episode_seed(self.seed, task.id, self.arm.name, sample),
                self.budgets,
            )
            for sample in range(self.samples)
            for task in self.tasks
        ]


def name_for(store: Store, plan: LivePlan, wanted: str | None, *, resume: bool) -> str:
    """The run's name. Without `resume` it has to be a new one: a name made of the plan gets the
    first free number. With it, the wanted one, or the last run of this plan.

    Raises StoreError when there is nothing to resume, or a wanted new name is taken; UsageError
    for an empty name.
    """
    if wanted is not None and not wanted.strip():
        raise UsageError("--run: a run needs a name", hint="leave --run out for a new one")
    taken = [info.name for info in store.runs()]
    stem = f"live-{plan.arm.name}-{plan.sha256[:8]}"
    if resume:
        mine = [name for name in taken if name == wanted or (wanted is None and stem in name)]
        if not mine:
            raise StoreError(
                f"no run {wanted or 'of this plan'} to resume",
                hint="the same tasks, arm and settings are needed; or leave --resume out",
                path=store.url,
            )
        return mine[-1]
    if wanted is not None:
        if wanted in taken:
            raise StoreError(f"run '{wanted}' is there already", hint="--resume", path=store.url)
        return wanted
    number = 1
    while f"{stem}-{number}" in taken:
        number += 1
    return f"{stem}-{number}"


def run_live(
    store: Store,
    name: str,
    plan: LivePlan,
    client: Client,
    verifier: Verifier,
    *,
    jobs: int = 1,
    watch: Callable[[Note], None] = lambda note: None,
) -> tuple[EpisodeClosed, ...]:
    """Run what is not stored yet, close the run, and return the ends of all episodes in order.

    At most `jobs` episodes at once. The first error stops the rest: the model's stream is closed
    and Verus is ended before it is raised. What was stored stays, and the run can be resumed.
    """
    if jobs < 1:
        raise UsageError("--jobs: at least 1", hint="how many episodes at once")
    store.start_run(name, started(plan))
    specs = plan.specs()
    ends: dict[int, EpisodeClosed] = {}
    with start_blocking_portal() as portal:
        stepper = LiveStepper(client, verifier, plan.settings, portal=portal, watch=watch)
        # The frozen judge asks from a thread of its own, which no portal can stop.
        cancel = Cancel()
        tools = Tools(stepper, Stoppable(verifier, cancel))
        pool = ThreadPoolExecutor(jobs)
        try:
            left = list(enumerate(specs))
            running: dict[Future[EpisodeClosed], int] = {}
            while left or running:
                while left and len(running) < jobs:
                    number, spec = left.pop(0)
                    running[pool.submit(run_episode, store, name, spec, tools)] = number
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in sorted(done, key=running.__getitem__):
                    number = running.pop(future)
                    ends[number] = future.result()
            portal.call(client.aclose)
        except BaseException:
            # Streams and Verus runs end first; only then the threads that wait for them.
            cancel.cancel()
            portal.call(portal.stop, True)
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
    keys = store.keys(name)
    store.close_run(
        name,
        RunClosed(
            episodes=sum(1 for key in keys if key[3] == 0),
            generations=sum(1 for key in keys if key[3]),
        ),
    )
    return tuple(ends[number] for number in range(len(specs)))


def started(plan: LivePlan) -> RunStarted:
    """The first event of the run."""
    protocol = plan.settings.protocol
    return RunStarted(
        corpus=Corpus.LIVE,
        corpus_name=" ".join(task.id for task in plan.tasks)[:200],
        corpus_sha256=tasks_sha256(plan.tasks),
        arms=(plan.arm,),
        config=plan.config,
        config_sha256=plan.sha256,
        protocol=protocol.name,
        protocol_sha256=protocol_sha256(protocol),
        extractors=(plan.arm.extractor,),
        options=plan.settings.options.args,
        verus_version=plan.verus_version,
        layers=layer_rows(Gate(None, config=plan.settings.config).check_source("")),
        environment=environment(verus_version=plan.verus_version, model=plan.model),
        started_at=datetime.now(UTC).isoformat(timespec="seconds"),
    )
