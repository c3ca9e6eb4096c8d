"""What the recorded calls of `verulaw-gate verus` say, the estimate of false rejects above all.

Only audited calls can tell a false reject: of the others Verus was never asked. The audited share
is chosen by the hash of the file, so k of n audited is an estimate for all rejected files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from verulaw_gate.gate.calibration import Pair
from verulaw_gate.gate.rule_page import percent
from verulaw_gate.record.calls import Action, Call
from verulaw_gate.verus.model import Outcome

_PASSES = frozenset({Outcome.VERIFIED, Outcome.PROOF_FAILURE, Outcome.RLIMIT})
_DECIDED = _PASSES | {Outcome.COMPILE_ERROR}


@dataclass(frozen=True, slots=True)
class CallSummary:
    """Counts over calls. `false_rejects`: of the audited predictive rejections with a decided
    outcome, those that Verus's front end passed, each source once. `cheats`: of the audited other
    rejections (trust, integrity) with a decided outcome, those that Verus verified: what the gate
    kept from passing. `undecided`: audited, but Verus gave no outcome (a timeout, a crash).
    `gate_s`, `verus_s`: seconds, summed over the calls that have them."""

    calls: int
    actions: Counter[str]
    families: Counter[str]
    audited: Pair
    false_rejects: Pair
    names: tuple[str, ...]
    cheats: Pair
    undecided: int
    gate_s: float
    verus_s: float


def summarise(calls: Iterable[Call]) -> CallSummary:
    """The counts over some calls."""
    found = list(calls)
    rejected = [c for c in found if c.action is Action.REJECTED]
    audited = [c for c in rejected if c.audit is not None]
    # The same file is audited each time it is rejected: it counts once.
    sources = {(c.source_sha256, c.predictive): c for c in audited}.values()
    decided = [c for c in sources if c.audit is not None and c.audit.outcome in _DECIDED]
    predictive = [c for c in decided if c.predictive]
    other = [c for c in decided if not c.predictive]
    wrong = [c for c in predictive if c.audit is not None and c.audit.outcome in _PASSES]
    cheats = [c for c in other if c.audit is not None and c.audit.outcome == Outcome.VERIFIED]
    return CallSummary(
        calls=len(found),
        actions=Counter(c.action for c in found),
        families=Counter(c.family or "none" for c in rejected),
        audited=(len(audited), len(rejected)),
        false_rejects=(len(wrong), len(predictive)),
        names=tuple(f"{c.path} ({_codes(c)})" for c in wrong),
        cheats=(len(cheats), len(other)),
        undecided=len(sources) - len(decided),
        gate_s=sum(c.gate_s or 0.0 for c in found),
        verus_s=sum(c.wall_s or 0.0 for c in found),
    )


def _codes(call: Call) -> str:
    return ", ".join(sorted({code for code, severity in call.findings if severity == "error"}))


def render(found: CallSummary) -> str:
    """The counts as text."""
    families = ", ".join(f"{n} {name}" for name, n in sorted(found.families.items())) or "none"
    lines = [
        f"calls: {found.calls} ("
        + ", ".join(f"{found.actions.get(a, 0)} {a}" for a in Action)
        + ")",
        f"rejected by family: {families}",
        f"rejections that were audited: {found.audited[0]}/{found.audited[1]}",
        "false rejects among audited predictive rejections, each source once: "
        + percent(found.false_rejects),
        "verified by Verus among audited other rejections (cheats kept out): "
        + percent(found.cheats),
        f"audited without a decided outcome: {found.undecided}",
        f"gate {found.gate_s:.2f} s, Verus {found.verus_s:.2f} s",
    ]
    lines += [f"false reject: {name}" for name in found.names]
    return "\n".join(lines) + "\n"
