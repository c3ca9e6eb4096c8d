"""`verulaw-gate recalibrate` on a stand-in for a later Verus."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from verulaw_gate.cli import verus_pin
from verulaw_gate.codes import Severity
from verulaw_gate.errors import InputError
from verulaw_gate.experiment.snippets import in_words, load_snippets
from verulaw_gate.gate import Gate, native, versions
from verulaw_gate.gate import gate as gate_module
from verulaw_gate.gate.versions import Measured

ROOT = Path(__file__).resolve().parents[2]
NEWER = ROOT / "tests" / "standins" / "verus_newer.py"
VERSION = "0.2031.02.03.standin"

HEAD = "use vstd::prelude::*;\nverus! {\n"
TAIL = "\n} // verus!\nfn main() {}\n"
LOOP = HEAD + "fn f() { let mut i: u8 = 0; while i < 3 { i = i + 1; } }" + TAIL
INT = HEAD + "fn f() { let refuse_me = 3 as int; }" + TAIL
FINE = HEAD + "proof fn f() { }" + TAIL

SNIPPETS = {
    "VG251": {
        "a loop": ("found", "fn f() { let mut i: u8 = 0; while i < 3 { i = i + 1; } }\n"),
        "no loop": ("silent", "proof fn f() { }\n"),
    },
    "VG255": {
        "an int": ("found", INT),
        "An int!": ("silent", "proof fn refuse_me() { }\n"),
    },
}

needs_native = pytest.mark.skipif(
    not native.available(), reason="the native layer is not built: no static rule runs"
)


@pytest.fixture
def done(tmp_path: Path, gate):
    """Snippets and a log through the stand-in, once."""
    folder = tmp_path / "snippets"
    folder.mkdir()
    for code, table in SNIPPETS.items():
        text = ""
        for name, (expect, source) in table.items():
            text += f"[[snippet]]\nname = '{name}'\nexpect = '{expect}'\nwhy = 'so'\n"
            text += f"status = 'unconfirmed'\nsource = '''\n{source}'''\n"
        (folder / f"{code}.toml").write_text(text)
    rows = [
        {"schema": "verulaw-gate/attempt/1", "task": "t", "attempt": n, "source": text}
        for n, text in enumerate((LOOP, INT, FINE), 1)
    ]
    (tmp_path / "log.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n")
    vstd = tmp_path / "vstd-0.0.0-2031-02-01-0000"
    vstd.mkdir()
    (vstd / "vstd.rs").write_text("pub fn a_name_of_vstd() {}\n")

    newer = tmp_path / "newer-verus"
    newer.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{NEWER}" "$@"\n')
    newer.chmod(0o755)

    def call(*more: str, **env: str):
        return gate(
            "recalibrate",
            f"--verus={newer}",
            "--snippets=snippets",
            "--log=log.jsonl",
            "--into=out",
            "--versions=versions.json",
            f"--vstd={vstd}",
            *more,
            PATH="/nowhere",  # no cargo
            **env,
        )

    return call


@needs_native
def test_rules_that_no_longer_hold_are_named_and_switched_off(tmp_path: Path, done) -> None:
    found = done()
    assert found.returncode == 1, found.stderr
    assert f"not run on this version from now on: VG251: on Verus {VERSION}" in found.stdout
    assert "VG255: rejects 2 files, confirmed by line and kind 2/2, wrong 0" in found.stdout
    assert "snippets that do what they say: 2/4" in found.stdout
    assert "VG251 'a loop': to be refused, but verified" in found.stdout
    assert "VG255 'An int!': to pass the front end, but compile-error" in found.stdout
    (entry,) = versions.load(tmp_path / "versions.json")
    assert entry.version == VERSION
    assert set(entry.off) == {"VG251"}
    assert entry.speaks == {"VG251": 2, "VG255": 2}
    assert (entry.holds("VG251"), entry.holds("VG255"), entry.holds("VG259")) == (
        False,
        True,
        False,
    )


@needs_native
def test_everything_is_written_and_a_second_run_changes_nothing(tmp_path: Path, done) -> None:
    done()
    out = tmp_path / "out" / VERSION
    written = {p.relative_to(out).as_posix(): p.read_bytes() for p in out.rglob("*.json*")}
    assert {
        "snippets/VG251/a-loop.json",
        "snippets/VG251/no-loop.json",
        "snippets/VG255/an-int.json",
        "snippets/VG255/an-int-2.json",
        "log.jsonl",
        "calibration.json",
        "vstd_index.json",
    } == set(written)
    assert b"a_name_of_vstd" in written["vstd_index.json"]
    before = (tmp_path / "versions.json").read_bytes()
    again = done()
    assert again.returncode == 1
    assert (tmp_path / "versions.json").read_bytes() == before
    now = {p.relative_to(out).as_posix(): p.read_bytes() for p in out.rglob("*.json*")}
    assert now == written


def test_the_pin_is_named_even_without_cargo(done) -> None:
    out = done().stdout
    assert "verus_syn for Verus" in out
    assert "<=0.0.0-2031-02-03-9999" in out


def test_without_anything_to_run_it_says_so(tmp_path: Path, gate) -> None:
    done = gate("recalibrate", f"--verus={NEWER}", "--snippets=nothing")
    assert done.returncode == 2
    assert "there is nothing to run" in done.stderr


@pytest.mark.parametrize(
    ("version", "requirement"),
    [
        ("0.2026.06.08.9a4284b", ">=0.0.0-2024-01-01-0000, <=0.0.0-2026-06-08-9999"),
        ("1.0", None),
    ],
)
def test_the_requirement_of_a_release(version: str, requirement: str | None) -> None:
    assert verus_pin.wanted(version) == requirement


@needs_native
def test_the_gate_on_a_measured_version(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = Measured(VERSION, {"VG251": "it changed"}, {"VG251": 2, "VG255": 2})
    monkeypatch.setattr(gate_module, "_measured", lambda v: entry if v == VERSION else None)

    def severities(source: str, version: str) -> dict[str, Severity]:
        result = Gate(verus_version=version).check_source(source)
        return {f.code: f.severity for f in result.findings}

    assert severities(LOOP, gate_module.PINNED_VERUS) == {"VG251": "error"}
    assert severities(LOOP, "0.2030.01.01") == {"VG251": "warning"}
    assert severities(LOOP, VERSION) == {}
    assert severities(INT, VERSION) == {"VG255": "error"}
    layers = {x.name: x for x in Gate(verus_version=VERSION).check_source(LOOP).layers}
    assert (layers["static VG251"].ran, layers["static VG251"].reason) == (False, "it changed")


def test_the_file_of_versions_comes_back_and_names_what_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "versions.json"
    one = Measured("2", {"VG251": "why"}, {"VG251": 1}, "0.0.0-2031-01-01-0000")
    other = Measured("1", {}, {"VG255": 3})
    path.write_text(versions.dump(versions.with_version((one,), other)))
    assert versions.load(path) == (other, one)
    path.write_text(versions.dump(versions.with_version((other, one), Measured("1", {}, {}))))
    assert versions.load(path)[0] == Measured("1", {}, {})
    for text in ("", "{}", '{"schema": "other"}', path.read_text().replace("VG251", "VG999")):
        path.write_text(text)
        with pytest.raises(InputError):
            versions.load(path)
    assert versions.load(tmp_path / "none.json") == ()


def test_the_shipped_snippets_are_the_ones_that_the_gate_tests_use() -> None:
    found = load_snippets(ROOT / "tests" / "verus_snippets")
    assert len({(s.code, s.file) for s in found}) == len(found) > 0
    for snippet in found:
        assert "verus!" in snippet.source
    words = in_words(found)
    assert set(words) == {snippet.code for snippet in found}


@pytest.mark.parametrize(
    "text",
    ["x", "snippet = 3", "[[snippet]]\nname = 'a'\n",
     "[[snippet]]\nname = 'a'\nexpect = 'maybe'\nsource = ''\n"],
)  # fmt: skip
def test_a_broken_file_of_snippets_is_one_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "VG251.toml").write_text(text)
    with pytest.raises(InputError) as caught:
        load_snippets(tmp_path)
    assert caught.value.path == str(tmp_path / "VG251.toml")
