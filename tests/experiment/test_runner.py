"""The runner: every episode once, in a seeded order, whoever is killed and whatever runs it."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import psutil
import pytest

sys.path.insert(0, str(Path(__file__).parent))
from standin_workshop import StandInWorkshop

from verulaw_gate.errors import ConfigError, StoreError, TaskError, ToolError, UsageError
from verulaw_gate.experiment.closing import close, spent
from verulaw_gate.experiment.plan import read_experiment
from verulaw_gate.experiment.runner import run_experiment
from verulaw_gate.experiment.schedule import schedule
from verulaw_gate.record import Store
from verulaw_gate.record.events import (
    ArmSettled,
    Budget,
    Disposition,
    EpisodeClosed,
    EpisodeResult,
    GenerationClosed,
    Judgement,
)

PLAN = """
name = "try"
seed = 11
samples = 3
tasks = ["t01-max-of-slice", "t02-linear-search", "t05-gauss-sum"]

[plan]
hypothesis = "the gate saves executions"
primary_endpoint = "executions"
baseline = "off"
arm = "on"
difference = -1.0
sd = 1.5

[budgets]
generations = 4

[[arms]]
name = "off"
kind = "off"

[[arms]]
name = "on"
kind = "on"

[[arms]]
name = "chance"
kind = "random"
matched_to = "on"
"""


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    path = tmp_path / "plan.toml"
    path.write_text(PLAN)
    return path


def content(url: str, run: str = "killed") -> list[tuple[object, ...]]:
    """Everything of the episodes, and what was settled; not the environment or the hour."""
    with Store(url, read_only=True) as store:
        rows = [
            # A restart in another git state has an event of its own before it.
            (k, s if k.task else 0, p)
            for k, s, p in store.payloads(run)
            if k.task or "arm-settled" in p
        ]
        return sorted(rows, key=str)


def quiet(plan: Path, folder: Path) -> list[tuple[object, ...]]:
    url = str(folder / "quiet.sqlite")
    run_experiment(read_experiment(plan), url, StandInWorkshop(0.0), run="killed", workers=2)
    return content(url)


def test_every_episode_once_and_ends_make_sense(plan: Path, tmp_path: Path) -> None:
    experiment = read_experiment(plan)
    url = str(tmp_path / "s.sqlite")
    done = run_experiment(experiment, url, StandInWorkshop(0.0), workers=3)
    assert (done.new, done.total) == (27, 27)
    with Store(url) as store:
        ends: dict[tuple, EpisodeClosed] = {}
        generations: dict[tuple, list] = {}
        for stored in store.events(done.run):
            place = (stored.key.task, stored.key.arm, stored.key.sample)
            if isinstance(stored.event, EpisodeClosed):
                ends[place] = stored.event
            elif stored.key.task:
                generations.setdefault(place, []).append((stored.key.generation, stored.event))
        assert len(ends) == 27
        for place, end in ends.items():
            numbers = [n for n, _ in generations[place]]
            assert sorted(set(numbers)) == list(range(1, end.generations + 1))
            judged = [e for _, e in generations[place] if isinstance(e, Judgement)]
            if end.result is EpisodeResult.CENSORED:
                assert (end.generations, end.censored_by) == (4, Budget.GENERATIONS)
                assert judged == []
            else:
                assert judged[-1].honest is (end.result is EpisodeResult.HONEST_SUCCESS)
            closed = [e.disposition for _, e in generations[place] if e.kind == "generation-closed"]
            assert end.executions == closed.count(Disposition.EXECUTED)
            assert end.compile_retries + end.proof_retries + bool(judged) == end.executions
            assert end.prompt_tokens == 10 * end.generations
            assert end.verus_seconds == (end.executions or None)
        assert {r.result for r in ends.values()} == set(EpisodeResult) - {EpisodeResult.UNJUDGED}
        assert store.run(done.run).closed.episodes == 27


def test_random_arm_copies_the_observed_rate(plan: Path, tmp_path: Path) -> None:
    url = str(tmp_path / "s.sqlite")
    run = run_experiment(read_experiment(plan), url, StandInWorkshop(0.0)).run
    with Store(url) as store:
        said = [s.event for s in store.events(run) if isinstance(s.event, ArmSettled)]
        closed = Counter(
            (s.key.arm, s.event.disposition)
            for s in store.events(run)
            if isinstance(s.event, GenerationClosed)
        )
    on = {d: n for (arm, d), n in closed.items() if arm == "on"}
    assert len(said) == 1
    assert said[0].rejected == on[Disposition.GATE_REJECTED] > 0
    assert said[0].generations == sum(on.values())
    assert closed["chance", Disposition.RANDOM_REJECTED] > 0


def test_order_is_seeded_and_mixes_arms_within_a_task(plan: Path) -> None:
    experiment = read_experiment(plan)
    order = [(s.task.id, s.arm.name, s.sample) for s in schedule(experiment, experiment.arms)]
    assert order == [
        (s.task.id, s.arm.name, s.sample) for s in schedule(experiment, experiment.arms)
    ]
    assert len(set(order)) == len(order) == 27
    assert [t for t, _, _ in order] == sorted(t for t, _, _ in order)
    mixed = [[a for t, a, _ in order if t == task.id] for task in experiment.tasks]
    assert all(arms != sorted(arms) for arms in mixed)
    assert len({tuple(arms) for arms in mixed}) > 1
    seeds = {s.seed for s in schedule(experiment, experiment.arms)}
    assert len(seeds) == 27


@pytest.mark.parametrize("executor", ["threads", "processes"])
def test_executors_give_the_same(plan: Path, tmp_path: Path, executor: str) -> None:
    url = str(tmp_path / "s.sqlite")
    run_experiment(
        read_experiment(plan), url, StandInWorkshop(0.0), run="killed", executor=executor, workers=2
    )
    assert content(url) == quiet(plan, tmp_path)


def start(plan: Path, database: Path | str, executor: str) -> subprocess.Popen[bytes]:
    script = Path(__file__).parent / "standin_workshop.py"
    command = [sys.executable, str(script), str(plan), str(database), executor, "2"]
    path = os.pathsep.join([str(script.parent), *sys.path])
    return subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path},
    )


def stored(database: Path) -> int:
    try:
        with Store(str(database), read_only=True) as store:
            return len(store.keys("killed"))
    except StoreError:
        return 0


def kill_somewhere(process: subprocess.Popen[bytes], rng: random.Random, executor: str) -> bool:
    """SIGKILL the runner or one of its worker processes; whether it was the runner."""
    if executor == "processes" and rng.random() < 0.5:
        try:
            children = [
                c
                for c in psutil.Process(process.pid).children(recursive=True)
                if "spawn_main" in " ".join(c.cmdline())
            ]
            if children:
                rng.choice(children).kill()
                return False
        except psutil.Error:
            pass
    process.send_signal(signal.SIGKILL)
    process.wait()
    return True


@pytest.mark.parametrize(
    ("executor", "seed"), [("threads", s) for s in range(9)] + [("processes", 0)]
)
def test_killed_anywhere_ends_the_same(
    plan: Path, tmp_path: Path, executor: str, seed: int
) -> None:
    """Three seeded kill points each: some 30 in all."""
    rng = random.Random(f"{executor}{seed}")
    database = tmp_path / "s.sqlite"
    kills = 0
    process = start(plan, database, executor)
    for point in sorted(rng.sample(range(60), 3)):
        while process.poll() is None and stored(database) < point:
            time.sleep(0.005)
        time.sleep(rng.random() * 0.01)
        if process.poll() is not None:
            break
        kills += 1
        if kill_somewhere(process, rng, executor):
            process = start(plan, database, executor)
    _, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors.decode()
    assert kills
    assert content(str(database)) == quiet(plan, tmp_path)
    with Store(str(database)) as store:
        assert store.run("killed").closed.episodes == 27


def test_two_runners_at_once_do_everything_once(plan: Path, tmp_path: Path) -> None:
    database = tmp_path / "s.sqlite"
    both = [start(plan, database, "threads") for _ in range(2)]
    for process in both:
        _, errors = process.communicate(timeout=300)
        assert process.returncode == 0, errors.decode()
    assert content(str(database)) == quiet(plan, tmp_path)


def test_an_interrupt_stops_after_the_current_generation(plan: Path, tmp_path: Path) -> None:
    database = tmp_path / "s.sqlite"
    process = start(plan, database, "threads")
    while stored(database) < 5:
        assert process.poll() is None
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode != 0
    assert b"KeyboardInterrupt" in errors
    with Store(str(database)) as store:
        assert store.run("killed").closed is None
    process = start(plan, database, "threads")
    process.communicate(timeout=300)
    assert content(str(database)) == quiet(plan, tmp_path)


def test_dask_with_a_dying_worker(plan: Path, tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="dask.distributed is not installed")
    url = str(tmp_path / "s.sqlite")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path])}
    ports = tmp_path / "scheduler.json"
    common = ["--scheduler-file", str(ports)]
    processes = [
        subprocess.Popen(
            [
                sys.executable,
                "-m",
                "distributed.cli.dask_scheduler",
                *common,
                "--host",
                "127.0.0.1",
                "--port",
                "0",
                "--no-dashboard",
            ],
            env=env,
            stderr=subprocess.DEVNULL,
        )
    ]
    try:
        for _ in range(300):
            if ports.exists() and ports.read_text():
                break
            time.sleep(0.1)
        for number in range(2):
            processes.append(
                subprocess.Popen(
                    [
                        sys.executable,
                        "-m",
                        "distributed.cli.dask_worker",
                        *common,
                        "--nthreads",
                        "1",
                        "--no-dashboard",
                        "--no-nanny",
                        "--local-directory",
                        str(tmp_path / f"w{number}"),
                    ],
                    env=env,
                    stderr=subprocess.DEVNULL,
                )
            )
        import json

        address = json.loads(ports.read_text())["address"].removeprefix("tcp://")
        ended = 0

        def progress(done: int, total: int) -> None:
            nonlocal ended
            ended += 1
            if ended == 5:
                processes[1].kill()

        done = run_experiment(
            read_experiment(plan),
            url,
            StandInWorkshop(0.02),
            run="killed",
            executor=f"dask://{address}",
            progress=progress,
        )
        assert (done.new, done.total) == (27, 27)
        assert processes[1].wait(timeout=30) != 0
    finally:
        for process in processes:
            process.kill()
            process.wait()
    assert content(url) == quiet(plan, tmp_path)


def test_an_error_of_a_tool_stops_the_run_and_keeps_what_is_done(
    plan: Path, tmp_path: Path
) -> None:
    class Failing(StandInWorkshop):
        def open(self):  # type: ignore[no-untyped-def]
            tools = super().open()
            calls = []
            inner = tools.stepper

            def step(*args):  # type: ignore[no-untyped-def]
                calls.append(1)
                if len(calls) > 6:
                    raise ToolError("Verus could not run", hint="see doctor")
                return inner(*args)

            return type(tools)(step, tools.verifier)

    url = str(tmp_path / "s.sqlite")
    experiment = read_experiment(plan)
    with pytest.raises(ToolError, match="could not run"):
        run_experiment(experiment, url, Failing(0.0, key="failing"), run="killed")
    with Store(url) as store:
        assert store.run("killed").closed is None
        assert sum(1 for k in store.keys("killed") if k[3]) == 6
    with pytest.raises(StoreError, match="another config"):
        run_experiment(experiment, url, StandInWorkshop(0.0), run="killed")
    with pytest.raises(UsageError, match="no executor"):
        run_experiment(experiment, url, StandInWorkshop(0.0), run="b", executor="cloud")


@pytest.mark.parametrize(
    ("old", "new", "sign"),
    [
        ("seed = 11", "seed = 11\nsede = 2", "did you mean 'seed'"),
        ("samples = 3", "samples = 0", "'samples'"),
        ('kind = "on"', 'kind = "onn"', "kinds: off, on"),
        ('name = "on"', 'name = "off"', "there twice"),
        ('matched_to = "on"', 'matched_to = "no"', "no arm 'no'"),
        ('matched_to = "on"', "", "random_rate or matched_to"),
        ('arm = "on"', 'arm = "onn"', "one of the arms"),
        ('arm = "on"', 'arm = "off"', "are the same"),
        ("sd = 1.5", "", "together"),
        ("generations = 4", "generations = -4", "positive"),
        ("generations = 4", "generation = 4", "did you mean 'generations'"),
        ('"t01-max-of-slice"', '"t99"', "no task 't99'"),
        ('"t01-max-of-slice"', '"t02"', "twice"),
        ("[plan]", "[plan", "not TOML"),
        ('hypothesis = "the gate saves executions"', "", "no hypothesis"),
        ('"executions"', '"joy"', "unknown primary_endpoint"),
        ('kind = "off"', 'kind = "off"\nearly_stop = true', "early_stop"),
        ('kind = "off"', 'kind = "off"\nextractor = "x"', "unknown extractor"),
    ],
)
def test_a_bad_plan_is_one_clear_error(plan: Path, old: str, new: str, sign: str) -> None:
    assert old in PLAN
    plan.write_text(PLAN.replace(old, new, 1))
    with pytest.raises((ConfigError, TaskError)) as told:
        read_experiment(plan)
    assert sign in f"{told.value.message} {told.value.hint}"
    assert told.value.hint


def test_totals_of_nothing_are_absent_not_zero() -> None:
    end = spent([])
    assert (end.generations, end.executions) == (0, 0)
    assert end.model_seconds is end.verus_seconds is end.cost_usd is end.prompt_tokens is None
    assert close([], Budget.TOKENS).censored_by is Budget.TOKENS


def test_the_documented_experiment_file_is_valid(tmp_path: Path) -> None:
    import re

    text = (Path(__file__).parents[2] / "docs" / "experiments.md").read_text()
    found = re.search(r"```toml\n(.*?)```", text, re.S)
    assert found is not None
    path = tmp_path / "doc.toml"
    path.write_text(found.group(1))
    experiment = read_experiment(path)
    assert (len(experiment.tasks), len(experiment.arms)) == (26, 3)
    from verulaw_gate.experiment.workshop import live_workshop

    assert live_workshop(experiment).settings().price is not None
