"""Run seeded faults against the Verus runner, with a stand-in executable, and print the counts.

    python scripts/verus_faults.py [--count 300] [--first 0] [--workers 4]

Exit code 1 if an attempt was lost or counted twice, an outcome is wrong, a process of ours is
alive a second after, or a file is left.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.standins.harness import run_faults


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--workers", type=int, default=4)
    args = parser.parse_args()
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        seeds = range(args.first, args.first + args.count)
        tally = run_faults(seeds, Path(folder) / "ledger", args.workers)
    print(tally)
    print(", ".join(f"{kind} {count}" for kind, count in sorted(tally.kinds.items())))
    for line in [*tally.wrong, *tally.executed_twice, *tally.alive, *tally.files]:
        print(f"  {line}")
    print(f"{time.monotonic() - started:.1f} s")
    bad = tally.lost or tally.wrong or tally.executed_twice or tally.alive or tally.files
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
