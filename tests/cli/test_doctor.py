"""`verulaw-gate doctor`: what is there, what is not, always exit code 0."""

from __future__ import annotations

import json
import platform

from tests.standins.harness import STANDIN
from verulaw_gate import __version__


def lines(done) -> dict[str, str]:
    assert done.returncode == 0, done.stderr
    return {row["name"]: row for row in json.loads(done.stdout)}


def test_without_verus(gate, tmp_path):
    done = gate("doctor", PATH="/usr/bin:/bin", HOME=str(tmp_path))
    assert done.returncode == 0
    assert "not found: set VERULAW_VERUS or put verus on PATH" in done.stdout
    assert f"verulaw-gate      {__version__}" in done.stdout
    assert platform.python_version() in done.stdout
    assert "tree-sitter-rust" in done.stdout
    assert "store.sqlite (not there yet" in done.stdout


def test_with_verus_and_z3(gate, tmp_path):
    z3 = tmp_path / "z3"
    z3.write_text("#!/bin/sh\necho Z3 version 4.12.5 - 64 bit\n")
    z3.chmod(0o755)
    done = gate("doctor", "--format", "json", VERULAW_VERUS=str(STANDIN), VERUS_Z3_PATH=str(z3))
    told = lines(done)
    assert told["Verus"]["value"].startswith(f"0.2026.06.08.9a4284b at {STANDIN} (VERULAW_VERUS)")
    assert told["Verus"]["ok"]
    assert told["z3"]["value"] == f"4.12.5 at {z3} (VERUS_Z3_PATH)"


def test_another_version_is_told(gate, tmp_path):
    verus = tmp_path / "verus"
    verus.write_text("#!/bin/sh\nprintf 'Verus\\n  Version: 9.9\\n'\n")
    verus.chmod(0o755)
    told = lines(gate("doctor", "--format", "json", "--verus", str(verus)))
    assert not told["Verus"]["ok"]
    assert "calibrated" in told["Verus"]["hint"]


def test_a_program_that_is_not_verus(gate, tmp_path):
    verus = tmp_path / "verus"
    verus.write_text("#!/bin/sh\nexit 7\n")
    verus.chmod(0o755)
    told = lines(gate("doctor", "--format", "json", "--verus", str(verus)))
    assert not told["Verus"]["ok"]
    assert "exit code 7" in told["Verus"]["value"]


def test_broken_settings_and_store_are_told_not_raised(gate, tmp_path):
    (tmp_path / "pyproject.toml").write_text("[tool.verulaw-gate]\nnonsense = 1\n")
    (tmp_path / "store.sqlite").write_text("not a database")
    told = lines(gate("doctor", "--format", "json"))
    assert not told["settings"]["ok"]
    assert "nonsense" in told["settings"]["value"]
    assert not told["store"]["ok"]


def test_settings_in_use_are_named(gate, tmp_path):
    (tmp_path / "pyproject.toml").write_text(
        f"[tool.verulaw-gate]\nverus = {json.dumps(str(STANDIN))}\nignore = ['VG107']\n"
    )
    told = lines(gate("doctor", "--format", "json"))
    assert "ignore, verus" in told["settings"]["value"]
    assert "(the configuration)" in told["Verus"]["value"]


def test_a_password_is_never_printed(gate):
    done = gate("doctor", VERULAW_STORE="postgresql://me:secret@localhost:1/none")
    assert done.returncode == 0
    assert "secret" not in done.stdout + done.stderr


def test_it_makes_no_store(gate, tmp_path):
    gate("doctor")
    assert not (tmp_path / "store.sqlite").exists()
