"""The runner from asyncio and from worker processes."""

from __future__ import annotations

import asyncio
import concurrent.futures
import multiprocessing
import os
import signal
import time

import anyio
import pytest

from tests.verus.conftest import assert_nothing_left, candidate, standin
from verulaw_gate.errors import VerusNotFound
from verulaw_gate.verus import workdir
from verulaw_gate.verus.asynchronous import averify
from verulaw_gate.verus.model import Outcome
from verulaw_gate.verus.verifier import VerusVerifier

pytestmark = pytest.mark.usefixtures("nothing_left")


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.mark.anyio
class TestAsync:
    async def test_results_at_once(self):
        outcomes = {}

        async def one(do):
            outcomes[do] = (await averify(standin(), candidate(do))).outcome

        async with anyio.create_task_group() as group:
            for do in ("verified", "proof_failure", "compile_error"):
                group.start_soon(one, do)
        assert outcomes == {
            "verified": Outcome.VERIFIED,
            "proof_failure": Outcome.PROOF_FAILURE,
            "compile_error": Outcome.COMPILE_ERROR,
        }

    async def test_the_loop_goes_on_meanwhile(self):
        ticks = 0

        async def tick():
            nonlocal ticks
            while True:
                ticks += 1
                await anyio.sleep(0.01)

        async with anyio.create_task_group() as group:
            group.start_soon(tick)
            await averify(standin(), candidate("exits_late", seconds=0.3))
            group.cancel_scope.cancel()
        assert ticks > 5

    async def test_cancelling_the_task_ends_the_tree_first(self):
        with anyio.move_on_after(0.3) as scope:
            await averify(standin(), candidate("forks", children=["daemon"], hang=True))
        assert scope.cancelled_caught
        assert_nothing_left(wait_s=1)

    async def test_errors_come_as_they_are(self, tmp_path):
        with pytest.raises(VerusNotFound):
            await averify(VerusVerifier(tmp_path / "none"), "x")


def test_asyncio_timeout_ends_the_tree():
    async def main():
        async with asyncio.timeout(0.3):
            await averify(standin(), candidate("hangs"))

    with pytest.raises(TimeoutError):
        asyncio.run(main())
    assert_nothing_left(wait_s=1)


def _verify(source):
    return standin().verify(source).outcome, workdir.run_name()


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_worker_processes_have_their_own_supervisors(method):
    assert standin().verify(candidate()).outcome is Outcome.VERIFIED  # ours runs before the fork
    context = multiprocessing.get_context(method)
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        sources = [candidate("exits_late", seconds=0.2, number=n) for n in range(4)]
        results = list(pool.map(_verify, sources))
    assert {outcome for outcome, _ in results} == {Outcome.VERIFIED}
    runs = {run for _, run in results}
    assert workdir.run_name() not in runs
    for run in runs:
        assert_nothing_left(run)


def test_a_forked_worker_that_is_killed_takes_its_tree_along():
    assert standin().verify(candidate()).outcome is Outcome.VERIFIED
    context = multiprocessing.get_context("fork")
    queue = context.Queue()

    def work():
        queue.put(workdir.run_name())
        standin().verify(candidate("forks", children=["session", "daemon"], hang=True))

    worker = context.Process(target=work)
    worker.start()
    run = queue.get(timeout=30)
    from tests.standins.harness import alive_processes

    deadline = time.monotonic() + 30
    while len(alive_processes(run)) < 3 and time.monotonic() < deadline:
        time.sleep(0.02)
    assert worker.pid is not None
    os.kill(worker.pid, signal.SIGKILL)
    worker.join()
    assert_nothing_left(run)
    assert standin().verify(candidate()).outcome is Outcome.VERIFIED
