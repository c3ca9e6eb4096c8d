"""What monitor and streaming gate cost a live stream, a piece of text of a token's size.

    python benchmarks/live_overhead.py

The references of the shipped tasks are held again by the scripted client in pieces of four
characters, with and without monitor and gate; the difference is their cost. No network.
"""

from __future__ import annotations

import statistics
import sys
from pathlib import Path
from time import perf_counter

import anyio

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from verulaw_gate import Gate, Monitor, load_protocol, load_suite
from verulaw_gate.agent import ScriptedClient, collect, take_turn, task_prompt
from verulaw_gate.monitor import default_prompt

PIECE = 4
ROUNDS = 5


async def main() -> None:
    """Print medians over the tasks."""
    protocol = load_protocol("proof")
    watched, plain, stages = [], [], []
    for task in load_suite():
        gate = Gate(task, repair=True)
        prompt = task_prompt(task, protocol)
        pieces = -(-len(task.reference) // PIECE)
        best_watched, best_plain, best_gate = [], [], []
        for _ in range(ROUNDS):
            begun = perf_counter()
            await collect(ScriptedClient([task.reference], chunk=PIECE), prompt)
            best_plain.append((perf_counter() - begun) / pieces)
            monitor = Monitor(protocol, [gate.content_checker()])
            monitor.begin(default_prompt(protocol))
            begun = perf_counter()
            turn = await take_turn(ScriptedClient([task.reference], chunk=PIECE), prompt, monitor)
            best_watched.append((perf_counter() - begun) / pieces)
            assert monitor.complete
            begun = perf_counter()
            gate.check(turn.raw)
            best_gate.append(perf_counter() - begun)
        watched.append(min(best_watched))
        plain.append(min(best_plain))
        stages.append(min(best_gate))
    print(f"tasks {len(watched)}, pieces of {PIECE} characters, best of {ROUNDS}")
    print(f"stream alone          {statistics.median(plain) * 1e6:7.2f} us a piece (median)")
    print(f"with monitor and gate {statistics.median(watched) * 1e6:7.2f} us a piece (median)")
    print(f"gate on the answer    {statistics.median(stages) * 1e3:7.2f} ms (median)")


if __name__ == "__main__":
    anyio.run(main)
