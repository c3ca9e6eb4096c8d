"""A progress line of a pool of Verus runs, on standard error, only when it is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verulaw_gate.verus.pool import PoolCounts


def counts_text(counts: PoolCounts) -> str:
    """running, done, cached and rejected, and what else there is."""
    parts = [
        f"{counts.running} running",
        f"{counts.done} done",
        f"{counts.cached} cached",
        f"{counts.rejected} rejected",
    ]
    if counts.failed:
        parts.append(f"{counts.failed} failed")
    if counts.cancelled:
        parts.append(f"{counts.cancelled} cancelled")
    return ", ".join(parts)


@contextmanager
def pool_progress(title: str, total: int) -> Iterator[Callable[[PoolCounts], None] | None]:
    """Yields what a pool tells its counts to, or None where nobody looks."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    text = TextColumn("{task.fields[counts]}")
    console = Console(stderr=True)
    with Progress(*columns, text, console=console, transient=True) as bars:
        bar = bars.add_task(title, total=total, counts="")

        def report(counts: PoolCounts) -> None:
            ended = counts.done + counts.failed + counts.cancelled + counts.rejected
            bars.update(bar, completed=ended, counts=counts_text(counts))

        yield report
