"""The public names of the package, pinned: a change here is a change of the interface."""

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import verulaw_gate

PUBLIC = [
    "CODES",
    "CachingVerifier",
    "Decision",
    "Family",
    "Finding",
    "Gate",
    "GateResult",
    "Monitor",
    "Outcome",
    "Protocol",
    "RecordedVerifier",
    "Severity",
    "Store",
    "Task",
    "Verdict",
    "Verification",
    "Verifier",
    "VerulawError",
    "VerusOptions",
    "VerusVerifier",
    "Violation",
    "__version__",
    "compile_protocol",
    "load_protocol",
    "load_suite",
    "load_task",
    "parse_protocol",
    "run_trace",
]

ROOMS = ["protocol", "monitor", "gate", "verus", "tasks", "agent", "record", "experiment", "report"]


def test_the_public_names() -> None:
    assert sorted(verulaw_gate.__all__) == sorted(PUBLIC)
    for name in PUBLIC:
        assert getattr(verulaw_gate, name) is not None
    assert set(PUBLIC) <= set(dir(verulaw_gate))


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = verulaw_gate.no_such_name


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_exports_what_it_lists(room: str) -> None:
    module = importlib.import_module(f"verulaw_gate.{room}")
    for name in getattr(module, "__all__", []):
        assert getattr(module, name) is not None


# What no start of `check` may pay for; measured in benchmarks/, held here by name.
HEAVY = [
    "pydantic",
    "sqlalchemy",
    "httpx",
    "scipy",
    "rich",
    "lark",
    "matplotlib",
    "jinja2",
    "anyio",
    "dask",
]


def test_check_imports_nothing_heavy(tmp_path: Path) -> None:
    source = tmp_path / "a.rs"
    source.write_text("use vstd::prelude::*;\nverus! { proof fn f() { } }\nfn main() {}\n")
    code = (
        "import sys; from verulaw_gate.cli.main import main; "
        f"code = main(['check', {str(source)!r}]); "
        f"heavy = [m for m in {HEAVY!r} if m in sys.modules]; "
        "sys.exit(code or (f'imported {heavy}' if heavy else 0))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_package_is_typed() -> None:
    assert (Path(verulaw_gate.__file__).parent / "py.typed").is_file()
