"""`rule`, `calibrate`, and docs/rules.md in step with both."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from verulaw_gate.codes import CODES
from verulaw_gate.gate import calibration, native, rule_page
from verulaw_gate.gate.rules import rule_docs

ROOT = Path(__file__).resolve().parents[2]
SNIPPETS = ROOT / "tests" / "verus_snippets"
PAGE = ROOT / "docs" / "rules.md"
OWN = ROOT / "verulaw_gate" / "corpora"


@pytest.mark.parametrize("name", ["VG301", "vg301", "assume"])
def test_a_rule_is_explained_by_code_or_name(gate, name: str) -> None:
    done = gate("rule", name)
    assert done.returncode == 0
    for part in ("VG301 assume (trust, error)", "What it finds:", "Why it matters:", "Example:",
                 "Remedy:", "Measured:"):  # fmt: skip
        assert part in done.stdout


def test_every_code_can_be_explained(gate) -> None:
    listed = gate("rule").stdout
    docs, sets = rule_docs(), calibration.load()
    for code, row in CODES.items():
        assert f"{code}  {row.name}" in listed
        assert "Measured:" in rule_page.terminal(code, docs.get(code), sets)


def test_an_unknown_rule_names_the_nearest(gate) -> None:
    done = gate("rule", "asume")
    assert done.returncode == 2
    assert "did you mean 'assume'?" in done.stderr


def test_the_page_is_in_step_with_rules_and_counts(gate) -> None:
    """After a change: `verulaw-gate rule --markdown > docs/rules.md`."""
    assert gate("rule", "--markdown", f"--snippets={SNIPPETS}").stdout == PAGE.read_text(
        encoding="utf-8"
    )


def logs_of(one: calibration.Calibration) -> list[Path]:
    """The logs of a set, where they are on this machine; empty where they are not."""
    folders = [OWN, Path(os.environ.get("VERULAW_ATTEMPTS", ROOT.parent / "shared" / "attempts"))]
    found = [next((f / n for f in folders if (f / n).is_file()), None) for n, _, _ in one.logs]
    return [p for p in found if p is not None] if None not in found else []


@pytest.mark.parametrize("one", calibration.load(), ids=lambda one: one.name)
def test_the_committed_counts_are_those_that_the_logs_give(one: calibration.Calibration) -> None:
    """After a change: see docs/maintainers.md, "Measure again"."""
    logs = logs_of(one)
    if not logs:
        pytest.skip(f"no {', '.join(n for n, _, _ in one.logs)} here: set VERULAW_ATTEMPTS")
    if not native.available() and one.layers["native"][0]:
        pytest.skip("the native layer is not built, and the counts were made with it")
    from verulaw_gate.experiment.calibrate import calibrate

    assert calibrate(logs, one.name) == one


def test_calibrate_prints_counts_in_both_forms(gate) -> None:
    log = str(OWN / "proof-protocol-b.jsonl")
    done = gate("calibrate", log)
    assert done.returncode in (0, 1)
    assert "false rejects among Verus-accepted" in done.stdout
    assert "False rejects: " in done.stdout
    done = gate("calibrate", "--format", "json", log)
    document = json.loads(done.stdout)
    assert set(document) == {"predictive", "rules"}
    assert document["predictive"]["false_rejects"]["verified"][1] == 26
    assert document["predictive"]["false_rejects"]["proof_failure"][1] == 29
    assert document["predictive"]["foreseen"]["front_end"][1] == 16
    assert document["predictive"]["foreseen"]["failed"][1] == 45
    assert document["predictive"]["foreseen"]["known"][1] == 71
    assert set(document["rules"]) == set(CODES)


def test_calibrate_writes_counts_and_page(tmp_path: Path, gate) -> None:
    log = str(OWN / "proof-protocol-a.jsonl")
    arguments = ("--name=a", "--counts=counts.json", "--docs=rules.md", log)
    assert gate("calibrate", *arguments).returncode == 0
    (one,) = calibration.load(tmp_path / "counts.json")
    assert one.name == "a"
    page = (tmp_path / "rules.md").read_text()
    assert "## Measured on a" in page
    assert gate("rule", "--markdown", "--counts=counts.json").stdout == page


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["none.jsonl"], "none.jsonl"),
        (["--docs=x.md", "bad.jsonl"], "--docs needs --counts"),
        (["bad.jsonl"], "bad.jsonl:1"),
    ],
)
def test_bad_input(tmp_path: Path, gate, arguments: list[str], text: str) -> None:
    (tmp_path / "bad.jsonl").write_text("{}\n")
    done = gate("calibrate", *arguments)
    assert done.returncode == 2
    assert text in done.stderr
