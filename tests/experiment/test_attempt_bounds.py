"""Attempt logs with numbers and texts that nothing can hold are one error at their place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from verulaw_gate.cli.main import main
from verulaw_gate.errors import LogError
from verulaw_gate.experiment.attempts import MAX_COUNT, scan_log

ROW = {"schema": "verulaw-gate/attempt/1", "task": "t", "attempt": 1, "text": "x"}


@pytest.mark.parametrize(
    "line",
    [
        json.dumps({**ROW, "attempt": MAX_COUNT + 1}),
        json.dumps({**ROW, "sample": MAX_COUNT + 1}),
        json.dumps(ROW)[:-1] + ', "sample": ' + "9" * 5000 + "}",
        json.dumps({**ROW, "task": "\udc80"}),
        json.dumps({**ROW, "other": ["\udc80"]}),
        json.dumps({**ROW, "verus": {"outcome": "crash", "diagnostics": [{"message": "\ud800"}]}}),
    ],
)
def test_one_error_and_nothing_stored(
    tmp_path: Path, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(json.dumps(ROW) + "\n" + line + "\n")
    store = tmp_path / "s.sqlite"
    assert main(["replay", str(log), "--store", str(store)]) == 2
    told = capsys.readouterr().err
    assert "log.jsonl:2" in told
    assert "Traceback" not in told


def test_samples_of_a_second_log_that_run_out_are_said(tmp_path: Path) -> None:
    one, two = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    one.write_text(json.dumps({**ROW, "sample": MAX_COUNT}) + "\n")
    two.write_text(json.dumps(ROW) + "\n")
    scan_log([one])
    with pytest.raises(LogError, match="too large"):
        scan_log([one, two])


def test_a_result_without_its_file_is_said_to_be_unscored(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(json.dumps({**ROW, "verus": {"outcome": "verified"}}) + "\n")
    assert any("no source" in n and "unscored" in n for n in scan_log([log]).notes())


@pytest.mark.parametrize("task", ["a\0b", "a\nb", "a\u2028b", "\u202e", "\x1b[2J"])
def test_a_task_that_no_list_can_show_is_refused(tmp_path: Path, task: str) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(json.dumps({**ROW, "task": task}) + "\n")
    with pytest.raises(LogError, match="printed"):
        scan_log([log])


def test_names_of_many_logs_stay_apart(tmp_path: Path) -> None:
    """The run's own name has the hash also when the names of the logs are long."""
    from verulaw_gate.experiment.corpora import RecordedCorpus
    from verulaw_gate.experiment.replay import ReplaySettings, run_name

    names = set()
    for last in ("x", "y"):
        logs = [tmp_path / f"{'long' * 10}-{n}-{last}.jsonl" for n in range(9)]
        for n, log in enumerate(logs):
            log.write_text(json.dumps({**ROW, "task": f"{last}{n}"}) + "\n")
        names.add(run_name(RecordedCorpus(logs), ReplaySettings()))
    assert len(names) == 2
    assert max(map(len, names)) <= 200
