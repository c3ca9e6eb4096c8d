"""Finding Verus and z3, and what they say of themselves."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from tests.standins.harness import STANDIN
from verulaw_gate.errors import ToolError, VerusNotFound
from verulaw_gate.verus import find

TEXT = """Verus
  Version: 0.2026.06.08.9a4284b
  Profile: release
  Platform: linux_x86_64
  Toolchain: 1.95.0-x86_64-unknown-linux-gnu
"""
TRANSCRIPT = Path(__file__).parent / "transcripts" / "time-statistics.json"


def program(path: Path, body: str = "exit 0") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


def env(tmp_path, **more):
    return {"PATH": str(tmp_path / "empty"), "HOME": str(tmp_path / "home"), **more}


def test_the_order_of_the_search(tmp_path):
    """Each place wins over all that come after it."""
    places = {
        "--verus": program(tmp_path / "explicit" / "verus"),
        "VERULAW_VERUS": program(tmp_path / "variable" / "verus"),
        "the configuration": program(tmp_path / "configured" / "verus"),
        "PATH": program(tmp_path / "path" / "verus"),
        "a known place": program(tmp_path / "home" / "verus" / "verus"),
    }
    for skipped in range(len(places)):
        have = dict(list(places.items())[skipped:])
        environment = env(tmp_path)
        if "PATH" in have:
            environment["PATH"] = str(tmp_path / "path")
        if "VERULAW_VERUS" in have:
            environment["VERULAW_VERUS"] = str(have["VERULAW_VERUS"])
        found, by = find.find_program(
            have.get("--verus"),
            configured=have.get("the configuration"),
            environment=environment,
        )
        assert (by, found) == next(iter(have.items()))


def test_nothing_found_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setattr(find, "_KNOWN_PLACES", ("~/verus/verus",))
    with pytest.raises(VerusNotFound) as caught:
        find.find_program(environment=env(tmp_path))
    assert caught.value.hint == "set VERULAW_VERUS or put verus on PATH"


@pytest.mark.parametrize("how", ["missing", "folder", "not-executable"])
def test_a_named_place_that_is_none_is_never_passed_over(tmp_path, how):
    bad = tmp_path / "named"
    if how == "folder":
        bad.mkdir()
    elif how == "not-executable":
        bad.write_text("x")
    program(tmp_path / "path" / "verus")
    environment = env(tmp_path, PATH=str(tmp_path / "path"), VERULAW_VERUS=str(bad))
    with pytest.raises(VerusNotFound, match="VERULAW_VERUS names"):
        find.find_program(environment=environment)


def test_a_folder_that_holds_verus_is_as_good(tmp_path):
    path = program(tmp_path / "release" / "verus")
    assert find.find_program(tmp_path / "release", environment=env(tmp_path))[0] == path


class TestVersion:
    def test_text(self):
        version = find.parse_version(TEXT)
        assert version is not None
        assert version.version == "0.2026.06.08.9a4284b"
        assert version.toolchain == "1.95.0-x86_64-unknown-linux-gnu"

    def test_both_forms_of_real_output_agree(self):
        runs = json.loads(TRANSCRIPT.read_text())["runs"]
        by_json, by_text = (find.parse_version(runs[i]["stdout"]) for i in (0, 2))
        assert by_json is not None
        assert by_text is not None
        assert (by_json.version, by_json.toolchain) == (by_text.version, by_text.toolchain)

    @pytest.mark.parametrize("output", ["", "hello", "{", '{"verus": 1}', '{"verus": {}}', "[]"])
    def test_anything_else_is_none(self, output):
        assert find.parse_version(output) is None

    def test_the_text_form_is_the_fallback(self, tmp_path):
        body = 'if [ "$2" = --output-json ]; then echo "unknown option" >&2; exit 1; fi\n'
        body += f"cat <<'EOF'\n{TEXT}EOF"
        path = program(tmp_path / "verus", body)
        assert find.read_version(path).version == "0.2026.06.08.9a4284b"

    def test_a_program_that_is_not_verus(self, tmp_path):
        path = program(tmp_path / "verus", "echo something else; exit 3")
        with pytest.raises(ToolError, match=r"exit code 3.*something else"):
            find.read_version(path)


class TestInstall:
    def test_all_of_it(self, tmp_path):
        verus = tmp_path / "release" / "verus"
        verus.parent.mkdir()
        verus.symlink_to(STANDIN)
        z3 = program(tmp_path / "z3", "echo Z3 version 4.12.5 - 64 bit")
        environment = env(tmp_path, VERUS_Z3_PATH=str(z3))
        install = find.find_verus(verus, environment=environment)
        assert install.version.version == "0.2026.06.08.9a4284b"
        assert (install.z3.path, install.z3.found_by) == (z3, "VERUS_Z3_PATH")
        assert install.z3.version == "4.12.5"
        assert install.warnings == ()

    def test_another_version_warns(self, tmp_path):
        text = TEXT.replace("0.2026.06.08.9a4284b", "0.2027.01.01.0000000")
        path = program(tmp_path / "verus", f"cat <<'EOF'\n{text}EOF")
        install = find.find_verus(path, environment=env(tmp_path))
        assert any("calibrated" in w and "0.2027" in w for w in install.warnings)
        assert any("no z3" in w for w in install.warnings)

    def test_z3_beside_verus_then_path(self, tmp_path):
        verus = program(tmp_path / "release" / "verus")
        on_path = program(tmp_path / "path" / "z3", "echo Z3 version 4.8.5")
        environment = env(tmp_path, PATH=str(tmp_path / "path"))
        assert find.find_z3(verus, environment=environment).path == on_path
        beside = program(tmp_path / "release" / "z3", "echo Z3 version 4.12.5")
        assert find.find_z3(verus, environment=environment).path == beside
        environment["VERUS_Z3_PATH"] = str(tmp_path / "gone")
        missing = find.find_z3(verus, environment=environment)
        assert missing.path is None
        assert "VERUS_Z3_PATH" in missing.found_by

    def test_the_hash_of_vstd_where_it_lies_beside(self, tmp_path):
        verus = program(tmp_path / "verus")
        assert find.vstd_hash(verus) is None
        (tmp_path / "vstd.vir").write_bytes(b"library")
        assert find.vstd_hash(verus) == hashlib.sha256(b"library").hexdigest()


def test_a_program_that_does_not_end_is_one_error_after_one_try(tmp_path, monkeypatch):
    monkeypatch.setattr(find, "_ANSWER_S", 0.5)
    asked = tmp_path / "asked"
    hangs = program(tmp_path / "verus", f"echo x >> {asked}\nsleep 3600")
    with pytest.raises(ToolError, match=r"did not end within 0\.5 s"):
        find.read_version(hangs)
    assert asked.read_text() == "x\n"


def test_a_z3_that_hangs_has_no_version(tmp_path, monkeypatch):
    monkeypatch.setattr(find, "_ANSWER_S", 0.5)
    z3 = program(tmp_path / "z3", "sleep 3600")
    found = find.find_z3(tmp_path / "verus", environment=env(tmp_path, VERUS_Z3_PATH=str(z3)))
    assert (found.path, found.version) == (z3, None)
