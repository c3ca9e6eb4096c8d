"""The rules in words and figures: one rule for the terminal, all of them as docs/rules.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from verulaw_gate.codes import CODES, PREDICTIVE, Code, Family
from verulaw_gate.gate.calibration import Calibration, Pair, RuleCounts, wilson
from verulaw_gate.gate.rule import RuleDoc

_CLAIMS = {
    Family.PROTOCOL: "The trace leaves its protocol. Conformance only: whether that forecasts a"
    " failure of Verus is measured in a table of its own.",
    Family.STRUCTURE: "Predictive: Verus refuses the file in its front end.",
    Family.SYNTAX: "Predictive: Verus refuses the file in its front end.",
    Family.STATIC: "Predictive: Verus refuses the file in its front end.",
    Family.INTEGRITY: "Not a proof of the task, even if Verus passes the file.",
    Family.TRUST: "Not a proof, even if Verus passes the file: a cheat caught.",
    Family.KNOWN: "The candidate has a result already; it is not sent again.",
}


def percent(pair: Pair) -> str:
    """`3/80 (3.8 %, 1.3-10.5 %)`: k of n with the Wilson 95 % interval. With k = 0 only the upper
    bound; without data, `no data (n = 0)`."""
    k, n = pair
    bounds = wilson(pair)
    if bounds is None:
        return "no data (n = 0)"
    low, high = bounds
    if k == 0:
        return f"0/{n} (at most {100 * high:.1f} %)"
    return f"{k}/{n} ({100 * k / n:.1f} %, {100 * low:.1f}-{100 * high:.1f} %)"


def measured(code: str, sets: Sequence[Calibration]) -> list[str]:
    """The measured counts of one rule, one block of lines a log."""
    lines: list[str] = []
    for one in sets:
        counts = one.rules.get(code)
        if counts is None or not _ran(counts):
            continue
        lines.append(f"{one.name}: {_logs(one)}")
        lines += [f"  {label}: {text}" for label, text in _figures(code, counts)]
    return lines or ["not measured: no log has attempts on which this rule ran"]


def _figures(code: str, counts: RuleCounts) -> list[tuple[str, str]]:
    rows = [
        ("rejected among Verus-accepted", percent(counts.verified)),
        ("rejected among proof failures", percent(counts.proof_failure)),
        ("rejected among front-end failures", percent(counts.front_end)),
        ("rejected among all failures", percent(counts.failed)),
    ]
    if CODES[code].family in PREDICTIVE:
        rows.append(("confirmed by a diagnostic, line and kind", percent(counts.confirmed)))
    if counts.warned[0]:
        rows.append(("only warned", percent(counts.warned)))
    exposed = ", ".join(
        f"{_plain(p)} {kind.replace('_', ' ')}" for kind, p in counts.exposed.items()
    )
    rows.append(("the construct occurs in", exposed))
    names = counts.verified_names
    if names:
        label = "false rejects" if CODES[code].family in PREDICTIVE else "rejected, Verus accepts"
        rows.append((label, ", ".join(names)))
    if counts.proof_failure_names and CODES[code].family in PREDICTIVE:
        rows.append(("false rejects, front end passes", ", ".join(counts.proof_failure_names)))
    return rows


def terminal(code: str, doc: RuleDoc | None, sets: Sequence[Calibration]) -> str:
    """All about one rule, for a terminal."""
    row = CODES[code]
    lines = [
        f"{row.code} {row.name} ({row.family}, {row.severity})",
        f"  {row.summary}",
        "",
        f"What a rejection claims: {_CLAIMS[row.family]}",
    ]
    if doc is not None:
        lines += [
            f"What it finds: {doc.finds}",
            f"Why it matters: {doc.why}",
            f"Verus versions: {doc.versions}",
            "Example:",
            *(f"    {line}" for line in doc.example.split("\n")),
            f"Remedy: {doc.remedy}",
        ]
    lines += ["", "Measured:", *(f"  {line}" for line in measured(code, sets))]
    return "\n".join(lines) + "\n"


def listing() -> str:
    """All codes, one a line."""
    rows = [
        f"{row.code}  {row.name:<31} {row.family:<10} {row.severity:<8} {row.summary}"
        for row in CODES.values()
    ]
    return "\n".join([*rows, "", "`verulaw-gate rule CODE` tells more."]) + "\n"


def markdown(
    docs: Mapping[str, RuleDoc], sets: Sequence[Calibration], snippets: Mapping[str, str]
) -> str:
    """docs/rules.md. `snippets`: what there is to say of a rule's snippets, by code."""
    parts = [_HEAD, *(_overview(one) for one in sets)]
    for family in Family:
        parts.append(f"## {family.capitalize()}\n\n{_CLAIMS[family]}\n")
        rows = [row for row in CODES.values() if row.family is family]
        parts += [_rule(r, docs.get(r.code), sets, snippets.get(r.code, "")) for r in rows]
    return "\n".join(parts)


