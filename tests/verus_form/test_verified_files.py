"""The verified files are the very text that Verus verified: an edit loses the label."""

import hashlib
import json
from pathlib import Path

import pytest

from verulaw_gate.protocol import load_protocol
from verulaw_gate.protocol.export_verus import export_verus

FORM = Path(__file__).resolve().parents[2] / "verus_form"

# SHA-256 of the texts that verified.json speaks of.
VERIFIED = {
    "automaton.rs": "d9cf93184611cded50fa33da76c5880818ec104e724027ec313904d1ef3145f1",
    "monitor.rs": "4deae1a1b6df37381c4d3786de6e446b3fe2f22da52c55eb677ccb4ba5639a3a",
    "pass_scheduler.rs": "42c7bf92f2941a1f5fed9277e49290d6ee7d6d0041a9befbf51027ac00c6a35a",
    "proof_controller.rs": "bb6286c3a858ee5bfa57c1a1a2a8e397671d51602586bf231d9c857f27901144",
    "splitter.rs": "dc34e33392155c988ac21a75766f94dcf9e2c8ced75c1e4293d02dc6e78baba8",
}


@pytest.mark.parametrize("name", sorted(VERIFIED))
def test_the_text_is_the_verified_one(name: str) -> None:
    assert hashlib.sha256((FORM / name).read_bytes()).hexdigest() == VERIFIED[name]


def test_recorded_results_are_successes_without_cheating() -> None:
    rows = {row["file"]: row for row in json.loads((FORM / "verified.json").read_text())}
    assert set(rows) == set(VERIFIED)
    for row in rows.values():
        assert row["exit_code"] == 0
        assert row["options"] == ["--no-cheating"]
        assert row["verification_results"]["success"] is True
        assert row["verification_results"]["errors"] == 0
        assert row["verification_results"]["verified"] > 0


def test_everything_else_is_marked_unconfirmed() -> None:
    for path in FORM.glob("*.rs"):
        marked = "unconfirmed" in path.read_text(encoding="utf-8").split("use vstd")[0]
        assert marked == (path.name not in VERIFIED), path.name


def _items(text: str) -> list[str]:
    """Top-level items with their comments: blocks between blank lines that begin at column 1."""
    blocks: list[str] = []
    for block in text.split("\n} // verus!")[0].split("\n\n"):
        if block.startswith(("///", "pub ", "proof ", "fn ", "#[")):
            blocks.append(block.strip())
        elif blocks:
            blocks[-1] += "\n\n" + block.rstrip()
    return blocks


def test_the_printed_proof_controller_repeats_the_verified_words() -> None:
    """All but one printed item of the proof protocol stands word for word in the verified file."""
    verified = (FORM / "proof_controller.rs").read_text(encoding="utf-8")
    printed = export_verus(load_protocol("proof"))
    new = [item for item in _items(printed) if item.split("\n// ---")[0].strip() not in verified]
    assert [item.split("(steps")[0].split()[-1] for item in new] == [
        "theorem_correction_keeps_prefix"
    ]
