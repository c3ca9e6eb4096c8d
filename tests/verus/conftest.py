"""What the tests of the Verus runner share: the stand-in, and a check that nothing is left."""

from __future__ import annotations

import json
import time

import pytest

from tests.standins.harness import STANDIN, alive_processes, left_files
from verulaw_gate.verus.limits import Limits
from verulaw_gate.verus.verifier import VerusVerifier

BODY = "verus! { fn f() {} }\n"


def candidate(do: str = "verified", **given) -> str:
    """A candidate that makes the stand-in do something."""
    return f"// standin: {json.dumps({'do': do, **given})}\n{BODY}"


def standin(**limits) -> VerusVerifier:
    return VerusVerifier(STANDIN, limits=Limits(**{"wall_s": 60.0, **limits}))


def assert_nothing_left(run: str | None = None, wait_s: float = 20.0) -> None:
    """No process of our calls lives, no directory of a call exists."""
    deadline = time.monotonic() + wait_s
    while (alive := alive_processes(run)) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert alive == []
    if run is None:
        assert left_files() == []


@pytest.fixture
def nothing_left():
    yield
    assert_nothing_left()
