"""`verulaw-gate doctor`: what is there, what is not, always exit code 0."""

from __future__ import annotations

import json
import os
import platform

import pytest

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


BROKEN = {
    "deep JSON": "i=0; while [ $i -lt 3000 ]; do printf '{\"a\":'; i=$((i+1)); done",
    "garbage": "printf '\\033[31m\\007\\377\\000'",
    "strange fields": 'echo \'{"verus": {"version": "1 2", "toolchain": null}}\'',
    "escapes": 'printf \'{"verus": {"version": "1\\\\u001b[31m"}}\'',
    "nothing": "exit 0",
    "flood": "yes",
    "signal": "kill -9 $$",
}


@pytest.mark.parametrize("body", BROKEN.values(), ids=BROKEN)
@pytest.mark.parametrize("form", ["human", "json"])
def test_a_broken_verus_is_told_and_does_nothing_to_the_terminal(gate, tmp_path, body, form):
    verus = tmp_path / "verus"
    verus.write_text(f"#!/bin/sh\n{body}\n")
    verus.chmod(0o755)
    done = gate("doctor", "--format", form, VERULAW_VERUS=str(verus))
    assert done.returncode == 0, done.stderr
    assert "does not answer like Verus" in done.stdout
    assert all(c.isprintable() or c == "\n" for c in done.stdout)


@pytest.mark.parametrize("name", ["VERULAW_VERUS", "VERUS_Z3_PATH"])
@pytest.mark.parametrize("kind", ["folder", "no program", "no interpreter", "no home", "loop"])
def test_a_place_that_cannot_be_started_is_told(gate, tmp_path, name, kind):
    place = tmp_path / "place"
    if kind == "folder":
        place.mkdir()
    elif kind == "loop":
        place.symlink_to(place)
    elif kind != "no home":
        place.write_text("#!/no/such/program\n" if kind == "no interpreter" else "text")
        place.chmod(0o755)
    told = lines(
        gate(
            "doctor",
            "--format",
            "json",
            **{
                "VERULAW_VERUS": str(STANDIN),
                name: "~no-such-user/verus" if kind == "no home" else str(place),
            },
        )
    )
    row = told["Verus" if name == "VERULAW_VERUS" else "z3"]
    assert not row["ok"] or row["hint"]
    if name == "VERUS_Z3_PATH":
        assert told["Verus"]["ok"]


@pytest.mark.parametrize("store", ["/no/such/folder/store.sqlite", "/proc/1/store.sqlite"])
def test_a_store_that_could_not_be_made_is_told(gate, store):
    if store.startswith("/proc") and os.access("/proc/1", os.W_OK):
        pytest.skip("this user may write everywhere, as far as access(2) tells")
    assert not lines(gate("doctor", "--format", "json", "--store", store))["store"]["ok"]
