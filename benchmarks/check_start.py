"""`verulaw-gate check` from process start, and over many files.

    python benchmarks/check_start.py [--runs 20] [--files 1000]

Prints, for one file: wall clock and processor time from process start to exit (median, best), and
what importing costs by module; for many files: wall clock, with two workers and with one. On a busy
machine look at the processor time. The budgets: one file under 200 ms, 1,000 files under 5 s on two
cores.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TASKS = ROOT / "rust_tasks"


def timed(command: list[str], folder: Path) -> tuple[float, float]:
    """Wall-clock and processor seconds of one process and its children."""
    before, started = _processor(), time.perf_counter()
    subprocess.run(command, cwd=folder, env=environment(), stdout=subprocess.DEVNULL, check=False)
    return time.perf_counter() - started, _processor() - before


def _processor() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def environment() -> dict[str, str]:
    """That of the caller, and compiled modules are kept as in any installation."""
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPATH": str(ROOT), "PYTHONPYCACHEPREFIX": f"{tempfile.gettempdir()}/pyc"}


def line(label: str, seconds: list[float]) -> str:
    """One row of figures in milliseconds."""
    best, median = min(seconds) * 1000, statistics.median(seconds) * 1000
    return f"  {label:<32} median {median:7.1f} ms   best {best:7.1f} ms"


def imports(command: list[str], folder: Path) -> list[tuple[int, str]]:
    """Microseconds of each module itself, the most costly first."""
    timed_imports = [command[0], "-X", "importtime", *command[1:]]
    done = subprocess.run(
        timed_imports, cwd=folder, env=environment(), capture_output=True, text=True, check=False
    )
    rows = re.findall(r"import time: +(\d+) \| +\d+ \| +(\S+)", done.stderr)
    return sorted(((int(own), name) for own, name in rows), reverse=True)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--files", type=int, default=1000)
    args = parser.parse_args()
    sources = sorted(TASKS.glob("*/task.rs"))
    check = [sys.executable, "-m", "verulaw_gate", "check"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        one = folder / "one.rs"
        one.write_text(sources[0].read_text())
        (folder / "one.txt").write_text("[Body]\n{\n}\n[QED]\n")
        for label, command in (
            ("python alone", [sys.executable, "-c", "pass"]),
            ("check, one file", [*check, "one.rs"]),
            ("check, one file, json", [*check, "--format", "json", "one.rs"]),
            ("check, one trace", [*check, "--protocol", "proof", "one.txt"]),
        ):
            runs = [timed(command, folder) for _ in range(args.runs)]
            print(label)
            print(line("wall clock", [wall for wall, _ in runs]))
            print(line("processor time", [processor for _, processor in runs]))
        print("imports of check, own time of the most costly modules")
        for own, module in imports([*check, "one.rs"], folder)[:12]:
            print(f"  {module:<44} {own / 1000:6.1f} ms")
        many = folder / "many"
        many.mkdir()
        for number in range(args.files):
            (many / f"f{number:04}.rs").write_text(sources[number % len(sources)].read_text())
        for jobs in ("2", "1"):
            wall, processor = timed([*check, "--jobs", jobs, "many"], folder)
            print(
                f"check, {args.files} files, {jobs} worker(s): {wall:.2f} s wall clock,"
                f" {processor:.2f} s processor time"
            )


if __name__ == "__main__":
    main()
