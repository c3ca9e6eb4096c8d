"""Seeded faults (`scripts/verus_faults.py` runs more of them)."""

from __future__ import annotations

from tests.standins.faults import KINDS
from tests.standins.harness import run_faults


def test_seeded_faults(tmp_path, capsys):
    tally = run_faults(range(1000, 1000 + 60), tmp_path / "ledger", workers=4)
    with capsys.disabled():
        print(f"\n{tally}")
    assert set(tally.kinds) == set(KINDS)
    assert tally.wrong == []
    assert tally.lost == 0
    assert tally.executed_twice == []
    assert tally.alive == []
    assert tally.files == []
