"""The compiled harness: built once with plain stable cargo, talked to line by line."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

HARNESS = Path(__file__).resolve().parent / "harness"
TARGET = HARNESS / "target"


def _build() -> Path:
    cargo = shutil.which("cargo")
    if cargo is None:
        pytest.skip("cargo is not on PATH: the Verus form cannot be compiled and driven")
    TARGET.mkdir(exist_ok=True)
    with (TARGET / ".tests.lock").open("w") as lock:
        # Several test processes may start at once; cargo itself would wait, but say so on stderr.
        fcntl.flock(lock, fcntl.LOCK_EX)
        env = {**os.environ, "CARGO_TARGET_DIR": str(TARGET)}
        done = subprocess.run(
            [cargo, "build", "--release", "--locked", "--quiet"],
            cwd=HARNESS, env=env, capture_output=True, text=True, check=False,
        )  # fmt: skip
    offline = ("failed to download", "no matching package named `vstd`", "offline mode")
    if done.returncode and any(words in done.stderr for words in offline):
        pytest.skip(f"the vstd crate cannot be fetched: {done.stderr.strip().splitlines()[-1]}")
    assert done.returncode == 0, done.stderr
    return TARGET / "release" / "verus-form-harness"


@pytest.fixture(scope="session")
def ask() -> Callable[[Sequence[str]], list[str]]:
    """Sends requests to the compiled Verus form and returns its answers."""
    program = _build()

    def send(requests: Sequence[str]) -> list[str]:
        done = subprocess.run(
            [program], input="".join(f"{line}\n" for line in requests),
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        answers = done.stdout.split("\n")[:-1]
        assert len(answers) == len(requests)
        return answers

    return send
