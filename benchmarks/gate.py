"""The gate on one text, with and without the native layer, and in a stream: processor time.

    python benchmarks/gate.py [--runs 200]

Reads the shipped recorded attempts of 80 to 130 lines and prints the median and the 95th
percentile over all of them. The budgets: under 2 ms (median) for 100 lines without the native
layer, under 3 ms with it; under 10 microseconds for a token-sized chunk of a stream.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable

from verulaw_gate.data import corpora_dir
from verulaw_gate.gate import Gate
from verulaw_gate.gate.native import available, reason
from verulaw_gate.gate.streaming import VerusContent
from verulaw_gate.protocol import ContentKind, State

FILE = State("file", "[File]", content=ContentKind.VERUS_FILE)
CHUNK = 4


def milliseconds(call: Callable[[], object], runs: int) -> list[float]:
    """The processor time of each of `runs` calls."""
    times = []
    for _ in range(runs):
        start = time.process_time()
        call()
        times.append((time.process_time() - start) * 1e3)
    return times


def line(name: str, times: list[float], unit: str = "ms") -> str:
    """One line of the table."""
    ordered = sorted(times)
    high = ordered[int(0.95 * (len(ordered) - 1))]
    return f"{name:<34} median {statistics.median(ordered):8.3f} {unit}   95 % {high:8.3f} {unit}"


def stream(source: str) -> float:
    """Microseconds a chunk of a streamed source."""
    session = VerusContent().start(FILE)
    assert session is not None
    start = time.process_time()
    for at in range(0, len(source), CHUNK):
        session.feed(source[at : at + CHUNK])
    session.finish()
    return (time.process_time() - start) * 1e6 / max(1, len(source) // CHUNK)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=200, help="calls over all sources")
    runs = parser.parse_args().runs
    rows = [
        json.loads(text)
        for path in sorted(corpora_dir().glob("*.jsonl"))
        for text in path.read_text(encoding="utf-8").splitlines()
    ]
    rows = [row for row in rows if 80 <= row["source"].count("\n") <= 130]
    lines = statistics.mean(row["source"].count("\n") for row in rows)
    each = max(1, runs // len(rows))
    print(f"{len(rows)} recorded sources of {lines:.0f} lines on average, {each} calls each")
    plain, alone, native, chunks = [], [], [], []
    for row in rows:
        source, base = row["source"], row["base"]
        bound, free = Gate(base, native=False), Gate(native=False)
        plain += milliseconds(lambda g=bound, s=source: g.check(s), each)
        alone += milliseconds(lambda g=free, s=source: g.check(s), each)
        if available():
            full = Gate(base)
            native += milliseconds(lambda g=full, s=source: g.check(s), each)
        chunks += [stream(source) for _ in range(max(1, each // 4))]
    print(line("against a base, tokens only", plain))
    print(line("without a base, tokens only", alone))
    if native:
        print(line("against a base, native layer too", native))
    else:
        print(f"native layer not run: {reason()}")
    print(line(f"stream, chunks of {CHUNK} characters", chunks, "us"))


if __name__ == "__main__":
    main()
