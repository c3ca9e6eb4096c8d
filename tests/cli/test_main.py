"""The program's frame: verbs, errors, exit codes."""

import argparse
import subprocess
import sys
import types

import pytest

from verulaw_gate.cli import main as program
from verulaw_gate.errors import InputError, ToolError, UsageError


@pytest.fixture
def verb(monkeypatch: pytest.MonkeyPatch):
    """Installs a verb `probe` whose run does what the test says."""

    def install(run) -> None:
        module = types.ModuleType("verulaw_gate.cli.probe")
        module.SUMMARY = "probe"
        module.add_arguments = lambda parser: parser.add_argument("--flag", action="store_true")
        module.run = run
        monkeypatch.setitem(sys.modules, "verulaw_gate.cli.probe", module)
        monkeypatch.setitem(program.VERBS, "probe", ("probe", "probe"))

    return install


def test_a_verb_gets_its_arguments_and_gives_the_exit_code(verb) -> None:
    seen: list[argparse.Namespace] = []

    def run(args: argparse.Namespace) -> int:
        seen.append(args)
        return 1

    verb(run)
    assert program.main(["probe", "--flag"]) == 1
    assert seen[0].flag is True


@pytest.mark.parametrize(
    ("error", "code"),
    [(UsageError("bad"), 2), (InputError("bad"), 2), (ToolError("bad"), 3)],
)
def test_an_error_is_one_message_with_a_remedy(verb, capsys, error, code) -> None:
    error.hint = "do this"

    def run(args: argparse.Namespace) -> int:
        raise error

    verb(run)
    assert program.main(["probe"]) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "verulaw-gate: error: bad\n  help: do this\n"


def test_a_bug_gets_a_traceback_and_3(verb, capsys) -> None:
    def run(args: argparse.Namespace) -> int:
        raise ZeroDivisionError("oops")

    verb(run)
    assert program.main(["probe"]) == 3
    assert "Traceback" in capsys.readouterr().err


def test_interrupted_is_130(verb, capsys) -> None:
    def run(args: argparse.Namespace) -> int:
        raise KeyboardInterrupt

    verb(run)
    assert program.main(["probe"]) == 130
    assert "Traceback" not in capsys.readouterr().err


def test_bad_usage_is_2(capsys) -> None:
    assert program.main([]) == 2
    assert program.main(["chekc"]) == 2
    assert "did you mean 'check'" in capsys.readouterr().err
    assert program.main(["check", "--no-such-option"]) == 2


def test_version_and_help() -> None:
    assert program.main(["--version"]) == 0
    assert program.main(["--help"]) == 0


def test_every_listed_verb_exists_and_explains_itself(capsys) -> None:
    """A verb that is not built is absent: the table lists only modules that are there."""
    for verb_name in program.VERBS:
        assert program.main([verb_name, "--help"]) == 0, verb_name
        assert f"verulaw-gate {verb_name}" in capsys.readouterr().out


def test_a_closed_pipe_is_no_traceback() -> None:
    done = subprocess.run(
        f"{sys.executable} -m verulaw_gate rule | head -1",
        shell=True, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert "Traceback" not in done.stderr
