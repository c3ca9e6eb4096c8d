"""Blocking calls beside an event loop, stopped when their task is cancelled."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass

from verulaw_gate.verus import RECORDED_OPTIONS, Cancel, Verification, Verifier, VerusOptions
from verulaw_gate.verus.asynchronous import in_thread

__all__ = ["Stoppable", "in_thread", "verify"]


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
