"""`verulaw-gate record`: run the real Verus over tasks, files or logs and write recordings."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from verulaw_gate.errors import UsageError, VerulawError

if TYPE_CHECKING:
    from verulaw_gate.cli.real_verifier import RealVerifier
    from verulaw_gate.verus.model import Verification, VerusOptions
    from verulaw_gate.verus.pool import VerusPool
    from verulaw_gate.verus.receipt import Receipt
    from verulaw_gate.verus.recording import Job

SUMMARY = """Run the real Verus and record what it says, in the format of the shipped recordings,
with the paths of this machine removed. WHAT is a task (id or folder), a Verus file (.rs) or an
attempt log (.jsonl). A recording that is there already is kept; one that was stopped goes on.

  verulaw-gate record t01-max-of-slice --into recordings
  verulaw-gate record proof.rs --into recordings
  verulaw-gate record attempts.jsonl --into recordings

Timeouts, crashes and tool errors say nothing of a source: they are told, not recorded (a log
keeps their outcome, as it keeps every attempt)."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command line of `record`."""
    from verulaw_gate.cli import real_verifier

    add = parser.add_argument
    add("what", nargs="*", metavar="WHAT", help="tasks, Verus files, attempt logs")
    add("--suite", action="store_true", help="every task of the suite")
    add("--tasks", type=Path, metavar="FOLDER", help="another folder of tasks")
    add("--into", type=Path, metavar="FOLDER", help="where recordings go (default for tasks: the"
        " task's own folder)")  # fmt: skip
    add("--protocol", default="proof", metavar="NAME|FILE", help="decides which traces are"
        " assembled strictly (default: proof)")  # fmt: skip
    add("--strict", action="store_true", help="also the verdict with --no-cheating of what"
        " verifies")  # fmt: skip
    add("--arg", action="append", default=[], metavar="ARG", help="one more argument for verus,"
        " as --arg=--rlimit --arg=20")  # fmt: skip
    add("--jobs", type=int, metavar="N", help="runs of Verus at once (default: processor cores over"
        " the threads of one)")  # fmt: skip
    add("--again", action="store_true", help="record even what is recorded already")
    add("--store", metavar="URL|FILE", help="the store whose cache is used")
    real_verifier.add_arguments(parser)


@dataclass(slots=True)
class _Tally:
    """What came of the jobs."""

    recorded: Counter[str] = field(default_factory=Counter)
    kept: int = 0
    without: list[str] = field(default_factory=list)
    receipts: list[Receipt] = field(default_factory=list)


def run(args: argparse.Namespace) -> int:
    """Record, and say what came of it. 1 when something has no result."""
    from verulaw_gate import config as settings
    from verulaw_gate.cli.checking.stores import store_url
    from verulaw_gate.cli.pool_progress import pool_progress
    from verulaw_gate.cli.real_verifier import real_verifier
    from verulaw_gate.verus.model import RECORDED_OPTIONS, VerusOptions
    from verulaw_gate.verus.pool import VerusPool, default_workers, verus_threads

    if not args.what and not args.suite:
        raise UsageError("nothing to record", hint="name tasks, files or logs, or give --suite")
    options = VerusOptions((*RECORDED_OPTIONS.args, *args.arg))
    logs = [Path(w) for w in args.what if w.endswith(".jsonl")]
    jobs = list(_jobs(args, options))
    _distinct(jobs, logs, args)
    config = settings.load()
    tally = _Tally()
    workers = default_workers(verus_threads(options)) if args.jobs is None else args.jobs
    with (
        real_verifier(args, config, store_url(args.store, config), workers=workers) as real,
        pool_progress("record", _total(jobs, logs)) as report,
        VerusPool(real.verifier, workers=workers, progress=report) as pool,
    ):
        _record_jobs(args, jobs, pool, real, tally)
        for log in logs:
            _record_log(args, log, options, pool, real, tally)
    _keep_receipts(tally, store_url(args.store, config))
    _print(tally, real)
    return 1 if tally.without else 0


def _keep_receipts(tally: _Tally, store: str | None) -> None:
    """What verified leaves receipts, for `check --require-verified`."""
    if tally.receipts:
        from verulaw_gate.record.calls import CallLog

        with CallLog(store) as log:
            log.add_receipts(tally.receipts)


def _jobs(args: argparse.Namespace, options: VerusOptions) -> Iterator[Job]:
    from verulaw_gate.protocol import load_protocol
    from verulaw_gate.tasks import load_suite, load_task
    from verulaw_gate.verus.recording import file_job, task_jobs

    tasks = list(load_suite(args.tasks)) if args.suite else []
    for what in args.what:
        if what.endswith(".jsonl"):
            continue
        if what.endswith(".rs"):
            yield file_job(Path(what), options, _into(args, what))
        elif args.tasks is not None and (args.tasks / what).is_dir():
            tasks.append(load_task(args.tasks / what))
        else:
            tasks.append(load_task(what))
    protocol = load_protocol(args.protocol) if tasks else None
    for task in {task.id: task for task in tasks}.values():
        assert protocol is not None
        yield from task_jobs(task, protocol, options, args.into)


def _into(args: argparse.Namespace, what: str) -> Path:
    if args.into is None:
        raise UsageError(f"where is the recording of {what} to go?", hint="give --into FOLDER")
    into: Path = args.into
    return into


