"""The pool: bounded, fair, countable, cancellable."""

from __future__ import annotations

import threading
import time

import pytest

from tests.verus.conftest import assert_nothing_left, candidate, standin
from verulaw_gate.errors import ToolError, UsageError
from verulaw_gate.verus.model import Outcome, Verification, VerusOptions
from verulaw_gate.verus.pool import PoolCounts, VerusPool, default_workers, verus_threads
from verulaw_gate.verus.process import RunCancelled


class Scripted:
    """A verifier of the test: notes the order, how many at once, and may be held up."""

    def __init__(self, origin="verus"):
        self.order, self.at_once, self.most = [], 0, 0
        self.lock, self.gate = threading.Lock(), threading.Event()
        self.gate.set()
        self.origin = origin

    def verify(self, source, options, *, target=None, cancel=None):
        with self.lock:
            self.at_once += 1
            self.most = max(self.most, self.at_once)
            self.order.append(source)
        while not self.gate.wait(0.01):
            if cancel.cancelled:
                with self.lock:
                    self.at_once -= 1
                raise RunCancelled("stopped")
        time.sleep(0.005)
        with self.lock:
            self.at_once -= 1
        if source == "error":
            raise ToolError("no")
        return Verification(Outcome.VERIFIED, True, source, options, origin=self.origin)


def test_every_request_has_its_own_result():
    with VerusPool(Scripted(), workers=3) as pool:
        futures = [pool.submit(str(n)) for n in range(40)]
    assert [f.result().source_sha256 for f in futures] == [str(n) for n in range(40)]
    assert pool.counts == PoolCounts(done=40)


def test_no_more_at_once_than_workers():
    verifier = Scripted()
    with VerusPool(verifier, workers=3) as pool:
        for n in range(30):
            pool.submit(str(n))
    assert 1 < verifier.most <= 3


def test_groups_take_turns_and_keep_their_order():
    verifier = Scripted()
    verifier.gate.clear()
    with VerusPool(verifier, workers=1) as pool:
        pool.submit("first", group="a")
        while not verifier.order:
            time.sleep(0.005)
        for n in range(4):
            pool.submit(f"a{n}", group="a")
        for name in "bc":
            for n in range(2):
                pool.submit(f"{name}{n}", group=name)
        verifier.gate.set()
    assert verifier.order == ["first", "a0", "b0", "c0", "a1", "b1", "c1", "a2", "a3"]


def test_counts_tell_executions_from_reuse_and_errors():
    with VerusPool(Scripted(origin="cache"), workers=2) as pool:
        pool.submit("x")
        failing = pool.submit("error")
        pool.reject()
    assert isinstance(failing.exception(), ToolError)
    assert pool.counts == PoolCounts(done=1, cached=1, failed=1, rejected=1)


def test_progress_is_told_one_at_a_time_and_adds_up():
    seen, busy = [], threading.Lock()

    def progress(counts):
        assert busy.acquire(blocking=False), "two calls at once"
        seen.append(counts)
        busy.release()

    with VerusPool(Scripted(), workers=4, progress=progress) as pool:
        for n in range(20):
            pool.submit(str(n))
    assert seen[-1] == PoolCounts(done=20)
    assert all(c.waiting >= 0 and 0 <= c.running <= 4 for c in seen)
    assert all(c.waiting + c.running + c.done <= 20 for c in seen)


def test_an_exception_cancels_what_waits_and_stops_what_runs():
    pool = VerusPool(standin(), workers=2)

    def interrupted():
        with pool:
            futures.extend(
                pool.submit(candidate("forks", children=["daemon"], hang=True, n=n))
                for n in range(5)
            )
            while pool.counts.running < 2:
                time.sleep(0.01)
            raise KeyboardInterrupt

    futures = []
    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert_nothing_left(wait_s=1)
    assert sum(f.cancelled() for f in futures) == 3
    stopped = [f for f in futures if not f.cancelled()]
    assert all(isinstance(f.exception(), RunCancelled) for f in stopped)
    assert pool.counts == PoolCounts(cancelled=5)


def test_a_future_that_was_cancelled_does_not_run():
    verifier = Scripted()
    verifier.gate.clear()
    with VerusPool(verifier, workers=1) as pool:
        pool.submit("first")
        while not verifier.order:
            time.sleep(0.005)
        second = pool.submit("second")
        assert second.cancel()
        verifier.gate.set()
    assert verifier.order == ["first"]
    assert pool.counts == PoolCounts(done=1, cancelled=1)


def test_a_closed_pool_says_so():
    pool = VerusPool(Scripted(), workers=1)
    pool.close()
    with pytest.raises(UsageError):
        pool.submit("x")
    with pytest.raises(UsageError):
        VerusPool(Scripted(), workers=0)


def test_workers_by_default_are_cores_over_threads_of_one_verus():
    assert default_workers() >= 1
    assert default_workers(10_000) == 1
    assert default_workers(1) >= default_workers(2)
    for args, threads in (
        ((), 1),
        (("--num-threads", "4"), 4),
        (("--num-threads=3", "--output-json"), 3),
        (("--num-threads", "x"), 1),
    ):
        assert verus_threads(VerusOptions(args)) == threads
