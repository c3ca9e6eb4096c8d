"""The async twin of `verify`, for asyncio and trio through anyio."""

from __future__ import annotations

from functools import partial

from verulaw_gate.verus.cancel import Cancel
from verulaw_gate.verus.model import (
    RECORDED_OPTIONS,
    CancellableVerifier,
    Verification,
    VerusOptions,
)


async def averify(
    verifier: CancellableVerifier,
    source: str,
    options: VerusOptions = RECORDED_OPTIONS,
    *,
    target: str | None = None,
) -> Verification:
    """`verifier.verify` without blocking the event loop.

    When the task is cancelled, the process tree is ended first, then the cancellation goes on:
    nothing of Verus outlives the task that asked. Raises what `verify` raises.
    """
    import anyio
    import anyio.to_thread

    cancel = Cancel()
    call = partial(verifier.verify, source, options, target=target, cancel=cancel)
    results: list[Verification] = []
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
            cancel.cancel()
    if errors:
        raise errors[0]
    return results[0]
