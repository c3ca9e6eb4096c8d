"""docs/protocols.md is true: its commands print what it shows, its tables are the code's."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from verulaw_gate.cli.main import main
from verulaw_gate.monitor import ViolationKind
from verulaw_gate.protocol import LINT_CODES, lint
from verulaw_gate.protocol.diagnostics import Level
from verulaw_gate.protocol.minimise import MAX_WORK
from verulaw_gate.protocol.nfa import MAX_POSITIONS

ROOT = Path(__file__).resolve().parents[2]
DOCS = (ROOT / "docs" / "protocols.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```console\n\$ (.*)\n((?:[^`]|`[^`])*?)```", DOCS)


def test_there_are_commands_to_check() -> None:
    assert len(BLOCKS) >= 3


@pytest.mark.parametrize(("command", "shown"), BLOCKS)
def test_commands_print_what_is_shown(
    command: str, shown: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    program, *argv = shlex.split(command)
    assert program == "verulaw-gate"
    main(argv)
    assert capsys.readouterr().out == shown


def test_the_example_protocol_loads_without_surprise() -> None:
    (text,) = re.findall(r"```\n(; or #[^`]*)```", DOCS)
    assert {d.level for d in lint(text)} <= {Level.NOTE}


def test_codes_kinds_and_limits_are_those_of_the_code() -> None:
    rows = re.findall(r"^\| (P\d+) \| ([\w-]+) \| (\w+) \| (.*) \|$", DOCS, re.MULTILINE)
    assert rows == [(r.code, r.name, r.level.value, r.explanation) for r in LINT_CODES.values()]
    for kind in ViolationKind:
        assert f"`{kind.value}`" in DOCS
    assert f"{MAX_POSITIONS:,} state occurrences" in DOCS
    assert f"{MAX_WORK:,} entries" in DOCS
