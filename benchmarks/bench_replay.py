"""Attempts replayed a second on one core, the store included.

usage: python benchmarks/bench_replay.py [COPIES] [LOG ...]

Replays the shipped attempt logs (or others), each loop COPIES times as samples of its own, into a
fresh SQLite file and prints the rate, the peak memory and the size of the store.
"""

from __future__ import annotations

import json
import resource
import sys
import tempfile
import time
from pathlib import Path

from verulaw_gate.data import corpora_dir
from verulaw_gate.experiment.corpora import RecordedCorpus
from verulaw_gate.experiment.replay import replay
from verulaw_gate.record import Store
from verulaw_gate.tasks import assemble_lenient, load_suite


def copies(logs: list[Path], times: int, out: Path) -> int:
    """Write each attempt `times` times, as another sample each time. Every copy has a comment of
    its own in its body, so that the store can't keep texts once. Returns how many there are."""
    suite = {task.id: task for task in load_suite()}
    count = 0
    with out.open("w", encoding="utf-8") as file:
        for copy in range(times):
            for number, log in enumerate(logs):
                for line in log.read_text(encoding="utf-8").splitlines():
                    row = json.loads(line)
                    row["sample"] = row.get("sample", 0) + copy * len(logs) + number
                    if row["task"] in suite and row.get("text"):
                        row["text"] = row["text"].replace("[QED]", f"// copy {copy}\n[QED]")
                        row["source"] = assemble_lenient(suite[row["task"]], row["text"]).source
                    file.write(json.dumps(row, ensure_ascii=False) + "\n")
                    count += 1
    return count


def measure(logs: list[Path], times: int) -> dict[str, float]:
    """Replay once and return the figures."""
    with tempfile.TemporaryDirectory() as folder:
        log, database = Path(folder, "log.jsonl"), Path(folder, "store.sqlite")
        count = copies(logs, times, log)
        start, cpu = time.perf_counter(), time.process_time()
        with Store(str(database)) as store:
            replay(store, RecordedCorpus([log], load_suite()))
        wall, busy = time.perf_counter() - start, time.process_time() - cpu
        size = sum(p.stat().st_size for p in Path(folder).glob("store.sqlite*"))
    return {
        "attempts": count,
        "wall_s": wall,
        "cpu_s": busy,
        "attempts_per_s": count / wall,
        "attempts_per_cpu_s": count / busy,
        "peak_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "store_mb": size / 1e6,
    }


def main(argv: list[str]) -> None:
    """Print the figures of one measurement."""
    times = int(argv[0]) if argv else 10
    logs = [Path(a) for a in argv[1:]] or sorted(corpora_dir().glob("proof-protocol-*.jsonl"))
    for name, value in measure(logs, times).items():
        print(f"{name:<20} {value:12.2f}")


if __name__ == "__main__":
    main(sys.argv[1:])
