"""What a run says of where it ran."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from verulaw_gate.record.environment import LIBRARIES, environment


def test_here() -> None:
    said = environment(verus_version="v", model="m")
    assert said.python.startswith("3.")
    assert said.cpus
    assert said.memory_bytes
    assert (said.verus_version, said.model) == ("v", "m")
    assert set(said.libraries) <= set(LIBRARIES)
    assert "pydantic" in said.libraries
    assert said == environment(verus_version="v", model="m")


def test_git_state(tmp_path: Path) -> None:
    def git(*args: str) -> None:
        subprocess.run(["git", "-C", str(tmp_path), *args], check=True, capture_output=True)

    assert environment(folder=tmp_path).git_commit is None
    assert environment(folder=tmp_path).git_dirty is None
    git("init", "-q")
    (tmp_path / "a").write_text("1")
    git("add", "a")
    git("-c", "user.name=n", "-c", "user.email=e@example.org", "commit", "-qm", "m")
    clean = environment(folder=tmp_path)
    assert clean.git_commit is not None
    assert len(clean.git_commit) == 40
    assert clean.git_dirty is False
    (tmp_path / "a").write_text("2")
    assert environment(folder=tmp_path).git_dirty is True


def test_no_git_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert environment().git_commit is None


def test_nothing_secret_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    text = environment().model_dump_json()
    assert "secret" not in text
    assert os.environ["HOME"] not in text or os.environ["HOME"] == "/"
