"""Seeded faults: from a number to a candidate for the stand-in, and what may come of it."""

from __future__ import annotations

import json
import random
import signal
from dataclasses import dataclass

from verulaw_gate.verus.limits import MIB, Limits
from verulaw_gate.verus.model import Outcome

CHILDREN = ("group", "session", "daemon", "disguised")


@dataclass(frozen=True)
class Fault:
    """One call: the candidate, its limits, the outcomes that are right. `cancel_after` seconds
    where the caller gives up; `kill` names one of our own processes to be killed meanwhile."""

    name: str
    kind: str
    source: str
    limits: Limits
    outcomes: frozenset[Outcome]
    cancel_after: float | None = None
    kill: str | None = None


def make(seed: int, ledger: str, *, cgroup: bool = True) -> Fault:
    """The fault of a seed; the same seed gives the same fault.

    Without a `cgroup` nothing can find a child that has left its session, its parents and its
    environment once keeper and supervisor were both killed: then no such child loses its keeper.
    """
    dice = random.Random(seed)
    kind = KINDS[seed % len(KINDS)]
    name = f"{kind}-{seed}"
    given, limits, outcomes = _PARAMETERS[kind](dice)
    if kind == "keeper-killed" and not cgroup:
        given["children"] = [c for c in given["children"] if c != "disguised"] or ["daemon"]
    extra: dict = {}
    if kind == "cancelled":
        extra["cancel_after"] = dice.uniform(0, 0.3)
    if kind in ("keeper-killed", "supervisor-killed"):
        extra["kill"] = kind.partition("-")[0]
    head = json.dumps({"ledger": ledger, "name": name, **given})
    source = f"// standin: {head}\nverus! {{ fn f() {{}} }}\n"
    limits = Limits(**{"wall_s": 30.0, **limits})
    return Fault(name, kind, source, limits, frozenset(outcomes), **extra)


def _children(dice: random.Random) -> list[str]:
    return [dice.choice(CHILDREN) for _ in range(dice.randint(1, 4))]


def _short(dice: random.Random) -> float:
    return dice.uniform(0.2, 0.6)


_OK, _CRASH, _TIMEOUT = {Outcome.VERIFIED}, {Outcome.CRASH}, {Outcome.TIMEOUT}
_SIGNALS = [signal.SIGSEGV, signal.SIGABRT, signal.SIGKILL, signal.SIGTERM, signal.SIGXCPU]

_PARAMETERS = {
    "verified": lambda d: ({"do": "verified"}, {}, _OK),
    "failure": lambda d: ({"do": "proof_failure"}, {}, {Outcome.PROOF_FAILURE}),
    "hang": lambda d: (
        {"do": "hangs", "after_result": d.random() < 0.5},
        {"wall_s": _short(d)},
        _TIMEOUT,
    ),
    "ignores-signals": lambda d: ({"do": "ignores_signals"}, {"wall_s": _short(d)}, _TIMEOUT),
    "forks-and-hangs": lambda d: (
        {"do": "forks", "children": _children(d), "hang": True},
        {"wall_s": _short(d)},
        _TIMEOUT,
    ),
    "leaves-children": lambda d: ({"do": "forks", "children": _children(d)}, {}, _OK),
    "flood": lambda d: (
        {"do": "floods", "stderr": d.random() < 0.5},
        {"output_bytes": MIB // 8},
        _CRASH,
    ),
    "long-output": lambda d: (
        {"do": "floods", "bytes": d.randint(100_000, 400_000), "stderr": True},
        {"output_bytes": 65536},
        _OK,
    ),
    "memory": lambda d: ({"do": "eats_memory"}, {"memory_bytes": 256 * MIB}, _CRASH),
    "signal": lambda d: (
        {"do": "dies", "signal": int(d.choice(_SIGNALS)), "after_result": d.random() < 0.5},
        {},
        _CRASH,
    ),
    "half-json": lambda d: (
        {"do": "half_json", "share": d.uniform(0.05, 0.95), "exit": d.choice([0, 1])},
        {},
        _CRASH,
    ),
    "outside": lambda d: ({"do": "writes_outside"}, {}, _OK),
    "big-file": lambda d: ({"do": "writes_much"}, {"file_bytes": 4 * MIB}, _CRASH),
    "late": lambda d: (
        ({"do": "exits_late", "seconds": 3600}, {"wall_s": _short(d)}, _TIMEOUT)
        if d.random() < 0.5
        else ({"do": "exits_late", "seconds": 0.2}, {}, _OK)
    ),
    "contradiction": lambda d: (
        {
            "do": "prints",
            "stdout": '{"verification-results": {"encountered-error": true, ',
            "exit": 0,
        },
        {},
        _CRASH,
    ),
    "cancelled": lambda d: ({"do": "forks", "children": _children(d), "hang": True}, {}, set()),
    "keeper-killed": lambda d: (
        {"do": "forks", "children": _children(d), "hang": True},
        {},
        _CRASH,
    ),
    "supervisor-killed": lambda d: ({"do": "verified", "delay": 0.4}, {}, _OK),
}
KINDS = tuple(_PARAMETERS)
