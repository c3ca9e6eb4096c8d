"""`verulaw-gate record`, by the stand-in: what is written, kept, told and left out."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.standins.harness import STANDIN, alive_processes
from verulaw_gate.tasks import check_task
from verulaw_gate.verus import clean
from verulaw_gate.verus.model import RECORDED_OPTIONS, STRICT_OPTIONS, Outcome
from verulaw_gate.verus.recorded import RecordedVerifier

BODY = "verus! { fn f() {} }\n"


def candidate(do: str = "verified", **given) -> str:
    return f"// standin: {json.dumps({'do': do, **given})}\n{BODY}"


def test_a_file_is_recorded_and_served_again(gate, tmp_path):
    (tmp_path / "proof.rs").write_text(candidate())
    done = gate("record", "proof.rs", "--into", "out", "--verus", str(STANDIN), "--strict")
    assert done.returncode == 0, done.stderr
    assert "recorded 2 results (verified 2), kept 0" in done.stdout
    assert "Verus executions: 2, from the cache: 0" in done.stdout
    verifier = RecordedVerifier()
    verifier.add_folder(tmp_path / "out")
    for options in (RECORDED_OPTIONS, STRICT_OPTIONS):
        result = verifier.verify(candidate(), options, target="f")
        assert (result.outcome, result.target_proved) == (Outcome.VERIFIED, True)


def test_a_second_time_nothing_runs_and_again_comes_from_the_cache(gate, tmp_path):
    (tmp_path / "proof.rs").write_text(candidate(ledger=str(tmp_path / "ledger")))
    call = ("record", "proof.rs", "--into", "out", "--verus", str(STANDIN))
    gate(*call)
    assert "recorded 0 results, kept 1" in gate(*call).stdout
    again = gate(*call, "--again").stdout
    assert "recorded 1 results (verified 1), kept 0" in again
    assert "Verus executions: 0, from the cache: 1" in again
    assert "Verus executions: 1, from the cache: 0" in gate(*call, "--again", "--no-cache").stdout
    assert len((tmp_path / "ledger").read_text().splitlines()) == 2


def test_a_task_is_recorded_in_the_shipped_format(gate, tmp_path):
    """The recordings hold together with their task by the task checker, another reader."""
    import shutil

    from verulaw_gate.data import tasks_dir

    task = tmp_path / "tasks" / "t02-linear-search"
    shutil.copytree(tasks_dir() / task.name, task)
    shipped = {p.relative_to(task) for p in task.rglob("*.json")}
    for folder in ("verus", "verus_strict", "verus_lenient"):
        shutil.rmtree(task / folder)
    done = gate("record", str(task), "--verus", str(STANDIN), "--strict")
    assert done.returncode == 0, done.stderr
    written = {p.relative_to(task) for p in task.rglob("*.json")}
    # The stand-in verifies everything, so there are more strict verdicts than shipped.
    assert shipped <= written
    assert {p for p in written if p.parent.name != "verus_strict"} <= shipped
    assert list(check_task(task)) == []


def test_what_has_no_result_is_told_and_not_recorded(gate, tmp_path):
    (tmp_path / "hangs.rs").write_text(candidate("hangs"))
    (tmp_path / "crash.rs").write_text(candidate("half_json", share=0.5))
    (tmp_path / "good.rs").write_text(candidate())
    names = ("hangs.rs", "crash.rs", "good.rs")
    done = gate("record", *names, "--into", "out", "--verus", str(STANDIN), "--timeout", "0.5")
    assert done.returncode == 1
    assert "2 without a result" in done.stderr
    assert "hangs.rs: timeout: stopped at the wall limit of 0.5 s" in done.stderr
    assert "crash.rs: crash" in done.stderr
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["good.json"]


def test_a_log_keeps_every_attempt_and_its_fields(gate, tmp_path):
    rows = [
        {"schema": "verulaw-gate/attempt/1", "task": "a", "attempt": 1, "extra": [1, "é"],
         "source": candidate(), "verus": {"outcome": "crash"}},
        {"schema": "verulaw-gate/attempt/1", "task": "a", "attempt": 2,
         "source": candidate("proof_failure"), "strict": {"outcome": "verified"}},
        {"schema": "verulaw-gate/attempt/1", "task": "b", "attempt": 1,
         "source": candidate("hangs")},
    ]  # fmt: skip
    (tmp_path / "log.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    done = gate(
        *("record", "log.jsonl", "--into", "out", "--verus", str(STANDIN)),
        *("--strict", "--timeout", "0.5"),
    )
    assert done.returncode == 1
    new = [json.loads(x) for x in (tmp_path / "out" / "log.jsonl").read_text().splitlines()]
    for old, row in zip(rows, new, strict=True):
        for name in ("schema", "task", "attempt", "source", "extra"):
            assert row.get(name) == old.get(name)
    assert [r["verus"]["outcome"] for r in new] == ["verified", "proof-failure", "timeout"]
    assert new[1]["verus"]["diagnostics"] == [
        {"code": None, "message": "assertion failed", "line": 2, "column": 1}
    ]
    assert [r.get("strict", {}).get("outcome") for r in new] == ["verified", None, None]
    verifier = RecordedVerifier.of(attempts=new)
    assert verifier.verify(rows[1]["source"]).outcome is Outcome.PROOF_FAILURE


def test_more_arguments_are_part_of_the_recording(gate, tmp_path):
    (tmp_path / "proof.rs").write_text(candidate())
    gate(
        *("record", "proof.rs", "--into", "out", "--verus", str(STANDIN)),
        *("--arg=--rlimit", "--arg=20"),
    )
    data = json.loads((tmp_path / "out" / "proof.json").read_text())
    assert data["argv"] == ["verus", "candidate.rs", *RECORDED_OPTIONS.args, "--rlimit", "20"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "nothing to record"),
        (["proof.rs"], "give --into"),
        (["proof.rs", "sub/proof.rs", "--into", "out"], "two recordings would go to"),
        (["log.jsonl", "--into", "."], "would be overwritten"),
        (["nothing.rs", "--into", "out"], "cannot be read"),
        (["proof.rs", "--into", "out", "--jobs", "0"], "at least one worker"),
        (["proof.rs", "--into", "out", "--timeout", "-1"], "--timeout"),
        (["no-such-task", "--into", "out"], "no-such-task"),
        (["bad.jsonl", "--into", "out"], "bad.jsonl:2"),
    ],
)
def test_bad_usage_is_one_clear_error(gate, tmp_path, arguments, message):
    (tmp_path / "proof.rs").write_text(candidate())
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "proof.rs").write_text(candidate())
    (tmp_path / "log.jsonl").write_text(json.dumps({"source": "x"}) + "\n")
    (tmp_path / "bad.jsonl").write_text('{"source": "x"}\n{"no": "source"}\n')
    done = gate("record", *arguments, "--verus", str(STANDIN))
    assert done.returncode == 2, done.stderr
    assert message in done.stderr + done.stdout


def test_without_verus_it_says_so(gate, tmp_path):
    (tmp_path / "proof.rs").write_text(candidate())
    done = gate("record", "proof.rs", "--into", "out", VERULAW_VERUS=str(tmp_path / "none"))
    assert done.returncode == 3
    assert "VERULAW_VERUS names" in done.stderr


def test_a_file_that_is_no_recording_is_never_overwritten(gate, tmp_path):
    (tmp_path / "proof.rs").write_text(candidate())
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "proof.json").write_text('{"mine": 1}')
    done = gate("record", "proof.rs", "--into", "out", "--verus", str(STANDIN))
    assert done.returncode == 2
    assert (tmp_path / "out" / "proof.json").read_text() == '{"mine": 1}'


def test_ctrl_c_leaves_a_run_that_goes_on(gate, call_environment, tmp_path):
    """The first files finish, the others hang: interrupted, then run again with the others
    mended."""
    ledger = tmp_path / "ledger"
    names = [f"p{n}.rs" for n in range(4)]
    for name in names[:2]:
        (tmp_path / name).write_text(candidate(ledger=str(ledger), name=name))
    for name in names[2:]:
        (tmp_path / name).write_text(candidate("hangs", ledger=str(ledger), name=name))
    call = ["record", *names, "--into", "out", "--verus", str(STANDIN), "--jobs", "2"]
    tool = subprocess.Popen(
        [sys.executable, "-m", "verulaw_gate", *call],
        cwd=tmp_path,
        env=call_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        started = ledger.read_text().split() if ledger.exists() else []
        if set(names) <= set(started) and len(list((tmp_path / "out").glob("*.json"))) == 2:
            break
        time.sleep(0.05)
    os.kill(tool.pid, signal.SIGINT)
    _, err = tool.communicate(timeout=60)
    assert tool.returncode == 130
    assert "Traceback" not in err
    for name in names[2:]:
        (tmp_path / name).write_text(candidate(ledger=str(ledger), name=name))
    done = gate(*call)
    assert "recorded 2 results (verified 2), kept 2" in done.stdout
    assert alive_processes() == []


def test_progress_on_a_terminal_tells_its_counts(call_environment, tmp_path):
    import pty

    (tmp_path / "proof.rs").write_text(candidate("exits_late", seconds=0.5))
    ours, theirs = pty.openpty()
    tool = subprocess.Popen(
        [sys.executable, "-m", "verulaw_gate", "record", "proof.rs", "--into", "out"],
        cwd=tmp_path,
        env=call_environment(VERULAW_VERUS=str(STANDIN), TERM="xterm", COLUMNS="120"),
        stdout=subprocess.PIPE,
        stderr=theirs,
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            data = os.read(ours, 4096)
        except OSError:  # the other side is closed
            break
        if not data:
            break
        shown += data
    out, _ = tool.communicate(timeout=60)
    os.close(ours)
    assert tool.returncode == 0
    assert b"1 running, 0 done, 0 cached, 0 rejected" in shown
    assert b"running" not in out


class TestMachinePaths:
    def test_what_goes_and_what_stays(self):
        text = (
            "--> /home/u/verus-x86-linux/vstd/std_specs/vec.rs:55:5\n"
            "--> /__w/verus/verus/source/vstd/seq.rs:1\n"
            "/tmp/verulaw-gate-0/12-34-56/000001/work/candidate.rs:3\n"
            "/rustc/59807616e1fa/library/core/src/macros/mod.rs\n"
            "at /home/u/.rustup/toolchains/x, // a/b/c.rs in /usr/lib"
        )
        cleaned = clean.without_machine_paths(text, [Path("/home/u/.rustup"), Path("/home/u")])
        assert cleaned == (
            "--> vstd/std_specs/vec.rs:55:5\n"
            "--> vstd/seq.rs:1\n"
            "candidate.rs:3\n"
            "/rustc/59807616e1fa/library/core/src/macros/mod.rs\n"
            "at ~/toolchains/x, // a/b/c.rs in /usr/lib"
        )

    @pytest.mark.parametrize(
        "name", ["plain", "with space", "ünï", 'quo"te', "(a|b)+", "back\\slash"]
    )
    @pytest.mark.parametrize("form", [str, json.dumps, lambda t: json.dumps(t, ensure_ascii=False)])
    def test_a_temporary_directory_of_any_name(self, tmp_path, monkeypatch, name, form):
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path / name))
        text = f"in {tmp_path / name}/verulaw-gate-0/1-2-3/000004/"
        said = form(f"{text}work/candidate.rs:1:2 {text}tmp/x, {text}home")
        assert clean.without_machine_paths(said) == form("in candidate.rs:1:2 in x, in .")

    def test_a_user_without_a_home(self, monkeypatch):
        def none():
            raise RuntimeError("Could not determine home directory.")

        monkeypatch.setattr(Path, "home", none)
        assert clean.machine_roots(None) is not None

    def test_json_stays_json(self):
        value = {"f": '/home/a"b/x.rs', "g": ['/home/a"b', '/home/a"bc']}
        cleaned = clean.without_machine_paths(json.dumps(value), [Path('/home/a"b')])
        assert json.loads(cleaned) == {"f": "~/x.rs", "g": ["~", '/home/a"bc']}

    def test_shipped_recordings_are_clean_already(self):
        from verulaw_gate.data import tasks_dir

        for path in sorted(tasks_dir().glob("*/verus/*.json")):
            text = path.read_text(encoding="utf-8")
            assert clean.without_machine_paths(text) == text, path