def _distinct(jobs: list[Job], logs: list[Path], args: argparse.Namespace) -> None:
    """Two results must not go to one file, and a log not to itself."""
    places = Counter([job.path for job in jobs] + [_into(args, str(g)) / g.name for g in logs])
    twice = next((path for path, count in places.items() if count > 1), None)
    if twice is not None:
        raise UsageError(f"two recordings would go to {twice}", hint="record them into two folders")
    for log in logs:
        if (args.into / log.name).resolve() == log.resolve():
            raise UsageError(f"{log} would be overwritten", hint="give another --into FOLDER")


def _total(jobs: list[Job], logs: list[Path]) -> int:
    from verulaw_gate.verus.logs import read_log

    return len(jobs) + sum(1 for log in logs for _ in read_log(log))


def _record_jobs(
    args: argparse.Namespace, jobs: list[Job], pool: VerusPool, real: RealVerifier, tally: _Tally
) -> None:
    from verulaw_gate.verus.diagnostics import classify
    from verulaw_gate.verus.model import STRICT_OPTIONS, Outcome, VerusOptions
    from verulaw_gate.verus.recording import recorded_run

    version = real.install.version.version
    strictly = VerusOptions((*STRICT_OPTIONS.args, *args.arg))

    def pass_over(jobs: list[Job]) -> list[Job]:
        """Record what is not recorded yet; the jobs that verified, now or then."""
        verified: list[Job] = []
        waiting: list[tuple[Job, Future[Verification]]] = []
        for job in jobs:
            run = None if args.again else recorded_run(job, version)
            if run is None:
                waiting.append((job, pool.submit(job.source, job.options, group=job.group)))
                continue
            tally.kept += 1
            if classify(run.argv, run.exit_code, run.stdout, run.stderr) is Outcome.VERIFIED:
                verified.append(job)
        for job, result in _write_all(waiting, real, tally):
            if result.outcome is Outcome.VERIFIED:
                verified.append(job)
        return verified

    verified = pass_over(jobs)
    if args.strict:
        pass_over([j for j in (job.strict(strictly) for job in verified) if j is not None])


def _write_all(
    waiting: list[tuple[Job, Future[Verification]]], real: RealVerifier, tally: _Tally
) -> Iterator[tuple[Job, Verification]]:
    from verulaw_gate.verus import receipt
    from verulaw_gate.verus.clean import machine_roots
    from verulaw_gate.verus.recording import UNRECORDED, write_recording

    roots = machine_roots(real.install.path)
    for job, future in waiting:
        result = _result(job.name, future, tally)
        if result is None:
            continue
        if result.outcome in UNRECORDED:
            tally.without.append(f"{job.name}: {result.outcome}: {result.detail}")
            continue
        write_recording(job, result, roots)
        made = receipt.of(result)
        if made is not None:
            tally.receipts.append(made)
        tally.recorded[result.outcome.value] += 1
        yield job, result


def _result(name: str, future: Future[Verification], tally: _Tally) -> Verification | None:
    try:
        return future.result()
    except VerulawError as problem:
        tally.without.append(f"{name}: {problem}")
        return None


def _record_log(
    args: argparse.Namespace,
    log: Path,
    options: VerusOptions,
    pool: VerusPool,
    real: RealVerifier,
    tally: _Tally,
) -> None:
    """A whole log is written at its end; what ran before a stop is in the cache."""
    import json

    from verulaw_gate.verus.clean import machine_roots
    from verulaw_gate.verus.logs import log_result, read_log, strict_result
    from verulaw_gate.verus.model import STRICT_OPTIONS, Outcome, VerusOptions
    from verulaw_gate.verus.recording import UNRECORDED, write_whole

    attempts = list(read_log(log))
    roots = machine_roots(real.install.path)
    strictly = VerusOptions((*STRICT_OPTIONS.args, *args.arg))
    futures = [
        pool.submit(a["source"], options, target=a.get("target"), group=str(a.get("task", "")))
        for a in attempts
    ]
    second: list[tuple[str, dict[str, object], Future[Verification]]] = []
    for number, (attempt, future) in enumerate(zip(attempts, futures, strict=True), 1):
        name = f"{log.name}:{number}"
        result = _result(name, future, tally)
        attempt.pop("verus", None)
        attempt.pop("strict", None)
        if result is None:
            continue
        if result.outcome in UNRECORDED:
            tally.without.append(f"{name}: {result.outcome}: {result.detail}")
        else:
            tally.recorded[result.outcome.value] += 1
        attempt["verus"] = log_result(result, roots)
        if args.arg:
            attempt["verus"]["options"] = list(args.arg)
        if args.strict and result.outcome is Outcome.VERIFIED:
            second.append((name, attempt, pool.submit(attempt["source"], strictly)))
    for name, attempt, future in second:
        strict = _result(name, future, tally)
        if strict is not None:
            attempt["strict"] = strict_result(strict)
    lines = [json.dumps(attempt, ensure_ascii=False) for attempt in attempts]
    write_whole(args.into / log.name, "".join(f"{line}\n" for line in lines))


def _print(tally: _Tally, real: RealVerifier) -> None:
    kinds = ", ".join(f"{outcome} {count}" for outcome, count in sorted(tally.recorded.items()))
    total = sum(tally.recorded.values())
    print(f"Verus {real.install.version.version}")
    print(f"recorded {total} results{f' ({kinds})' if kinds else ''}, kept {tally.kept}")
    print(real.counts_line())
    if tally.without:
        print(f"{len(tally.without)} without a result:", file=sys.stderr)
        for line in tally.without:
            print(f"  {line}", file=sys.stderr)
