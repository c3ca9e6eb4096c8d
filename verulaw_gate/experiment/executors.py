"""Where episodes run: threads of this process, worker processes, or a Dask cluster.

A worker that dies (killed, out of memory) costs the generation that it was at, nothing stored:
its episodes are given to others. An episode whose worker dies `MAX_DEATHS` times is an error.
"""

from __future__ import annotations

import multiprocessing
from collections import Counter, deque
from collections.abc import Callable, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from typing import Any

from verulaw_gate.errors import ToolError, UsageError
from verulaw_gate.experiment.worker import Unit, run_unit, stop

MAX_DEATHS = 4
Done = Callable[[Unit], None]


def run_all(units: Sequence[Unit], executor: str, workers: int, done: Done) -> None:
    """Run units in order of their places, as many at a time as there are workers.

    `executor`: `threads`, `processes` or `dask://HOST:PORT` (then the cluster has its own number
    of workers). `done` is called in this thread after each unit. The first error stops the rest
    and is raised. Raises UsageError for an executor that is none of these.
    """
    check_executor(executor, workers)
    if executor == "threads":
        _pooled(units, lambda: ThreadPoolExecutor(workers), workers, done)
    elif executor == "processes":
        # Spawned, not forked: threads and database connections do not survive a fork.
        context = multiprocessing.get_context("spawn")
        _pooled(units, lambda: ProcessPoolExecutor(workers, mp_context=context), workers, done)
    else:
        _dask(units, executor, done)


def check_executor(executor: str, workers: int) -> None:
    """Raise UsageError for an executor that is none, or too few workers."""
    if workers < 1:
        raise UsageError("--workers: at least 1", hint="how many episodes at once")
    if executor not in ("threads", "processes") and not executor.startswith("dask://"):
        raise UsageError(
            f"'{executor}' is no executor", hint="threads, processes or dask://HOST:PORT"
        )


def _pooled(units: Sequence[Unit], make: Callable[[], Executor], workers: int, done: Done) -> None:
    left = deque(units)
    deaths: Counter[tuple[str, str, int]] = Counter()
    while left:
        pool = make()
        running: dict[Future[Any], Unit] = {}
        try:
            _drain(pool, left, running, workers, done)
        except BrokenExecutor:
            # Nobody says which unit killed it: each that was running counts one death.
            for unit in running.values():
                deaths[_place(unit)] += 1
            _give_up(deaths)
            left.extendleft(reversed(list(running.values())))
        except BaseException:
            # An error or Ctrl-C: threads finish the generation that they are at, and no more.
            stop()
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _drain(
    pool: Executor,
    left: deque[Unit],
    running: dict[Future[Any], Unit],
    workers: int,
    done: Done,
) -> None:
    while left or running:
        while left and len(running) < workers:
            unit = left.popleft()
            running[_submit(pool, unit, left)] = unit
        finished, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in finished:
            unit = running[future]
            future.result()
            del running[future]
            done(unit)


def _submit(pool: Executor, unit: Unit, left: deque[Unit]) -> Future[Any]:
    try:
        return pool.submit(run_unit, unit)
    except BrokenExecutor:
        left.appendleft(unit)
        raise


def _dask(units: Sequence[Unit], address: str, done: Done) -> None:
    try:
        import distributed
        from distributed.scheduler import KilledWorker
    except ModuleNotFoundError:
        raise UsageError(
            "the Dask executor needs dask.distributed", hint="pip install 'verulaw-gate[dask]'"
        ) from None
    dask: Any = distributed  # its functions have no types
    target = "tcp://" + address.removeprefix("dask://")
    try:
        client = dask.Client(target, timeout=20, set_as_default=False)
    except (OSError, TimeoutError) as problem:
        raise ToolError(
            f"no Dask scheduler at {target}: {problem}", hint="is it running, and the port right?"
        ) from None
    with client:
        futures = {
            client.submit(run_unit, unit, pure=False, priority=-at, retries=0): unit
            for at, unit in enumerate(units)
        }
        try:
            for future in dask.as_completed(list(futures), loop=client.loop):
                _result(future, KilledWorker)
                done(futures[future])
        finally:
            client.cancel(list(futures))


def _result(future: Any, killed: type[Exception]) -> None:
    try:
        future.result()
    except killed as problem:
        raise ToolError(
            f"Dask gave an episode up after its workers died: {problem}",
            hint="see the workers' logs (memory?); run again to go on",
        ) from None


def _give_up(deaths: Counter[tuple[str, str, int]]) -> None:
    for (task, arm, sample), times in deaths.items():
        if times >= MAX_DEATHS:
            raise ToolError(
                f"worker processes died {times} times at {task}, arm {arm}, sample {sample}",
                hint="memory? what was stored is kept; run again to go on",
            )


def _place(unit: Unit) -> tuple[str, str, int]:
    return (unit.spec.task.id, unit.spec.arm.name, unit.spec.sample)
