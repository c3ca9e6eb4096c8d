"""Blocking calls beside an event loop, stopped when their task is cancelled."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import anyio
import anyio.to_thread

from verulaw_gate.verus import RECORDED_OPTIONS, Cancel, Verification, Verifier, VerusOptions

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Stoppable:
    """A verifier whose runs end when `cancel` is set, where the one inside can be stopped."""

    inner: Verifier
    cancel: Cancel

    def verify(
        self, source: str, options: VerusOptions = RECORDED_OPTIONS, *, target: str | None = None
    ) -> Verification:
        """As the verifier inside; raises RunCancelled once `cancel` is set."""
        verify: Callable[..., Verification] = self.inner.verify
        if "cancel" in inspect.signature(verify).parameters:
            return verify(source, options, target=target, cancel=self.cancel)
        return verify(source, options, target=target)


async def in_thread(call: Callable[[], T], cancel: Cancel) -> T:
    """`call()` in a worker thread. When the task is cancelled, `cancel` is set and the thread is
    waited for: nothing that it started outlives the task. Raises what the call raises."""
    results: list[T] = []
    errors: list[Exception] = []
    done = anyio.Event()

    async def work() -> None:
        with anyio.CancelScope(shield=True):
            try:
                results.append(await anyio.to_thread.run_sync(call))
            except Exception as problem:  # noqa: BLE001  raised again below, without a group
                errors.append(problem)
        done.set()

    async with anyio.create_task_group() as group:
        group.start_soon(work)
        try:
            await done.wait()
        finally:
            if not done.is_set():
                cancel.cancel()
    if errors:
        raise errors[0]
    return results[0]


async def verify(
    verifier: Verifier,
    source: str,
    options: VerusOptions = RECORDED_OPTIONS,
    *,
    target: str | None = None,
) -> Verification:
    """`verifier.verify` without blocking the event loop; a real run is ended when the task is
    cancelled. Raises what `verify` raises."""
    cancel = Cancel()
    stoppable = Stoppable(verifier, cancel)
    return await in_thread(lambda: stoppable.verify(source, options, target=target), cancel)
