"""Async twins of the public calls, for asyncio and trio through anyio.

For an LLM loop that exists already: `async for step in gate.watch(stream)` while the model speaks,
`await gate.check(text)` when it is done, `await Verifier(inner).verify(source)` for what passes.
Work of more than a moment runs in worker threads; the event loop is not blocked.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import anyio.to_thread

from verulaw_gate import monitor, tasks
from verulaw_gate.agent.model import Chunk
from verulaw_gate.agent.threads import verify as _verify
from verulaw_gate.config import DEFAULTS, Config
from verulaw_gate.errors import UsageError
from verulaw_gate.gate import Gate as SyncGate
from verulaw_gate.gate import GateResult
from verulaw_gate.monitor import (
    ContentChecker,
    Correction,
    CorrectionMode,
    Monitor,
    Step,
    Verdict,
    default_prompt,
)
from verulaw_gate.monitor.trace import since
from verulaw_gate.protocol import Protocol
from verulaw_gate.tasks import Assembly, Task
from verulaw_gate.verus import RECORDED_OPTIONS, Verification, VerusOptions
from verulaw_gate.verus import Verifier as SyncVerifier

if TYPE_CHECKING:
    from verulaw_gate.experiment.corpora import DesignedCorpus, RecordedCorpus
    from verulaw_gate.experiment.replay import Replayed, ReplaySettings
    from verulaw_gate.record import Store
    from verulaw_gate.report import Report


class Watch:
    """The steps of one model turn, one by one, while the text streams in.

    Iterate over it once. The stream is closed at the first rejection (a protocol violation or a
    certain finding of the gate); what it sent after that is dropped. `verdict`, `text` and
    `correction` are about what was read, at any time.
    """

    def __init__(self, stream: AsyncIterable[str | Chunk], watcher: Monitor) -> None:
        self._stream = stream
        self._monitor = watcher
        self._origin = watcher.position
        self._parts: list[str] = []
        self._begun = False

    def __aiter__(self) -> AsyncIterator[Step]:
        if self._begun:
            raise UsageError("a stream can be watched once", hint="make a new watch")
        self._begun = True
        return self._steps()

    async def _steps(self) -> AsyncGenerator[Step, None]:
        told = len(self._monitor.steps)
        try:
            async for chunk in self._stream:
                text = chunk if isinstance(chunk, str) else chunk.said
                self._parts.append(text)
                self._monitor.feed(text)
                while told < len(self._monitor.steps):
                    yield self._local(told)
                    told += 1
                if self._monitor.rejected or self._monitor.requested is not None:
                    break
        finally:
            close = getattr(self._stream, "aclose", None)
            if close is not None:
                await close()
        if self._monitor.requested is None:
            self._monitor.finish()
        while told < len(self._monitor.steps):
            yield self._local(told)
            told += 1

    def _local(self, number: int) -> Step:
        """A step with places that count from the start of the model's text."""
        verdict = since(self._monitor.verdict(), self._origin)
        before = len(self._monitor.steps) - len(verdict.steps)
        return verdict.steps[number - before]

    @property
    def text(self) -> str:
        """Everything that was read."""
        return "".join(self._parts)

    @property
    def verdict(self) -> Verdict:
        """The monitor's verdict so far; places count from the start of the model's text."""
        return since(self._monitor.verdict(), self._origin)

    @property
    def requested(self) -> str | None:
        """The environment state that the model asked for, where it did."""
        return self._monitor.requested

    def correction(self, mode: CorrectionMode = CorrectionMode.PREFIX) -> Correction | None:
        """How to go on after a rejection; None when there was none."""
        return self._monitor.correction(mode)


class Gate:
    """The async twin of `verulaw_gate.Gate`, with the same arguments or around one."""

    def __init__(
        self,
        base: Task | str | SyncGate | None = None,
        *,
        config: Config = DEFAULTS,
        repair: bool = False,
        protocol: Protocol | None = None,
        verus_version: str | None = None,
    ) -> None:
        self.inner = (
            base
            if isinstance(base, SyncGate)
            else SyncGate(
                base,
                config=config,
                repair=repair,
                protocol=protocol,
                verus_version=verus_version,
            )
        )

    async def check(self, text: str) -> GateResult:
        """The decision on a text; see `Gate.check`."""
        return await anyio.to_thread.run_sync(self.inner.check, text)

    async def check_source(self, source: str) -> GateResult:
        """The decision on a whole file; see `Gate.check_source`."""
        return await anyio.to_thread.run_sync(self.inner.check_source, source)

    async def check_assembly(self, assembly: Assembly) -> GateResult:
        """The decision on an extractor's file; see `Gate.check_assembly`."""
        return await anyio.to_thread.run_sync(self.inner.check_assembly, assembly)

    def watch(
        self,
        stream: AsyncIterable[str | Chunk],
        *,
        prompt: Sequence[tuple[str, str]] | None = None,
    ) -> Watch:
        """Watch a model's answer: `async for step in gate.watch(stream)`. `stream` gives pieces of
        text or a client's chunks; `prompt` is what the harness said before (default: what the
        protocol needs)."""
        watcher = Monitor(self.inner.protocol, [self.inner.content_checker()])
        watcher.begin(default_prompt(self.inner.protocol) if prompt is None else prompt)
        return Watch(stream, watcher)


class Verifier:
    """The async twin of a `verulaw_gate.Verifier`. A cancelled task ends its run of Verus."""

    def __init__(self, inner: SyncVerifier) -> None:
        self.inner = inner

    async def verify(
        self, source: str, options: VerusOptions = RECORDED_OPTIONS, *, target: str | None = None
    ) -> Verification:
        """The result for `source`. Raises what the verifier raises."""
        return await _verify(self.inner, source, options, target=target)


async def run_trace(
    protocol: Protocol,
    text: str,
    prompt: Sequence[tuple[str, str]] | None = None,
    checkers: Sequence[ContentChecker] = (),
) -> Verdict:
    """The verdict on one whole model turn; see `verulaw_gate.run_trace`."""
    return await anyio.to_thread.run_sync(
        partial(monitor.run_trace, protocol, text, prompt, checkers)
    )


async def load_task(id_or_path: str | Path) -> Task:
    """One task; see `verulaw_gate.load_task`."""
    return await anyio.to_thread.run_sync(tasks.load_task, id_or_path)


async def load_suite(directory: Path | str | None = None) -> tuple[Task, ...]:
    """All tasks of a folder; see `verulaw_gate.load_suite`."""
    return await anyio.to_thread.run_sync(tasks.load_suite, directory)


async def replay(
    store: Store,
    corpus: DesignedCorpus | RecordedCorpus,
    settings: ReplaySettings | None = None,
    *,
    run: str | None = None,
) -> Replayed:
    """Replay a corpus into a store; see `verulaw_gate.experiment.replay`."""
    from verulaw_gate.experiment.replay import replay as sync

    return await anyio.to_thread.run_sync(partial(sync, store, corpus, settings, run=run))


async def build_report(store: Store, run: str | Sequence[str]) -> Report:
    """The report of runs; see `verulaw_gate.report.build`."""
    from verulaw_gate.report import build

    return await anyio.to_thread.run_sync(build, store, run)
