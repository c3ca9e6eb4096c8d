"""Does a replay grow linearly? Time, memory and store size for 10,000 and 100,000 attempts.

usage: python benchmarks/scale_replay.py [ATTEMPTS ...]     (default: 10000 100000)

Each size runs in a process of its own, so that peak memory is that of this size alone. The report
of the run is built at the end and timed as well.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench_replay import copies

from verulaw_gate.data import corpora_dir
from verulaw_gate.experiment.corpora import RecordedCorpus
from verulaw_gate.experiment.replay import replay
from verulaw_gate.record import Store
from verulaw_gate.report import build
from verulaw_gate.tasks import load_suite

FIELDS = (
    "attempts",
    "replay_s",
    "cpu_s",
    "per_cpu_s",
    "peak_mb",
    "store_mb",
    "report_s",
    "report_peak_mb",
)


def peak_mb() -> float:
    """Peak resident memory of this process so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure(attempts: int) -> dict[str, float]:
    """Replay about so many attempts, then build the report."""
    logs = sorted(corpora_dir().glob("proof-protocol-*.jsonl"))
    lines = sum(len(log.read_text(encoding="utf-8").splitlines()) for log in logs)
    with tempfile.TemporaryDirectory() as folder:
        log, database = Path(folder, "log.jsonl"), Path(folder, "store.sqlite")
        count = copies(logs, round(attempts / lines), log)
        start, cpu = time.perf_counter(), time.process_time()
        with Store(str(database)) as store:
            done = replay(store, RecordedCorpus([log], load_suite()))
        seconds, busy, memory = time.perf_counter() - start, time.process_time() - cpu, peak_mb()
        size = sum(p.stat().st_size for p in Path(folder).glob("store.sqlite*")) / 1e6
        start = time.perf_counter()
        with Store(str(database), read_only=True) as store:
            build(store, done.run)
        report = time.perf_counter() - start
    return dict(
        zip(
            FIELDS,
            (count, seconds, busy, count / busy, memory, size, report, peak_mb()),
            strict=True,
        )
    )


def main(argv: list[str]) -> None:
    """Measure each size in its own process and print one line for each."""
    if argv[:1] == ["--one"]:
        print(json.dumps(measure(int(argv[1]))))
        return
    print(" ".join(f"{name:>14}" for name in FIELDS), flush=True)
    for size in [int(a) for a in argv] or [10_000, 100_000]:
        command = [sys.executable, __file__, "--one", str(size)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        row = json.loads(done.stdout.splitlines()[-1])
        print(" ".join(f"{row[name]:>14.1f}" for name in FIELDS), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
