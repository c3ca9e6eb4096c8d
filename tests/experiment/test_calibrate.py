"""Counts of rules over recorded attempts: every k and n counted again, another way."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verulaw_gate.codes import CODES, PREDICTIVE, Family
from verulaw_gate.experiment.calibrate import calibrate
from verulaw_gate.gate import Gate

HEAD = "use vstd::prelude::*;\nverus! {\n"
TAIL = "\n} // verus!\nfn main() {}\n"
SOURCES = {
    "plain": HEAD + "proof fn f(x: int)\n    ensures x == x,\n{\n}" + TAIL,
    "broken": HEAD + "proof fn f(x: int)\n    ensures x == x,\n{\n" + TAIL,
    "fenced": "```rust\n" + HEAD + "proof fn f(x: int)\n    ensures x == x,\n{\n}" + TAIL + "```\n",
    "cheat": HEAD + "proof fn f(x: int)\n    ensures x == x,\n{\n    assume(x == x);\n}" + TAIL,
    "weaker": HEAD + "proof fn f(x: int)\n    ensures true,\n{\n}" + TAIL,
    # the same program as plain
    "spaced": HEAD + "proof fn f(x: int) // a remark\n    ensures x  ==  x,\n{ }" + TAIL,
}
OUTCOMES = ("verified", "proof-failure", "rlimit", "compile-error", "timeout", "crash")
FAILED = OUTCOMES[1:]

Attempts = list[tuple[str, str, bool]]
attempts = st.lists(
    st.tuples(
        st.sampled_from(sorted(SOURCES)), st.sampled_from((*OUTCOMES, "tool-error")), st.booleans()
    ),
    min_size=1,
    max_size=8,
)


def write(path: Path, rows: Iterable[tuple[str, str, bool]]) -> Path:
    lines = []
    for number, (source, outcome, based) in enumerate(rows, 1):
        row = {
            "schema": "verulaw-gate/attempt/1",
            "task": "one",
            "attempt": number,
            "source": SOURCES[source],
            "verus": {"version": "0.2026.06.08.9a4284b", "outcome": outcome},
        }
        if based:
            row["base"] = SOURCES["plain"]
        lines.append(json.dumps(row))
    path.write_text("\n".join(lines) + "\n")
    return path


@settings(max_examples=40, deadline=None)
@given(attempts)
def test_every_share_is_the_one_that_a_recount_gives(tmp_path_factory, rows: Attempts) -> None:
    path = write(tmp_path_factory.mktemp("log") / "log.jsonl", rows)
    found = calibrate([path])
    scored = [r for r in rows if r[1] != "tool-error"]
    assert found.unscored == len(rows) - len(scored)
    assert found.scored == len(scored)

    rejected = [
        {
            f.code
            for f in Gate(SOURCES["plain"] if based else None).check_source(SOURCES[name]).findings
            if f.severity == "error"
        }
        for name, _, based in scored
    ]
    predictive = [any(CODES[c].family in PREDICTIVE for c in codes) for codes in rejected]
    outcomes = [outcome for _, outcome, _ in scored]

    def share(flags: list[bool], kinds: Iterable[str]) -> tuple[int, int]:
        chosen = [flag for flag, outcome in zip(flags, outcomes, strict=True) if outcome in kinds]
        return sum(chosen), len(chosen)

    total = found.predictive
    assert total.verified == share(predictive, ["verified"])
    assert total.proof_failure == share(predictive, ["proof-failure", "rlimit"])
    assert total.front_end == share(predictive, ["compile-error"])
    assert total.failed == (total.front_end[0], share(predictive, FAILED)[1])
    assert len(total.names) == total.verified[0] + total.proof_failure[0]

    same = [("plain" if name == "spaced" else name) for name, _, _ in scored]
    repeats = [name in same[:n] for n, name in enumerate(same)]
    assert total.known == (sum(repeats), len(scored))
    assert found.rules["VG501"].failed == share(repeats, FAILED)

    for code in ("VG101", "VG102", "VG301"):
        flags = [code in codes for codes in rejected]
        counts = found.rules[code]
        assert counts.verified == share(flags, ["verified"])
        assert counts.proof_failure == share(flags, ["proof-failure", "rlimit"])
        assert counts.front_end == share(flags, ["compile-error"])
        assert counts.failed == share(flags, FAILED)
        assert counts.confirmed[0] == 0  # the log has no diagnostics
        if code != "VG301":
            assert counts.confirmed[1] == sum(flags)
    # Without a base the specification is not compared: those attempts are in no n of its rule.
    flags = [
        based and "VG403" in codes for (_, _, based), codes in zip(scored, rejected, strict=True)
    ]
    based_only = sum(based and outcome == "verified" for _, outcome, based in scored)
    assert found.rules["VG403"].verified == (share(flags, ["verified"])[0], based_only)


def test_rules_of_traces_are_measured_on_raw_answers_only(tmp_path: Path) -> None:
    found = calibrate([write(tmp_path / "log.jsonl", [("plain", "verified", True)])])
    for code, row in CODES.items():
        if row.family is Family.PROTOCOL or code in ("VG104", "VG105", "VG401"):
            counts = found.rules[code]
            assert (counts.verified, counts.failed) == ((0, 0), (0, 0)), code


TASK = HEAD + "//@ lemmas\nproof fn f(x: int)\n    ensures x == x,\n//@ body" + TAIL


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("[Body]\n{\n}\n[QED]\n", set()),
        ("Well.\n[Body]\n{\n}\n[QED]\n", {"VG001"}),
        ("[Body]\n{\n}\n", {"VG006"}),
        ("[Lemma]\nhello\n[Body]\n{\n}\n[QED]\n", {"VG104"}),
        ("[Body]\nnothing\n[QED]\n", {"VG105"}),
    ],
)
def test_what_a_raw_answer_shows(tmp_path: Path, text: str, codes: set[str]) -> None:
    row = {
        "schema": "verulaw-gate/attempt/1",
        "task": "one",
        "attempt": 1,
        "text": text,
        "source": SOURCES["plain"],
        "base": TASK,
        "verus": {"outcome": "verified"},
    }
    path = tmp_path / "log.jsonl"
    path.write_text(json.dumps(row))
    found = calibrate([path])
    assert {c for c, counts in found.rules.items() if counts.verified[0]} == codes
    assert found.rules["VG001"].verified[1] == 1
    conforming = not any(c.startswith("VG00") for c in codes)
    assert found.rules["VG104"].verified[1] == conforming


def test_a_finding_is_confirmed_by_line_and_kind(tmp_path: Path) -> None:
    source = SOURCES["fenced"]
    for message, line, confirmed in (
        ("unknown start of token: `", 1, 1),
        ("unknown start of token: `", 7, 0),
        ("mismatched types", 1, 0),
    ):
        verus = {
            "version": "0.2026.06.08.9a4284b",
            "outcome": "compile-error",
            "diagnostics": [{"message": message, "line": line, "column": 1}],
        }
        row = {
            "schema": "verulaw-gate/attempt/1",
            "task": "one",
            "attempt": 1,
            "source": source,
            "verus": verus,
        }
        path = tmp_path / "log.jsonl"
        path.write_text(json.dumps(row))
        assert calibrate([path]).rules["VG102"].confirmed == (confirmed, 1)


def test_on_another_verus_version_syntax_and_static_rules_only_warn(tmp_path: Path) -> None:
    source = HEAD + "fn f() { let mut i = 0; while i < 3 { i = i + 1; } }" + TAIL
    for version, warned in (("0.2026.06.08.9a4284b", 0), ("0.2031.01.01.0000000", 1)):
        row = {
            "schema": "verulaw-gate/attempt/1",
            "task": "one",
            "attempt": 1,
            "source": source,
            "verus": {"version": version, "outcome": "compile-error"},
        }
        path = tmp_path / "log.jsonl"
        path.write_text(json.dumps(row))
        counts = calibrate([path]).rules["VG251"]
        if counts.front_end[1] == 0:
            pytest.skip("the native layer is not built: VG251 did not run")
        assert (counts.front_end[0], counts.warned[0]) == (1 - warned, warned)
