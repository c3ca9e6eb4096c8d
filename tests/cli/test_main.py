"""The program's frame: verbs, errors, exit codes."""

import argparse
import os
import subprocess
import sys
import types
from pathlib import Path

import pytest

from verulaw_gate.cli import main as program
from verulaw_gate.errors import InputError, ToolError, UsageError

ROOT = Path(__file__).resolve().parents[2]


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


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("verb", ["check", "rule"])
def test_no_space_left_for_the_output_is_one_error(verb: str, tmp_path: Path) -> None:
    (tmp_path / "a.rs").write_text("fn main() {}\n")
    arguments = {"check": ["check", "a.rs"], "rule": ["rule", "VG301"]}[verb]
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "verulaw_gate", *arguments],
            stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False,
            cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)},
        )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr == "verulaw-gate: error: cannot write: No space left on device\n"


def test_a_folder_that_is_gone_is_one_error(tmp_path: Path, monkeypatch, capsys) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert program.main(["check", "a.rs"]) == 2
    assert "the current folder is gone" in capsys.readouterr().err


@pytest.mark.parametrize("verb", ["calibrate", "replay", "import"])
def test_a_file_nested_too_deep_is_one_error(
    verb: str, tmp_path: Path, monkeypatch, capsys
) -> None:
    monkeypatch.setenv("VERULAW_STORE", str(tmp_path / "store.sqlite"))
    (tmp_path / "deep.jsonl").write_text("[" * 100_000)
    assert program.main([verb, str(tmp_path / "deep.jsonl")]) == 2
    assert "deep.jsonl:1: nested too deep" in capsys.readouterr().err
