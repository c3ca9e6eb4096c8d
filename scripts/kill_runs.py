#!/usr/bin/env python3
"""Kill a runner at seeded points, again and again: nothing may be lost or there twice.

usage: python scripts/kill_runs.py [KILLS] [SEED]      (default: 300 kills)

Runs a small experiment with stand-ins for model and Verus (tests/experiment/standin_workshop.py),
kills the runner or one of its worker processes with SIGKILL at a drawn number of stored
generations, starts it again, and compares the finished store with that of a run left alone.
Prints one line for each experiment and stops at the first difference.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "experiment")]

from test_runner import PLAN, content, kill_somewhere, quiet, start, stored  # noqa: E402


def one(number: int, seed: int, expected: list[tuple[object, ...]], plan: Path) -> int:
    """One experiment killed three times; returns how often it was hit. Exits on a difference."""
    rng = random.Random(f"{seed}/{number}")
    executor = "processes" if number % 5 == 0 else "threads"
    kills = 0
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder, "s.sqlite")
        process = start(plan, database, executor)
        for point in sorted(rng.sample(range(60), 3)):
            while process.poll() is None and stored(database) < point:
                time.sleep(0.005)
            time.sleep(rng.random() * 0.02)
            if process.poll() is not None:
                break
            kills += 1
            if kill_somewhere(process, rng, executor):
                process = start(plan, database, executor)
        try:
            _, errors = process.communicate(timeout=600)
        except subprocess.TimeoutExpired:
            sys.exit(f"experiment {number}: still running after 600 s")
        if process.returncode != 0:
            sys.exit(f"experiment {number}: exit {process.returncode}\n{errors.decode()}")
        if content(str(database)) != expected:
            sys.exit(f"experiment {number}: the store differs from that of a quiet run")
    print(f"experiment {number}: {executor}, {kills} kills, the same store", flush=True)
    return kills


def main(argv: list[str]) -> None:
    """Kill until there were so many kills."""
    wanted = int(argv[0]) if argv else 300
    seed = int(argv[1]) if len(argv) > 1 else 0
    with tempfile.TemporaryDirectory() as folder:
        plan = Path(folder, "plan.toml")
        plan.write_text(PLAN)
        expected = quiet(plan, Path(folder))
        kills = number = 0
        while kills < wanted:
            kills += one(number, seed, expected, plan)
            number += 1
    print(f"{kills} kills in {number} experiments: nothing lost, nothing twice")


if __name__ == "__main__":
    main(sys.argv[1:])
