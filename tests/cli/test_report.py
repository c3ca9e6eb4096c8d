"""`verulaw-gate report` as a user calls it: formats, files, two runs, and bad input."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.report.made import Made, generation_events, started
from verulaw_gate.cli.main import main
from verulaw_gate.record import Key, Store
from verulaw_gate.record.events import RunClosed


def fill(path: Path, name: str, attempts: list[Made], corpus: str = "recorded") -> None:
    with Store(str(path)) as store:
        store.start_run(name, started(corpus, config_sha256=name))
        for made in attempts:
            key = Key(task=made.task, arm="replay", sample=made.sample, generation=made.number)
            assert store.append(name, key, generation_events(made), {})
        store.close_run(name, RunClosed(episodes=0, generations=len(attempts)))


@pytest.fixture
def store(tmp_path: Path) -> str:
    path = tmp_path / "runs.sqlite"
    attempts = [
        Made("t01", 0, 1),
        Made("t01", 0, 2, outcome="compile-error", source="s2", source_codes=("VG251",)),
        Made("t02", 0, 1, outcome="proof-failure", source="s3"),
    ]
    fill(path, "first", attempts)
    fill(path, "second", attempts[:2])
    fill(path, "shown", [Made("t01", 0, 1, labels=[("gate", "ok", "ok", True)])], "designed")
    return str(path)


def test_the_terminal_report_is_printed(store, capsys):
    assert main(["report", "first", "--store", store]) == 0
    out = capsys.readouterr().out
    assert "Flow of all generations" in out
    assert "Definitions" in out
    assert "0.2026.06.08.9a4284b" in out


@pytest.mark.parametrize(
    ("name", "sign"),
    [("r.md", "# verulaw-gate report"), ("r.html", "<!DOCTYPE html>"), ("r.json", "{"),
     ("r.txt", "verulaw-gate report")],
)  # fmt: skip
def test_the_format_follows_the_name_of_the_file(store, tmp_path, capsys, name, sign):
    target = tmp_path / name
    assert main(["report", "first", "--store", store, "--output", str(target)]) == 0
    assert target.read_text(encoding="utf-8").startswith(sign)
    assert capsys.readouterr().out == ""


def test_format_wins_over_the_name(store, tmp_path):
    target = tmp_path / "report.md"
    arguments = ["report", "first", "--store", store, "--format", "json", "-o", str(target)]
    assert main(arguments) == 0
    data = json.loads(target.read_text(encoding="utf-8"))
    assert data["schema"] == "verulaw-gate/report/1"


def test_a_prefix_that_only_one_run_has_is_enough(store, capsys):
    assert main(["report", "fir", "--store", store]) == 0
    assert "run            first" in capsys.readouterr().out


def test_two_runs_are_compared(store, capsys):
    assert main(["report", "first", "second", "--store", store]) == 0
    out = capsys.readouterr().out
    assert "first against second" in out
    assert "only in first" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["first", "shown"], "corpus kinds are never mixed"),
        (["nothing"], "no run 'nothing'"),
        (["first", "second", "shown"], "one run, or two to compare"),
        (["first", "-o", "/no/such/folder/x.md"], "cannot be written"),
    ],
)
def test_bad_input_is_one_clear_error(store, capsys, arguments, message):
    assert main(["report", *arguments, "--store", store]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert "Traceback" not in error
    assert "help:" in error


def test_a_missing_store_is_one_clear_error_and_is_not_made(tmp_path, capsys):
    path = tmp_path / "none.sqlite"
    assert main(["report", "x", "--store", str(path)]) == 2
    assert "no such store" in capsys.readouterr().err
    assert not path.exists()


def test_a_report_leaves_the_store_as_it_was(store):
    before = Path(store).read_bytes()
    assert main(["report", "first", "--store", store, "--format", "json"]) == 0
    assert Path(store).read_bytes() == before


def test_the_store_gives_the_same_report_twice(store, capsys):
    main(["report", "first", "--store", store, "--format", "html"])
    first = capsys.readouterr().out
    main(["report", "first", "--store", store, "--format", "html"])
    assert capsys.readouterr().out == first


def test_a_terminal_that_knows_only_ascii_gets_escapes_and_no_traceback(tmp_path):
    path = tmp_path / "runs.sqlite"
    with Store(str(path)) as store:
        store.start_run("first", started(corpus_name="größe"))
        store.close_run("first", RunClosed(episodes=0, generations=0))
    done = subprocess.run(
        [sys.executable, "-m", "verulaw_gate", "report", "first", "--store", str(path)],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "gr\\xf6\\xdfe" in done.stdout


def test_the_store_of_the_settings_is_the_default(store, tmp_path, monkeypatch, capsys):
    (tmp_path / "pyproject.toml").write_text('[tool.verulaw-gate]\nstore = "runs.sqlite"\n')
    monkeypatch.chdir(tmp_path)
    assert main(["report", "first"]) == 0
    assert "run            first" in capsys.readouterr().out
