"""The transcripts' sources through a real Verus, where there is one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from verulaw_gate.errors import ToolError
from verulaw_gate.verus.find import CALIBRATED_VERSIONS, find_verus
from verulaw_gate.verus.model import VerusOptions
from verulaw_gate.verus.verifier import VerusVerifier

FOLDER = Path(__file__).parent / "transcripts"
# These speak of the command line or the machine, not of a source text.
NAMES = sorted(p.stem for p in FOLDER.glob("*.rs") if p.stem not in ("missing-z3", "not-utf8"))


@pytest.fixture(scope="module")
def real():
    try:
        install = find_verus()
    except ToolError as problem:
        pytest.skip(f"no real Verus: {problem.message}")
    if install.version.version not in CALIBRATED_VERSIONS:
        pytest.skip(f"Verus {install.version.version} is not that of the transcripts")
    return VerusVerifier(install.path, version=install.version.version)


@pytest.mark.parametrize("name", NAMES)
def test_real_verus_says_what_it_said(real, name):
    data = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    first = data["runs"][0]
    source = (FOLDER / f"{name}.rs").read_text(encoding="utf-8")
    result = real.verify(source, VerusOptions(tuple(first["argv"][2:])))
    assert result.outcome == data["expected"]
    assert result.exit_code == first["exit_code"]
