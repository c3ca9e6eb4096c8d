"""Programs that Verus's front end accepts and that look like ones it refuses: no predictive
finding. The first line of a file says what makes them legal: so say the guide, the sources and the
tests of Verus, no recorded result yet. Whether the proofs succeed does not matter."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from verulaw_gate.codes import Family, Severity
from verulaw_gate.gate import Gate, native

PREDICTIVE = (Family.STRUCTURE, Family.SYNTAX, Family.STATIC)
FOLDER = Path(__file__).parent / "legal_programs"
needs_native = pytest.mark.skipif(not native.available(), reason=native.reason() or "available")


def programs() -> list[tuple[str, str]]:
    """`// == name`, then the items inside `verus!`."""
    found = []
    for path in sorted(FOLDER.glob("*.rs")):
        parts = re.split(r"(?m)^// == (.+)\n", path.read_text(encoding="utf-8"))
        found += [
            (f"{path.stem}: {head}", source)
            for head, source in zip(parts[1::2], parts[2::2], strict=True)
        ]
    return found


@needs_native
@pytest.mark.parametrize("source", [s for _, s in programs()], ids=[n for n, _ in programs()])
def test_a_legal_program_is_let_through(source: str) -> None:
    text = f"use vstd::prelude::*;\nverus! {{\n{source}\n}}\nfn main() {{}}\n"
    result = Gate().check_source(text)
    assert all(layer.ran for layer in result.layers)
    errors = [f for f in result.findings if f.severity is Severity.ERROR]
    assert [(f.code, f.message) for f in errors if f.family in PREDICTIVE] == []
    assert native.analyse(text).status == "ok"


def separable() -> list[tuple[str, str]]:
    """Programs that may stand in a module of their own."""
    return [(n, s) for n, s in programs() if not re.search(r"\bcrate::|macro_rules!|\bmain\b", s)]


@needs_native
@pytest.mark.parametrize("distance", [1, 7, 31, 50])
def test_legal_programs_in_modules_do_not_disturb_each_other(distance: int) -> None:
    found = []
    own = separable()
    for index, (name, source) in enumerate(own):
        other, beside = own[(index + distance) % len(own)]
        text = (
            f"use vstd::prelude::*;\nverus! {{\n{source}\n}}\n"
            f"mod neighbour {{\nuse vstd::prelude::*;\nverus! {{\n{beside}\n}}\n}}\n"
            "fn main() {}\n"
        )
        found += [
            (name, other, f.code, f.message)
            for f in Gate().check_source(text).findings
            if f.severity is Severity.ERROR and f.family in PREDICTIVE
        ]
    assert found == []


def test_there_are_programs_of_all_kinds() -> None:
    names = [name for name, _ in programs()]
    assert len(set(names)) == len(names) > 100
    assert all(path.read_text(encoding="utf-8").startswith("// ") for path in FOLDER.glob("*.rs"))
