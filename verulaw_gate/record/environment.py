"""What a run runs on."""

from __future__ import annotations

import os
import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from verulaw_gate import __version__
from verulaw_gate.record.events import Environment

LIBRARIES = ("tree-sitter", "tree-sitter-rust", "pydantic", "SQLAlchemy", "scipy", "httpx")


def environment(
    *, verus_version: str | None = None, model: str | None = None, folder: Path | None = None
) -> Environment:
    """This process's surroundings; `folder` is where the git state is looked up (here)."""
    commit, dirty = _git(folder or Path.cwd())
    return Environment(
        package=__version__,
        python=platform.python_version(),
        platform=f"{platform.system()} {platform.release()}",
        machine=f"{platform.machine()} {_cpu()}".strip(),
        cpus=os.cpu_count(),
        memory_bytes=_memory(),
        verus_version=verus_version,
        model=model,
        git_commit=commit,
        git_dirty=dirty,
        libraries={name: found for name in LIBRARIES if (found := _version(name))},
    )


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return platform.processor()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


def _memory() -> int | None:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return None


def _git(folder: Path) -> tuple[str | None, bool | None]:
    def ask(*args: str) -> str | None:
        try:
            done = subprocess.run(
                ["git", "-C", str(folder), *args],
                capture_output=True,
                text=True,
                timeout=10,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        return done.stdout.strip() if done.returncode == 0 else None

    commit = ask("rev-parse", "HEAD")
    state = ask("status", "--porcelain", "--untracked-files=no") if commit else None
    return commit, None if state is None else bool(state)
