"""The async twin of `verify`, for asyncio and trio through anyio."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from verulaw_gate.verus.cancel import Cancel
from verulaw_gate.verus.model import (
    RECORDED_OPTIONS,
    CancellableVerifier,
    Verification,
    VerusOptions,
)

T = TypeVar("T")


async def in_thread(call: Callable[[], T], cancel: Cancel) -> T:
    """`call()` in a worker thread. When the task is cancelled, `cancel` is set and the thread is
    waited for, then the cancellation goes on: nothing that it started outlives the task. Raises
    what the call raises."""
    import anyio
    import anyio.to_thread

    results: list[T] = []
    errors: list[Exception] = []
    done = anyio.Event()

    async def work() -> None:
        # Shielded: the thread must be waited for, and it ends soon once `cancel` is set.
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


async def averify(
    verifier: CancellableVerifier,
    source: str,
    options: VerusOptions = RECORDED_OPTIONS,
    *,
    target: str | None = None,
) -> Verification:
    """`verifier.verify` without blocking the event loop; when the task is cancelled, the process
    tree is ended first. Raises what `verify` raises."""
    cancel = Cancel()
    call = partial(verifier.verify, source, options, target=target, cancel=cancel)
    return await in_thread(call, cancel)
