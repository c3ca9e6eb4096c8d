"""Find the real verus when this program itself may stand on PATH under that name."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from verulaw_gate.errors import VerusNotFound

# The programs named `verus` that have passed a call on and are us: with two of them on PATH each
# would find the other for ever.
PASSED_BY = "VERULAW_PASSED_BY"


def find(configured: str | Path | None = None) -> Path:
    """The real verus, found as everywhere (`verus.find.find_program`), with every folder of PATH
    passed over whose `verus` is this program. Raises VerusNotFound."""
    from verulaw_gate.verus.find import find_program

    path, named_by = find_program(None, configured=configured, environment=search_environment())
    if is_this_program(path):
        raise VerusNotFound(
            f"{named_by} names {path}, which is the gate itself",
            hint="name the real verus executable",
        )
    return path.absolute()


def search_environment() -> dict[str, str]:
    """The environment in which to look for verus: without the folders of PATH whose `verus` is
    this program."""
    return {**os.environ, "PATH": os.pathsep.join(_others())}


def _others() -> list[str]:
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return [folder for folder in folders if not is_this_program(Path(folder or ".", "verus"))]


def is_this_program(path: Path) -> bool:
    """Whether a program is the gate: this very file, one that has passed this call on already, or
    a start script of this package."""
    from verulaw_gate.verus.find import is_gate

    real = os.path.realpath(path)
    return real in {os.path.realpath(p) for p in _ourselves()} or is_gate(path)


def _ourselves() -> list[str]:
    passed = os.environ.get(PASSED_BY, "")
    return [sys.argv[0], *(p for p in passed.split(os.pathsep) if p)]


def environment() -> dict[str, str]:
    """The environment for the real verus: ours, and that this program has passed the call on."""
    ours = [os.path.realpath(p) for p in _ourselves()]
    return {**os.environ, PASSED_BY: os.pathsep.join(dict.fromkeys(ours))}
