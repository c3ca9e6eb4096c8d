"""At most so many Verus processes at once, whoever asks: threads, worker processes, other runs."""

from __future__ import annotations

import contextlib
import fcntl
import os
import threading
from collections import deque
from collections.abc import Iterator

from verulaw_gate.verus.cancel import Cancel
from verulaw_gate.verus.model import (
    RECORDED_OPTIONS,
    CancellableVerifier,
    Verification,
    VerusOptions,
)
from verulaw_gate.verus.pool import default_workers, verus_threads
from verulaw_gate.verus.process import RunCancelled
from verulaw_gate.verus.workdir import base_dir, placed

_POLL_S = 0.05  # how often the first in line looks for a slot that another process gave back


class _Line:
    """Who waits in this process, in order. Only the first looks for a slot."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.waiting: deque[object] = deque()


_line = _Line()


def _forked() -> None:
    global _line
    _line = _Line()


os.register_at_fork(after_in_child=_forked)


class BoundedVerifier:
    """A `Verifier` in front of another that runs at most `workers` at once on this machine
    (default: processor cores over the threads of one Verus), together with every other one of
    this user, in other processes too. In a process, who asked first runs first.

    An episode that waits for a model needs no core: so there may be many more episodes at once
    than this. The time in line is no part of a result's times. It may be pickled where its inner
    verifier may.
    """

    def __init__(self, inner: CancellableVerifier, workers: int | None = None) -> None:
        self.inner = inner
        self.workers = workers

    @property
    def version(self) -> str | None:
        """The version of the Verus inside, where it is known."""
        version: str | None = getattr(self.inner, "version", None)
        return version

    def verify(
        self,
        source: str,
        options: VerusOptions = RECORDED_OPTIONS,
        *,
        target: str | None = None,
        cancel: Cancel | None = None,
    ) -> Verification:
        """The inner verifier's result, in turn. Raises RunCancelled in line, too, ToolError when
        there is no place for the slots, and what the inner verifier raises."""
        workers = self.workers or default_workers(verus_threads(options))
        with slot(workers, cancel):
            return self.inner.verify(source, options, target=target, cancel=cancel)


@contextlib.contextmanager
def slot(count: int, cancel: Cancel | None = None) -> Iterator[None]:
    """Hold one of `count` slots. Slots are locked files: one whose holder dies is free."""
    held = _wait(count, cancel)
    try:
        yield
    finally:
        # Unlocked, not only closed: a child that was forked meanwhile has the file open, too.
        fcntl.flock(held, fcntl.LOCK_UN)
        os.close(held)
        with _line.changed:
            _line.changed.notify_all()


def _wait(count: int, cancel: Cancel | None) -> int:
    line, me = _line, object()
    with line.changed:
        line.waiting.append(me)
        try:
            while True:
                if cancel is not None and cancel.cancelled:
                    raise RunCancelled("cancelled while it waited for other Verus runs")
                if line.waiting[0] is me and (held := _free(count)) is not None:
                    return held
                line.changed.wait(_POLL_S)
        finally:
            line.waiting.remove(me)
            line.changed.notify_all()


def _free(count: int) -> int | None:
    """A slot's file descriptor, None where all are held."""
    with placed():
        folder = base_dir() / "slots"
        folder.mkdir(mode=0o700, exist_ok=True)
        for number in range(count):
            file = os.open(folder / str(number), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(file)
            except OSError:
                os.close(file)
                raise
            else:
                return file
    return None