_HEAD = """# Rules

This page is generated: `verulaw-gate rule --markdown` prints it from the rules' own documentation
and from the counts that `verulaw-gate calibrate` measured. Do not edit it.

A share is k/n with its Wilson 95 % interval; of 0 of n the upper bound is given. In the n of a rule
are the attempts on which the rule ran: where its layer did not run, an attempt is in no n. "Among
proof failures" are files that pass Verus's front end and whose proof fails (an exceeded rlimit
included): a predictive rule that rejects one is as wrong as if it rejects a file that verifies.
"Confirmed" means that a diagnostic of Verus of the same kind points into the lines of the finding.
It is a lower bound: Verus stops at the first phase that fails, so another error can hide the one
foretold. The rules were written with these logs at hand: what they foresee in another loop is to be
measured there. The intervals take attempts as independent; attempts at one task are not, so the
true ones are wider. "The construct occurs in" is the exposure: the files in which the rule could
have spoken at all. Rules of a trace are measured on logs that hold raw answers. Logs are never
added up.
"""


def _overview(one: Calibration) -> str:
    found = one.predictive
    outcomes = ", ".join(f"{n} {name}" for name, n in one.outcomes.items())
    layers = ", ".join(f"{name} on {_plain(pair)}" for name, pair in one.layers.items())
    versions = ", ".join(f"{version} ({n})" for version, n in one.versions.items())
    lines = [
        f"## Measured on {one.name}\n",
        f"{_logs(one)}; {one.scored} scored ({outcomes}), {one.unscored} without a usable result."
        f" Verus {versions}; the rules speak of {one.pinned}. Layers that ran: {layers}.\n",
        "| all predictive rules together | |",
        "| --- | --- |",
        f"| false rejects among Verus-accepted | {percent(found.verified)} |",
        f"| false rejects among proof failures | {percent(found.proof_failure)} |",
        f"| front-end failures foreseen | {percent(found.front_end)} |",
        f"| failing calls foreseen | {percent(found.failed)} |",
        f"| attempts that repeat an earlier one of their task | {percent(found.known)} |",
        f"| failing calls foreseen or known | {percent(found.failed_or_known)} |",
        "",
    ]
    if found.names:
        lines.append("False rejects: " + "; ".join(found.names) + "\n")
    lines += [
        "| rule | accepted | proof failed | front end failed | confirmed | occurs in accepted |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for code, counts in one.rules.items():
        if _ran(counts):
            predictive = CODES[code].family in PREDICTIVE
            confirmed = _plain(counts.confirmed) if predictive else ""
            lines.append(
                f"| {code} {CODES[code].name} | {_plain(counts.verified)} |"
                f" {_plain(counts.proof_failure)} | {_plain(counts.front_end)} | {confirmed} |"
                f" {_plain(counts.exposed['verified'])} |"
            )
    return "\n".join(lines) + "\n"


def _rule(row: Code, doc: RuleDoc | None, sets: Sequence[Calibration], snippets: str) -> str:
    lines = [
        f"### {row.code} {row.name}\n",
        f"{row.summary.capitalize()}. Severity: {row.severity}.\n",
    ]
    if doc is not None:
        lines += [
            f"Finds: {doc.finds}\n",
            f"Why: {doc.why}\n",
            "Example:\n",
            "````text",
            doc.example,
            "````\n",
            f"Remedy: {doc.remedy}\n",
            f"Verus versions: {doc.versions}\n",
        ]
    if snippets:
        lines.append(f"Snippets: {snippets}.\n")
    lines += ["Measured:\n", "```text", *measured(row.code, sets), "```\n"]
    return "\n".join(lines)


def _ran(counts: RuleCounts) -> bool:
    return counts.verified[1] + counts.failed[1] > 0


def _plain(pair: Pair) -> str:
    return f"{pair[0]}/{pair[1]}"


def _logs(one: Calibration) -> str:
    return ", ".join(f"{name} ({n} attempts)" for name, _, n in one.logs)
