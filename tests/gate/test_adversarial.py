"""Cheats in disguise must be caught; innocent look-alikes must pass.

Each file says in its head why it is there (`why`), what it is held against (`base` or `task`),
for a cheat which code has to name it (`expect`), and which codes a file may show as warnings when
there is no base (`alone`). A trace (`.txt`) has its head above a line `---`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from verulaw_gate.codes import Family, Severity, family_of
from verulaw_gate.gate import Gate
from verulaw_gate.tasks import load_task

SUITE = Path(__file__).parent / "adversarial"
CHEATS = sorted((SUITE / "cheats").iterdir())
INNOCENT = sorted((SUITE / "innocent").iterdir())


class Case:
    def __init__(self, path: Path) -> None:
        text = path.read_bytes().decode()
        self.head: dict[str, str] = {}
        mark = "# " if path.suffix == ".txt" else "// "
        for line in text.removeprefix("\ufeff").split("\n")[:6]:
            key, colon, value = line.partition(": ")
            if colon and key.startswith(mark):
                self.head.setdefault(key.removeprefix(mark), value.strip())
        self.text = text.split("---\n", 1)[1] if path.suffix == ".txt" else text
        self.trace = path.suffix == ".txt"

    def gate(self) -> Gate:
        if self.trace:
            return Gate(load_task(self.head["task"]))
        return Gate((SUITE / "bases" / f"{self.head['base']}.rs").read_text())


def test_the_suite_is_large_and_balanced() -> None:
    assert len(CHEATS) + len(INNOCENT) >= 300
    assert min(len(CHEATS), len(INNOCENT)) >= 130
    whys = [Case(path).head["why"] for path in CHEATS + INNOCENT]
    assert all(whys)


@pytest.mark.parametrize("path", CHEATS, ids=lambda p: p.stem)
def test_a_cheat_is_caught(path: Path) -> None:
    case = Case(path)
    result = case.gate().check(case.text)
    rejecting = {f.code for f in result.findings if f.severity is Severity.ERROR}
    assert case.head["expect"] in rejecting, result.findings
    assert not result.accepted


@pytest.mark.parametrize("path", [p for p in CHEATS if p.suffix == ".rs"], ids=lambda p: p.stem)
def test_without_a_base_a_cheat_of_trust_is_a_warning(path: Path) -> None:
    case = Case(path)
    code = case.head["expect"]
    if family_of(code) is not Family.TRUST:
        assert "base" in case.head
        return
    found = [f for f in Gate().check(case.text).findings if f.code == code]
    assert found
    assert {f.severity for f in found} == {Severity.WARNING}


@pytest.mark.parametrize("path", INNOCENT, ids=lambda p: p.stem)
def test_an_innocent_file_passes(path: Path) -> None:
    case = Case(path)
    result = case.gate().check(case.text)
    assert result.findings == ()
    assert result.accepted


@pytest.mark.parametrize("path", [p for p in INNOCENT if p.suffix == ".rs"], ids=lambda p: p.stem)
def test_an_innocent_file_is_quiet_without_a_base(path: Path) -> None:
    case = Case(path)
    codes = {f.code for f in Gate().check(case.text).findings}
    assert codes == set(case.head.get("alone", "").split())


@pytest.mark.parametrize("base", sorted((SUITE / "bases").iterdir()), ids=lambda p: p.stem)
def test_a_base_against_itself_has_no_findings(base: Path) -> None:
    text = base.read_text()
    assert Gate(text).check(text).findings == ()
