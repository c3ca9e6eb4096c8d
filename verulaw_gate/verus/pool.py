"""Many verifications at once, bounded, in fair order."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, replace
from itertools import pairwise
from types import TracebackType

from verulaw_gate.errors import UsageError
from verulaw_gate.verus.cancel import Cancel
from verulaw_gate.verus.keys import normal_args
from verulaw_gate.verus.model import (
    RECORDED_OPTIONS,
    CancellableVerifier,
    Verification,
    VerusOptions,
)


@dataclass(frozen=True, slots=True)
class PoolCounts:
    """A moment of a pool. `done` are requests with a result, `cached` those of them that ran
    nothing; `failed` ended in an error, `cancelled` did not run to an end; `rejected` are
    candidates that a gate kept away (`VerusPool.reject`)."""

    waiting: int = 0
    running: int = 0
    done: int = 0
    cached: int = 0
    failed: int = 0
    cancelled: int = 0
    rejected: int = 0


@dataclass(slots=True)
class _Job:
    future: Future[Verification]
    source: str
    options: VerusOptions
    target: str | None


def default_workers(verus_threads: int = 1) -> int:
    """Processor cores available to this process over the threads of one Verus, at least 1."""
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:
        cores = os.cpu_count() or 1
    return max(1, cores // max(1, verus_threads))


def verus_threads(options: VerusOptions) -> int:
    """The threads of one Verus under these options (`--num-threads`; one where it is not given,
    as Verus proves the functions of one module one after the other)."""
    args = normal_args(options.args)
    for flag, value in pairwise(args):
        if flag == "--num-threads" and value.isdigit():
            return max(1, int(value))
    return 1


class VerusPool:
    """At most `workers` verifications at once; groups (a task, a run) take turns, so that one
    with many requests does not keep the others waiting, and within a group the order is kept.

    `progress` is called with the counts after every change, one call at a time. As a context
    manager it waits for all requests; on an exception it cancels them. What was cancelled has no
    result and is recorded nowhere, so the run can be resumed.
    """

    def __init__(
        self,
        verifier: CancellableVerifier,
        *,
        workers: int | None = None,
        progress: Callable[[PoolCounts], None] | None = None,
    ) -> None:
        self.workers = default_workers() if workers is None else workers
        if self.workers < 1:
            raise UsageError("a pool has at least one worker", hint="--jobs 1 or more")
        self._verifier = verifier
        self._progress = progress
        self._cancel = Cancel()
        self._changed = threading.Condition()
        self._telling = threading.Lock()
        self._groups: OrderedDict[str, deque[_Job]] = OrderedDict()
        self._threads: list[threading.Thread] = []
        self._counts = PoolCounts()
        self._closed = False

    @property
    def counts(self) -> PoolCounts:
        """The counts of this moment."""
        with self._changed:
            return self._counts

    def submit(
        self,
        source: str,
        options: VerusOptions = RECORDED_OPTIONS,
        *,
        target: str | None = None,
        group: str = "",
    ) -> Future[Verification]:
        """Ask for a result. The future raises RunCancelled or what the verifier raised.

        Raises UsageError after `close` or `cancel`.
        """
        future: Future[Verification] = Future()
        with self._changed:
            if self._closed:
                raise UsageError("the pool is closed", hint="make another one")
            self._groups.setdefault(group, deque()).append(_Job(future, source, options, target))
            self._add(waiting=1)
            if len(self._threads) < self.workers and not self._idle():
                thread = threading.Thread(target=self._work, name="verus-pool", daemon=True)
                self._threads.append(thread)
                thread.start()
            self._changed.notify()
        self._tell()
        return future

    def reject(self) -> None:
        """Count a candidate that a gate rejected."""
        with self._changed:
            self._add(rejected=1)
        self._tell()

    def cancel(self) -> None:
        """Cancel what waits and stop what runs. Returns at once; `close` waits."""
        with self._changed:
            self._closed = True
            waiting = [job for queue in self._groups.values() for job in queue]
            self._groups.clear()
            self._add(waiting=-len(waiting), cancelled=len(waiting))
            self._changed.notify_all()
        self._cancel.cancel()
        for job in waiting:
            job.future.cancel()
        self._tell()

    def close(self) -> None:
        """Take no more requests and wait for those there are."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def __enter__(self) -> VerusPool:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is not None:
            self.cancel()
        self.close()

    def _idle(self) -> bool:
        """Whether a started worker is free for every request that waits."""
        return len(self._threads) - self._counts.running >= self._counts.waiting

    def _next(self) -> _Job | None:
        """The next request, of the group whose turn it is; None when there will be none."""
        with self._changed:
            while not self._groups:
                if self._closed:
                    return None
                self._changed.wait()
            name, queue = self._groups.popitem(last=False)
            job = queue.popleft()
            if queue:
                self._groups[name] = queue
            self._add(waiting=-1, running=1)
            return job

    def _work(self) -> None:
        while (job := self._next()) is not None:
            self._tell()
            if not job.future.set_running_or_notify_cancel():
                with self._changed:
                    self._add(running=-1, cancelled=1)
                continue
            self._one(job)
            self._tell()

    def _one(self, job: _Job) -> None:
        from verulaw_gate.verus.process import RunCancelled

        try:
            result = self._verifier.verify(
                job.source, job.options, target=job.target, cancel=self._cancel
            )
        except BaseException as problem:  # noqa: BLE001  whoever waits for the future sees it
            stopped = isinstance(problem, RunCancelled)
            with self._changed:
                self._add(running=-1, cancelled=int(stopped), failed=int(not stopped))
            job.future.set_exception(problem)
            return
        with self._changed:
            self._add(running=-1, done=1, cached=int(result.origin != "verus"))
        job.future.set_result(result)

    def _add(self, **changes: int) -> None:
        counts = self._counts
        self._counts = replace(
            counts, **{name: getattr(counts, name) + by for name, by in changes.items()}
        )

    def _tell(self) -> None:
        if self._progress is not None:
            with self._telling:
                self._progress(self.counts)
