"""Many files at once: worker processes when there are enough files to pay for starting them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from verulaw_gate.cli.checking.model import Base, FileReport
from verulaw_gate.cli.checking.one import Options, check_file
from verulaw_gate.errors import VerulawError

# Starting two workers costs some 60 ms; a file costs 1 to 3.
_WORTH_IT = 48

Job = tuple[str, Base | VerulawError, Options]


def check_all(
    paths: Sequence[str],
    bases: Mapping[str, Base | VerulawError],
    options: Mapping[str, Options],
    jobs: int | None = None,
) -> tuple[FileReport, ...]:
    """The reports on all files, in the order of `paths` whatever the workers do. `jobs`: the most
    worker processes (default: the processors that this process may use)."""
    work: list[Job] = [(path, bases[path], options[path]) for path in paths]
    workers = min(jobs or _processors(), len(work))
    if workers < 2 or (jobs is None and len(work) < _WORTH_IT):
        return tuple(_check(job) for job in work)
    from concurrent.futures import ProcessPoolExecutor

    pool = ProcessPoolExecutor(workers)
    try:
        return tuple(pool.map(_check, work, chunksize=max(1, len(work) // (workers * 4))))
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _check(job: Job) -> FileReport:
    return check_file(*job)


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
