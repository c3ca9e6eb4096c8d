"""Speed and memory of the monitor: 10 MB in chunks of 1, 4 and 65,536 characters.

Budget: linear in the text, under 10 microseconds a token-sized chunk, flat memory beyond the open
segment. Prints CPU time (the machine may be busy); asserts nothing about it.
"""

from __future__ import annotations

import gc
import resource
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from verulaw_gate.errors import ProtocolError
from verulaw_gate.monitor import Monitor
from verulaw_gate.protocol import compile_protocol, load_protocol, parse_protocol
from verulaw_gate.protocol.model import Next, Or, Protocol, Ref, Repeat, State

MANY = parse_protocol(
    '(define many (:states (lemma (:text "[Lemma]")) (qed (:text "[QED]") (:content empty)))'
    " (:behavior (next (always lemma) qed)))"
)
LINE = "    assert(s.take(i + 1).drop_last() =~= s.take(i)); // not a marker: [Lemma]\n"
NEAR = "[lemma]\n" + "[" * 8 + "\n"


def text_of(size: int, lines: int, line: str) -> str:
    block = "[Lemma]\n" + line * lines
    return block * (size // len(block)) + "[QED]\n"


def rss_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def streaming() -> None:
    print("text                      characters   chunk CPU seconds   us/chunk   MB/s")
    cases = (
        ("lemmas of 200 lines", text_of(10_000_000, 200, LINE)),
        ("one segment", "[Lemma]\n" + LINE * (10_000_000 // len(LINE)) + "[QED]\n"),
        ("near misses", text_of(10_000_000, 200, NEAR)),
        ("one line without end", "[Lemma]" + "x" * 10_000_000 + "\n[QED]"),
    )
    for name, whole in cases:
        # Single characters take long: once is enough.
        for chunk in (1, 4, 65_536) if name == cases[0][0] else (4, 65_536):
            monitor = Monitor(MANY)
            begun = time.process_time()
            for at in range(0, len(whole), chunk):
                monitor.feed(whole[at : at + chunk])
            verdict = monitor.finish()
            seconds = time.process_time() - begun
            assert verdict.ok, verdict.violation
            each = seconds / (len(whole) / chunk) * 1e6
            print(
                f"{name:<22} {len(whole):>13,} {chunk:>7,} {seconds:>11.2f} {each:>10.2f}"
                f" {len(whole) / seconds / 1e6:>6.2f}"
            )
            gc.collect()
    print(f"peak resident memory of the whole script: {rss_mb():.0f} MB")


def linearity() -> None:
    print("\nlinear in the text (4-character chunks): characters -> us/chunk")
    for size in (100_000, 1_000_000, 4_000_000):
        whole = text_of(size, 200, LINE)
        monitor = Monitor(MANY)
        begun = time.process_time()
        for at in range(0, len(whole), 4):
            monitor.feed(whole[at : at + 4])
        monitor.finish()
        print(f"{size:>10,}  {(time.process_time() - begun) / (len(whole) / 4) * 1e6:.2f}")


def construction() -> None:
    print("\nautomaton construction")
    for outer, inner in ((5, 5), (50, 50), (140, 140)):
        loop = Repeat(Ref("a"), Ref("b"), 0, inner)
        states = tuple(State(n, f"[{n}]") for n in "abc")
        protocol = Protocol("nested", states, Next((Repeat(loop, Ref("c"), 0, outer),)))
        begun = time.process_time()
        size = compile_protocol.__wrapped__(protocol).size
        print(f"until_{outer} in until_{inner}: {size} states, {time.process_time() - begun:.3f} s")
    either = Or((Ref("a"), Ref("b")))
    begun = time.process_time()
    try:
        compile_protocol.__wrapped__(
            Protocol(
                "exponential",
                tuple(State(n, f"[{n}]") for n in "abc"),
                Next((Repeat(either, None), Ref("a"), Repeat(either, Ref("c"), 40, 40))),
            )
        )
    except ProtocolError as problem:
        print(f"exponential one: refused in {time.process_time() - begun:.3f} s ({problem})")


def loading() -> None:
    begun = time.process_time()
    load_protocol("proof")
    print(f"\nloading a shipped protocol: {(time.process_time() - begun) * 1e3:.1f} ms")


if __name__ == "__main__":
    loading()
    streaming()
    linearity()
    construction()
