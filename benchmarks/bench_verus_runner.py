"""What the Verus runner adds to one call: a stand-in that exits at once, run plainly and through
`VerusVerifier`, in turn. Prints medians in milliseconds; the budget is 15 ms.

    python benchmarks/bench_verus_runner.py [--rounds 200]
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from verulaw_gate.record.cache import StoreCache
from verulaw_gate.verus.cache import CachingVerifier
from verulaw_gate.verus.verifier import VerusVerifier

ROOT = Path(__file__).resolve().parent.parent
QUICK = ROOT / "tests" / "standins" / "quick.sh"
SOURCE = "verus! { fn f() {} }\n"
BUDGET_MS = 15.0


def milliseconds(work) -> float:
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1e3


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--rounds", type=int, default=200)
    rounds = parser.parse_args().rounds
    verifier = VerusVerifier(QUICK)
    first = milliseconds(lambda: verifier.verify(SOURCE, target="f"))
    plain, ours, hits = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "candidate.rs"
        file.write_text(SOURCE)
        argv = [str(QUICK), str(file)]
        with StoreCache(str(Path(folder) / "store.sqlite")) as cache:
            caching = CachingVerifier(verifier, cache, version="stand-in")
            caching.verify(SOURCE, target="f")
            for _ in range(rounds):
                plain.append(milliseconds(lambda: subprocess.run(argv, capture_output=True)))
                ours.append(milliseconds(lambda: verifier.verify(SOURCE, target="f")))
                hits.append(milliseconds(lambda: caching.verify(SOURCE, target="f")))
    added = statistics.median(ours) - statistics.median(plain)
    print(f"plain subprocess      {statistics.median(plain):6.2f} ms median of {rounds}")
    print(f"through the runner    {statistics.median(ours):6.2f} ms median of {rounds}")
    print(f"added by the runner   {added:6.2f} ms (budget {BUDGET_MS:g} ms)")
    print(f"first call            {first:6.2f} ms (starts the supervisor, once a process)")
    print(f"a cache hit           {statistics.median(hits):6.2f} ms median of {rounds}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
