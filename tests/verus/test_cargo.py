"""`cargo verus` in a copy: the user's tree is only read."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from verulaw_gate.errors import InputError
from verulaw_gate.verus.cargo import CargoVerusVerifier, crate_folders
from verulaw_gate.verus.model import Outcome

STANDIN = Path(__file__).resolve().parents[1] / "standins" / "cargo_standin.py"


@pytest.fixture
def cargo(tmp_path):
    program = tmp_path / "bin" / "cargo"
    program.parent.mkdir()
    body = STANDIN.read_text(encoding="utf-8")
    program.write_text(f"#!{os.path.realpath(sys.executable)} -IS\n{body}", encoding="utf-8")
    program.chmod(0o755)
    return program


def crate(folder: Path, manifest: str = '[package]\nname = "demo"\n') -> Path:
    (folder / "src").mkdir(parents=True)
    (folder / "Cargo.toml").write_text(manifest)
    (folder / "src" / "lib.rs").write_text("// the user's own\n")
    return folder / "Cargo.toml"


def snapshot(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


SOURCE = "verus! { fn f() {} }\n"


def test_the_candidate_is_in_the_copy_and_the_tree_is_untouched(tmp_path, cargo):
    manifest = crate(tmp_path / "demo")
    (tmp_path / "demo" / "target").mkdir()
    (tmp_path / "demo" / "target" / "huge").write_text("not copied")
    before = snapshot(tmp_path)
    verifier = CargoVerusVerifier(manifest, Path("src/lib.rs"), cargo=cargo)
    result = verifier.verify(SOURCE, target="f")
    assert result.outcome is Outcome.VERIFIED
    assert result.target_proved is True
    assert result.argv[:3] == ("cargo", "verus", "verify")
    seen = json.loads(result.stderr)
    assert seen["files"]["src/lib.rs"] == SOURCE
    assert "target/huge" not in seen["files"]
    assert seen["argv"][-3:] == ["--", "--output-json", "--error-format=json"]
    assert not seen["manifest"].startswith(str(tmp_path))
    assert snapshot(tmp_path) == before
    assert not Path(seen["manifest"]).exists()
    assert not Path(seen["target"]).exists()


def test_path_dependencies_come_along_in_their_places(tmp_path, cargo):
    manifest = crate(
        tmp_path / "work" / "demo",
        '[package]\nname = "demo"\n[dependencies]\nhelp = { path = "../help" }\n'
        '[target."cfg(unix)".dev-dependencies]\nfar = { path = "../../far" }\n',
    )
    crate(tmp_path / "work" / "help", '[package]\nname = "help"\n')
    crate(tmp_path / "far")
    crate(tmp_path / "work" / "unrelated")
    seen = json.loads(
        CargoVerusVerifier(manifest, Path("src/lib.rs"), cargo=cargo).verify(SOURCE).stderr
    )
    assert seen["beside"] == ["demo", "help"]


def test_a_member_brings_its_workspace(tmp_path):
    root = tmp_path / "ws"
    member = crate(root / "crates" / "demo")
    (root / "Cargo.toml").write_text('[workspace]\nmembers = ["crates/*"]\n')
    assert crate_folders(member) == (root,)


def test_dependencies_in_a_circle_end(tmp_path):
    one = crate(tmp_path / "a", '[package]\nname="a"\n[dependencies]\nb = {path="../b"}\n')
    crate(tmp_path / "b", '[package]\nname="b"\n[dev-dependencies]\na = {path="../a"}\n')
    assert crate_folders(one) == (tmp_path / "a", tmp_path / "b")


def test_a_candidate_that_is_a_link_does_not_write_through_it(tmp_path, cargo):
    manifest = crate(tmp_path / "demo")
    (tmp_path / "demo" / "src" / "real.rs").write_text("// real\n")
    (tmp_path / "demo" / "src" / "link.rs").symlink_to(tmp_path / "demo" / "src" / "real.rs")
    CargoVerusVerifier(manifest, Path("src/link.rs"), cargo=cargo).verify(SOURCE)
    assert (tmp_path / "demo" / "src" / "real.rs").read_text() == "// real\n"


def test_verus_goes_first_on_path(tmp_path, cargo):
    manifest = crate(tmp_path / "demo")
    verus = tmp_path / "v" / "verus"
    verifier = CargoVerusVerifier(manifest, Path("src/lib.rs"), cargo=cargo, verus=verus)
    seen = json.loads(verifier.verify(SOURCE).stderr)
    assert seen["path"].split(os.pathsep)[0] == str(tmp_path / "v")


def test_bad_manifests_are_one_clear_error(tmp_path, cargo):
    with pytest.raises(InputError):
        CargoVerusVerifier(tmp_path / "Cargo.toml", Path("x.rs"), cargo=cargo).verify(SOURCE)
    manifest = crate(tmp_path / "demo", "this is not toml")
    with pytest.raises(InputError, match="not TOML"):
        CargoVerusVerifier(manifest, Path("src/lib.rs"), cargo=cargo).verify(SOURCE)
    manifest.write_text('[package]\nname = "demo"\n')
    with pytest.raises(InputError, match="outside"):
        CargoVerusVerifier(manifest, Path("../other.rs"), cargo=cargo).verify(SOURCE)
