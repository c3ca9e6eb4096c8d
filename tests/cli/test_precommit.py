"""The hooks under the real pre-commit, with real commits.

The hook's own `language: python` would install the package anew from the network; here the same
hook runs from this checkout (`language: system`), everything else as in .pre-commit-hooks.yaml.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

yaml = pytest.importorskip("yaml", reason="PyYAML comes with pre-commit, which is not installed")
pytest.importorskip("pre_commit", reason="pre-commit is not installed")

ROOT = Path(__file__).resolve().parents[2]
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())


@pytest.fixture
def commit(
    repository: Path, call_environment: Callable[..., dict[str, str]]
) -> Callable[..., subprocess.CompletedProcess[str]]:
    """A repository with the hook installed; the fixture makes a commit of all changes."""

    def use(hook_id: str) -> Callable[..., subprocess.CompletedProcess[str]]:
        hook = next(h for h in HOOKS if h["id"] == hook_id)
        program, _, rest = hook["entry"].partition(" ")
        assert program == "verulaw-gate"
        local = {**hook, "language": "system", "entry": f"{sys.executable} -m verulaw_gate {rest}"}
        text = yaml.safe_dump({"repos": [{"repo": "local", "hooks": [local]}]})
        (repository / ".pre-commit-config.yaml").write_text(text)
        env = call_environment(PRE_COMMIT_HOME=str(repository.parent / "pre-commit-home"))

        def run(*command: str) -> subprocess.CompletedProcess[str]:
            return subprocess.run(command, cwd=repository, env=env, capture_output=True, text=True)

        installed = run(sys.executable, "-m", "pre_commit", "install")
        assert installed.returncode == 0, installed.stderr

        def make(message: str, add: str = "-A") -> subprocess.CompletedProcess[str]:
            run("git", "add", add)
            return run("git", "commit", "-m", message)

        assert make("the hook").returncode == 0
        return make

    return use


def test_commits(repository: Path, commit, git, honest: str, cheat: str) -> None:
    make = commit("verulaw-gate")
    proof = repository / "proof.rs"

    proof.write_text(honest.replace("{\n}\n", "{\n    assert(x + y > 0);\n}\n"))
    done = make("a clean change")
    assert done.returncode == 0
    assert "Passed" in done.stdout + done.stderr

    proof.write_text(cheat)
    done = make("an added assume")
    assert done.returncode == 1
    assert "VG301" in done.stdout + done.stderr
    assert git("log", "--format=%s", "-1").strip() == "a clean change"

    git("checkout", "-q", "HEAD", "--", "proof.rs")
    (repository / "new.rs").write_text(cheat)
    assert make("an assume in a new file").returncode == 1
    git("rm", "-qf", "new.rs")

    (repository / "README.md").write_text("Nothing of Rust. assume(false)\n")
    done = make("only the README")
    assert done.returncode == 0
    assert "(no files to check)" in done.stdout + done.stderr

    proof.write_text(honest.replace("x + y > 0,", "x + y > 0 || true,"))
    done = make("a weaker specification")
    assert done.returncode == 1
    assert "VG403" in done.stdout + done.stderr


def test_a_cheat_only_in_the_working_folder_does_not_stop_another_commit(
    repository: Path, commit, cheat: str
) -> None:
    make = commit("verulaw-gate")
    (repository / "proof.rs").write_text(cheat)  # not staged
    (repository / "other.rs").write_text("fn main() {}\n")
    done = make("other", add="other.rs")
    assert done.returncode == 0, done.stdout + done.stderr
    assert (repository / "proof.rs").read_text() == cheat


def test_without_a_receipt_a_commit_cannot_slip_by(
    repository: Path, commit, gate, standin: Path, honest: str
) -> None:
    make = commit("verulaw-gate-receipts")
    proof = repository / "proof.rs"
    proof.write_text(honest.replace("{\n}\n", "{\n    assert(x + y > 0);\n}\n"))
    done = make("without a run of Verus")
    assert done.returncode == 1
    assert "no receipt of a Verus run" in done.stdout + done.stderr
    assert gate("verus", "proof.rs", VERULAW_VERUS=str(standin)).returncode == 0
    assert make("after a run of Verus").returncode == 0
