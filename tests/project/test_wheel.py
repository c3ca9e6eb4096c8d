"""The wheel, installed into a fresh environment, works from any folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def _run(*command: str | Path, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(part) for part in command], cwd=cwd, env={**os.environ, **env},
        capture_output=True, text=True, check=False, timeout=900,
    )  # fmt: skip


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from the tracked files alone: what is only here by hand does not count."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout: the tracked files cannot be listed")
    source = tmp_path_factory.mktemp("source")
    listed = _run("git", "ls-files", "-z", cwd=ROOT).stdout.split("\0")
    for name in filter(None, listed):
        if (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, source / name)
    out = tmp_path_factory.mktemp("wheel")
    done = _run(
        sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out, ".",
        cwd=source, CARGO_TARGET_DIR=str(ROOT / "native" / "target"),
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = out.glob("*.whl")
    return built


def test_the_wheel_holds_the_data_and_no_tests(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    for part in (
        "verulaw_gate/py.typed",
        "verulaw_gate/_data/protocols/proof.sexp",
        "verulaw_gate/_data/rust_tasks/t01-max-of-slice/task.toml",
        "verulaw_gate/_data/rust_tasks/t01-max-of-slice/traces/labels.toml",
        "verulaw_gate/_data/rust_tasks/t01-max-of-slice/verus/reference.json",
        "verulaw_gate/corpora/proof-protocol-a.jsonl",
        "verulaw_gate/protocol/verus_text/theory.rs",
    ):
        assert part in names
    assert not [name for name in names if name.startswith(("tests/", "benchmarks/"))]
    native = [name for name in names if "_native" in name and name.endswith(".so")]
    assert bool(native) == (shutil.which("cargo") is not None)


def test_the_demo_runs_from_an_installed_wheel(wheel: Path, tmp_path: Path) -> None:
    env = tmp_path / "env"
    assert _run(sys.executable, "-m", "venv", env, cwd=tmp_path).returncode == 0
    installed = _run(env / "bin" / "python", "-m", "pip", "install", "--quiet", wheel, cwd=tmp_path)
    if installed.returncode and "No matching distribution" in installed.stderr:
        pytest.skip(f"no package index to install dependencies from: {installed.stderr[-200:]}")
    assert installed.returncode == 0, installed.stderr
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    program = env / "bin" / "verulaw-gate"
    done = _run(program, "demo", cwd=elsewhere, PYTHONPATH="")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Recorded corpus: proof-protocol-a+proof-protocol-b" in done.stdout
    assert (elsewhere / "verulaw-out" / "report.md").is_file()
    assert (elsewhere / "verulaw-out" / "report.json").is_file()
    for command in (["task", "check"], ["protocol", "show", "proof"], ["rule", "VG301"]):
        again = _run(program, *command, cwd=elsewhere, PYTHONPATH="")
        assert again.returncode == 0, (command, again.stdout, again.stderr)
