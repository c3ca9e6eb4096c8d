"""Run the program as a user would: another process, another folder."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
STANDIN = ROOT / "tests" / "standins" / "verus_standin.py"

HONEST = """use vstd::prelude::*;

verus! {

proof fn sum_is_positive(x: int, y: int)
    requires
        x > 0,
        y > 0,
    ensures
        x + y > 0,
{
}

} // verus!

fn main() {}
"""

CHEAT = HONEST.replace("{\n}\n", "{\n    assume(x + y > 0);\n}\n")

Gate = Callable[..., subprocess.CompletedProcess[str]]


def environment(folder: Path, **more: str) -> dict[str, str]:
    """The environment of a call: no settings of the caller, a store in the folder."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("VERULAW", "GIT_", "STANDIN"))}
    return {
        **kept,
        "PYTHONPATH": str(ROOT),
        "VERULAW_STORE": str(folder / "store.sqlite"),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
        "GIT_AUTHOR_NAME": "t",
        "GIT_AUTHOR_EMAIL": "t@example.org",
        "GIT_COMMITTER_NAME": "t",
        "GIT_COMMITTER_EMAIL": "t@example.org",
        **more,
    }


# Verbs that neither fork nor exec nor hold state: called in this process, which saves their start.
_HERE = frozenset({"check", "rule", "calibrate"})


@pytest.fixture
def gate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Gate:
    """Calls `verulaw-gate` in `tmp_path`; in a process of its own with `process=True`."""

    def call(
        *arguments: str,
        stdin: str | bytes = "",
        cwd: Path | None = None,
        process: bool = False,
        **env: str,
    ) -> subprocess.CompletedProcess[str]:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        full, folder = environment(tmp_path, **env), cwd or tmp_path
        if arguments[0] in _HERE and not process:
            code, out, err = _here(monkeypatch, list(arguments), data, folder, full)
        else:
            done = subprocess.run(
                [sys.executable, "-m", "verulaw_gate", *arguments],
                input=data,
                capture_output=True,
                cwd=folder,
                env=full,
                timeout=120,
            )
            code, out, err = done.returncode, done.stdout, done.stderr
        assert b"Traceback" not in err, err.decode()
        texts = [text.decode("utf-8", "surrogateescape") for text in (out, err)]
        return subprocess.CompletedProcess(arguments, code, *texts)

    return call


def _here(
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    data: bytes,
    folder: Path,
    env: dict[str, str],
) -> tuple[int, bytes, bytes]:
    from verulaw_gate.cli.main import main

    out, err = io.BytesIO(), io.BytesIO()
    with monkeypatch.context() as patch:
        patch.chdir(folder)
        for name in list(os.environ):
            if name not in env:
                patch.delenv(name)
        for name, value in env.items():
            patch.setenv(name, value)
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), "utf-8"))
        patch.setattr(sys, "stdout", io.TextIOWrapper(out, "utf-8", write_through=True))
        patch.setattr(
            sys, "stderr", io.TextIOWrapper(err, "utf-8", "backslashreplace", write_through=True)
        )
        code = main(arguments)
        # Detached, or closing the wrappers would close the bytes.
        sys.stdout.detach()
        sys.stderr.detach()
    return code, out.getvalue(), err.getvalue()


@pytest.fixture
def git(tmp_path: Path) -> Callable[..., str]:
    """Calls git in `tmp_path`."""

    def call(*arguments: str) -> str:
        done = subprocess.run(
            ["git", *arguments],
            cwd=tmp_path,
            env=environment(tmp_path),
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    return call


@pytest.fixture
def repository(tmp_path: Path, git: Callable[..., str]) -> Path:
    """A git repository whose HEAD has the honest proof in proof.rs."""
    git("init", "-q", "-b", "main")
    (tmp_path / "proof.rs").write_text(HONEST)
    git("add", "proof.rs")
    git("commit", "-q", "-m", "a proof")
    return tmp_path


def program(path: Path, script: Path) -> Path:
    """A program that runs a script with this very Python, wherever PATH points."""
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{script}" "$@"\n')
    path.chmod(0o755)
    return path


@pytest.fixture
def honest() -> str:
    """A file that Verus verifies."""
    return HONEST


@pytest.fixture
def cheat() -> str:
    """The same file with an assume in place of the proof."""
    return CHEAT


@pytest.fixture
def standin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The stand-in for verus."""
    return program(tmp_path_factory.mktemp("standin") / "verus-standin", STANDIN)


@pytest.fixture
def call_environment(tmp_path: Path) -> Callable[..., dict[str, str]]:
    """The environment for a process that a test starts itself."""
    return lambda **more: environment(tmp_path, **more)
