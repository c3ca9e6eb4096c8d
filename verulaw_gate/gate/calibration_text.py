"""The counts of `calibrate` as text."""

from __future__ import annotations

from verulaw_gate.codes import CODES, PREDICTIVE
from verulaw_gate.gate.calibration import Calibration, Pair, RuleCounts
from verulaw_gate.gate.rule_page import percent


def render(found: Calibration) -> str:
    """The whole output: the corpus, all predictive rules together, each rule, false rejects."""
    total = found.predictive
    failing = found.scored - found.outcomes.get("verified", 0)
    lines = [
        f"Corpus {found.name}: " + ", ".join(f"{n} ({count})" for n, _, count in found.logs),
        f"Scored: {found.scored} attempts; {found.unscored} without a usable result or source",
        "Outcomes: " + ", ".join(f"{n} {name}" for name, n in found.outcomes.items()),
        "Verus: " + ", ".join(f"{v} ({n})" for v, n in found.versions.items()),
        f"Rules speak of Verus {found.pinned}; on another version they only warn",
        "Layers: " + ", ".join(f"{n} ran on {k}/{m}" for n, (k, m) in found.layers.items()),
        "",
        "All predictive rules together (each attempt once)",
        f"  false rejects among Verus-accepted    {percent(total.verified)}",
        f"  false rejects among proof failures    {percent(total.proof_failure)}",
        f"  front-end failures foreseen           {percent(total.front_end)}",
        f"  failing calls foreseen ({failing} fail)     {percent(total.failed)}",
        f"  repeats of an attempt at the task     {percent(total.known)} of all attempts",
        f"  failing calls foreseen or known       {percent(total.failed_or_known)}",
        "",
        "Each rule: rejected k of the attempts n on which it ran, with Wilson 95 % intervals",
    ]
    for code, counts in found.rules.items():
        lines += _rule(code, counts)
    never = [code for code, counts in found.rules.items() if not _ran(counts)]
    if never:
        lines += ["", "Not run here: " + ", ".join(never)]
    lines += ["", *_names(found)]
    return "\n".join(lines) + "\n"


def _ran(counts: RuleCounts) -> bool:
    return counts.verified[1] + counts.failed[1] > 0


def _rule(code: str, counts: RuleCounts) -> list[str]:
    if not _ran(counts):
        return []
    cells = [
        f"  {code} {CODES[code].name}",
        f"    Verus-accepted   {percent(counts.verified)}",
        f"    Verus-failed     {percent(counts.failed)}",
    ]
    if counts.failed[0]:
        cells.append(
            f"      of these: front end {_plain(counts.front_end)},"
            f" proof {_plain(counts.proof_failure)}"
        )
    if CODES[code].family in PREDICTIVE:
        cells.append(f"    confirmed        {percent(counts.confirmed)}")
    if counts.warned[0]:
        cells.append(f"    only warned      {percent(counts.warned)}")
    exposed = ", ".join(
        f"{kind.replace('_', ' ')} {_plain(pair)}" for kind, pair in counts.exposed.items()
    )
    cells.append(f"    exposure         {exposed}")
    return cells


def _plain(pair: Pair) -> str:
    return f"{pair[0]}/{pair[1]}"


def _names(found: Calibration) -> list[str]:
    total = found.predictive
    lines = [f"False rejects: {len(total.names) or 'none'}"]
    lines += [f"  {name}" for name in total.names]
    for code, counts in found.rules.items():
        if CODES[code].family not in PREDICTIVE and counts.verified_names:
            lines.append(
                f"{code} {CODES[code].name} ({CODES[code].family}), accepted by Verus:"
                f" {', '.join(counts.verified_names)}"
            )
    return lines
