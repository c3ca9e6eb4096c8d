"""`verulaw-gate verus --manifest-path`, by a stand-in for cargo."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

STANDINS = Path(__file__).resolve().parents[1] / "standins"


@pytest.fixture
def crate(tmp_path, standin, honest):
    """A crate and a PATH on which cargo is the stand-in."""
    cargo = tmp_path / "bin" / "cargo"
    cargo.parent.mkdir()
    body = (STANDINS / "cargo_standin.py").read_text(encoding="utf-8")
    cargo.write_text(f"#!{os.path.realpath(sys.executable)} -IS\n{body}", encoding="utf-8")
    cargo.chmod(0o755)
    (tmp_path / "crate" / "src").mkdir(parents=True)
    (tmp_path / "crate" / "Cargo.toml").write_text('[package]\nname = "demo"\n')
    (tmp_path / "crate" / "src" / "lib.rs").write_text(honest)
    path = f"{cargo.parent}{os.pathsep}{os.environ['PATH']}"
    return {"PATH": path, "VERULAW_VERUS": str(standin)}


CALL = ("verus", "--manifest-path", "crate/Cargo.toml")


def test_a_file_of_the_crate_stands_in_its_own_place(gate, crate, honest):
    done = gate(*CALL, "crate/src/lib.rs", "--rlimit", "5", **crate)
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stderr)
    assert seen["files"]["src/lib.rs"] == honest
    assert seen["argv"][-3:] == ["--", "--rlimit", "5"]
    assert '"verified": 1' in done.stdout


def test_a_candidate_from_elsewhere_takes_a_place(gate, crate, tmp_path, honest):
    (tmp_path / "draft.rs").write_text(honest + "// draft\n")
    done = gate(*CALL, "--as=src/lib.rs", "draft.rs", **crate)
    assert json.loads(done.stderr)["files"]["src/lib.rs"] == honest + "// draft\n"
    assert (tmp_path / "crate" / "src" / "lib.rs").read_text() == honest
    done = gate(*CALL, "draft.rs", **crate)
    assert done.returncode == 2
    assert "--as=src/lib.rs" in done.stderr


def test_a_rejected_file_is_not_verified(gate, crate, tmp_path, cheat):
    (tmp_path / "draft.rs").write_text(cheat)
    done = gate(*CALL, "--as", "src/lib.rs", "draft.rs", **crate)
    assert done.returncode == 1
    assert "verulaw-gate[VG301]" in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ("verus", "--as", "src/lib.rs", "crate/src/lib.rs"),
        (*CALL, "--version"),
        (*CALL, "--receipt", "r.json", "crate/src/lib.rs"),
        ("verus", "--manifest-path", "none/Cargo.toml", "--as", "x.rs", "crate/src/lib.rs"),
        (*CALL, "crate/src/missing.rs"),
    ],
)
def test_bad_usage_is_one_clear_error(gate, crate, arguments):
    done = gate(*arguments, **crate)
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("verulaw-gate: error: ")
