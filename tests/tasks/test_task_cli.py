"""The task verbs."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from verulaw_gate.cli.main import main
from verulaw_gate.tasks import load_suite


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["task", "list"]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[-1] == "26 tasks, 260 traces (references included)"
    assert main(["task", "list", "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["id"] for row in rows] == [task.id for task in load_suite()]


def test_show(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["task", "show", "t01", "--reference"]) == 0
    out = capsys.readouterr().out
    for sign in ("max_of_slice", "//@ body", "[QED]", "gate-assume-tail: ok, assume, verified"):
        assert sign in out
    assert main(["task", "show", "t99"]) == 2
    assert "no task 't99'" in capsys.readouterr().err


def test_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["task", "check"]) == 0
    assert "26 of 26 tasks hold together" in capsys.readouterr().out
    for task in load_suite()[:2]:
        assert task.path is not None
        shutil.copytree(task.path, tmp_path / task.id)
    (tmp_path / load_suite()[0].id / "task.rs").write_text("\n//@ body\n//@ body\nfn max_of_slice")
    assert main(["task", "check", str(tmp_path)]) == 1
    told = capsys.readouterr()
    assert "1 of 2 tasks hold together" in told.out
    assert "task.rs:3: the hole '//@ body' is here a second time" in told.err
    assert main(["task", "check", str(tmp_path / "none")]) == 1
    assert "no task" in capsys.readouterr().err


def test_import(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row = {"id": "a", "vc-preamble": "verus! {", "vc-spec": "fn f()", "vc-code": "{}",
           "vc-postamble": "}"}  # fmt: skip
    log = tmp_path / "b.jsonl"
    log.write_text(json.dumps(row) + "\n" + json.dumps({**row, "id": "b", "vc-code": "x"}) + "\n")
    command = ["task", "import", str(log), "--into", str(tmp_path / "t")]
    assert main(command) == 0
    told = capsys.readouterr()
    assert "1 of 2 tasks imported" in told.out
    assert "b.jsonl:2: vc-code is no block" in told.err
    assert main(["task", "check", str(tmp_path / "t")]) == 0
    assert main(command) == 1
    assert "is there already" in capsys.readouterr().err


def test_import_into_what_is_no_folder_is_one_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "b.jsonl"
    log.write_text(json.dumps({"id": "a", "vc-spec": "fn f()", "vc-code": "{}"}) + "\n")
    (tmp_path / "file").write_text("")
    for into in ("file", "file/below"):
        assert main(["task", "import", str(log), "--into", str(tmp_path / into)]) == 2
        told = capsys.readouterr().err
        assert "no folder to import into" in told
        assert "Traceback" not in told


def test_a_task_that_cannot_be_written_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "b.jsonl"
    log.write_text(json.dumps({"id": "a", "vc-spec": "fn f()", "vc-code": "{}"}) + "\n")
    real = Path.write_text

    def full(self: Path, *args: object, **named: object) -> int:
        if self.name == "task.rs":
            raise OSError(28, "No space left on device")
        return real(self, *args, **named)

    monkeypatch.setattr(Path, "write_text", full)
    assert main(["task", "import", str(log), "--into", str(tmp_path / "to")]) == 2
    assert "No space left on device" in capsys.readouterr().err
    assert list((tmp_path / "to").iterdir()) == []


def test_a_file_without_tasks_is_not_imported_in_silence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("none.jsonl", "none.csv"):
        (tmp_path / name).write_text("" if name.endswith("jsonl") else "id,vc-spec\n")
        command = ["task", "import", str(tmp_path / name), "--into", str(tmp_path / "t")]
        assert main(command) == 2
        assert f"{name}: no task in this file" in capsys.readouterr().err


def test_a_folder_that_is_no_task_is_told_by_what_it_lacks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "half").mkdir()
    for name in ("half", "./half", str(tmp_path / "half")):
        assert main(["task", "show", name]) == 2
        assert "half: no task.toml in this folder" in capsys.readouterr().err


def test_an_empty_reference_is_told_as_such(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    task = load_suite()[0]
    assert task.path is not None
    shutil.copytree(task.path, tmp_path / task.id)
    (tmp_path / task.id / "reference.txt").write_text("\n")
    assert main(["task", "check", str(tmp_path / task.id)]) == 1
    told = capsys.readouterr().err
    assert "reference.txt: the reference is empty" in told
    assert told.count("\n  help: ") == 1
