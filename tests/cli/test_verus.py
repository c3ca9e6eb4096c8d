"""`verulaw-gate verus`: a drop-in. What passes must look exactly as if verus had been called."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from verulaw_gate.cli.checking.rustc_output import error_format
from verulaw_gate.cli.verus_arguments import file_among
from verulaw_gate.cli.verus_record import chosen_for_audit
from verulaw_gate.errors import VerusNotFound
from verulaw_gate.record.calls import Action, CallLog
from verulaw_gate.verus.find import find_program

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def log(tmp_path: Path) -> Callable[[], list[dict[str, object]]]:
    """The calls that the stand-in has seen."""
    path = tmp_path / "calls.jsonl"
    return lambda: [json.loads(x) for x in path.read_text().splitlines()] if path.exists() else []


@pytest.fixture
def verus(gate, standin: Path, tmp_path: Path):
    """`verulaw-gate verus` with the stand-in as the real one."""

    def call(*arguments: str, **env: str):
        more = {"VERULAW_VERUS": str(standin), "STANDIN_LOG": str(tmp_path / "calls.jsonl")}
        return gate("verus", *arguments, **{**more, **env})

    return call


def calls(folder: Path) -> list:
    with CallLog(str(folder / "store.sqlite"), read_only=True) as store:
        return list(store.calls())


@pytest.mark.parametrize("code", [0, 1, 2, 77])
def test_what_passes_looks_as_if_verus_had_been_called(
    repository: Path, verus, log, code: int
) -> None:
    arguments = ("proof.rs", "--rlimit", "20", "--output-json", "-V", "spinoff-all")
    out = repository / "out"
    out.write_text("some output\n")
    done = verus(*arguments, STANDIN_EXIT=str(code), STANDIN_OUT=str(out))
    assert done.returncode == code
    assert done.stdout == "some output\n"
    assert done.stderr == ""
    assert [c["argv"] for c in log()] == [list(arguments)]
    (call,) = calls(repository)
    assert (call.action, call.exit_code, call.base) == (Action.PASSED, code, "revision HEAD")
    assert call.options == arguments[1:]


def test_streams_are_the_very_same(repository: Path, standin: Path, call_environment, log) -> None:
    with (
        open(repository / "in", "w+") as stdin,
        open(repository / "o", "w") as stdout,
        open(repository / "e", "w") as stderr,
    ):
        stdin.write("from stdin\n")
        stdin.seek(0)
        env = call_environment(
            VERULAW_VERUS=str(standin),
            STANDIN_LOG=str(repository / "calls.jsonl"),
            STANDIN_ECHO="1",
        )
        subprocess.run(
            [sys.executable, "-m", "verulaw_gate", "verus", "proof.rs"],
            cwd=repository,
            env=env,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            check=True,
        )
        want = [
            [os.fstat(f.fileno()).st_dev, os.fstat(f.fileno()).st_ino]
            for f in (stdin, stdout, stderr)
        ]
    assert log()[0]["streams"] == want
    assert (repository / "o").read_text() == "from stdin\n"
    assert (repository / "e").read_text() == "standin: done\n"


def test_an_added_cheat_is_rejected_and_verus_does_not_run(
    repository: Path, verus, log, cheat: str
) -> None:
    (repository / "proof.rs").write_text(cheat)
    done = verus("proof.rs", "--output-json")
    assert done.returncode == 1
    assert done.stdout == ""
    assert "error: verulaw-gate[VG301]" in done.stderr
    assert "--> proof.rs:12:5" in done.stderr
    assert "    assume(x + y > 0);\n" in done.stderr
    assert "verification-results" not in done.stderr + done.stdout
    assert log() == []
    (call,) = calls(repository)
    assert (call.action, call.exit_code, call.family) == (Action.REJECTED, None, "trust")
    assert not call.predictive


def test_diagnostics_are_json_where_json_is_asked_for(repository: Path, verus, cheat: str) -> None:
    text = cheat.replace("fn main", "// é\nfn main")
    (repository / "proof.rs").write_text(text)
    done = verus("--error-format=json", "proof.rs")
    rows = [json.loads(line) for line in done.stderr.splitlines()]
    assert done.returncode == 1
    assert {row["$message_type"] for row in rows} == {"diagnostic"}
    first, last = rows[0], rows[-1]
    assert first["code"]["code"] == "verulaw-gate[VG301]"
    assert first["level"] == "error"
    (span,) = first["spans"]
    assert (span["file_name"], span["line_start"], span["column_start"]) == ("proof.rs", 12, 5)
    data = text.encode()[span["byte_start"] : span["byte_end"]].decode()
    assert data == "assume(x + y > 0)"
    assert "rejected before Verus ran" in last["message"]


def test_without_git_there_is_no_base_and_a_cheat_only_warns(
    tmp_path: Path, verus, log, cheat: str
) -> None:
    (tmp_path / "draft.rs").write_text(cheat)
    done = verus("draft.rs")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert len(log()) == 1


def test_a_draft_that_head_does_not_have_has_no_base(
    repository: Path, verus, log, cheat: str
) -> None:
    (repository / "draft.rs").write_text(cheat)
    assert verus("draft.rs").returncode == 0
    assert verus("--against", "HEAD", "draft.rs").returncode == 1
    assert len(log()) == 1


def test_against_a_file_or_by_the_environment(
    tmp_path: Path, verus, log, honest: str, cheat: str
) -> None:
    (tmp_path / "base.rs").write_text(honest)
    (tmp_path / "new.rs").write_text(cheat)
    assert verus("--against=base.rs", "new.rs").returncode == 1
    assert verus("--against", "base.rs", "new.rs").returncode == 1
    assert verus("new.rs", VERULAW_AGAINST="base.rs").returncode == 1
    assert log() == []
    assert verus("--against", "new.rs", "new.rs").returncode == 0


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV, signal.SIGINT])
def test_a_death_by_signal_is_passed_on(repository: Path, verus, number: signal.Signals) -> None:
    done = verus("proof.rs", STANDIN_DIE=str(int(number)))
    assert done.returncode == -number
    assert calls(repository)[0].exit_code == -number


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1])
def test_signals_reach_verus(
    repository: Path, standin: Path, call_environment, number: signal.Signals
) -> None:
    env = call_environment(VERULAW_VERUS=str(standin), STANDIN_WAIT="1")
    process = subprocess.Popen(
        [sys.executable, "-m", "verulaw_gate", "verus", "proof.rs"],
        cwd=repository,
        env=env,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.send_signal(number)
    out, _ = process.communicate(timeout=60)
    assert out == f"{number.name}\n"  # once, not twice
    assert process.returncode == 40 + number


@pytest.fixture
def shim(tmp_path: Path) -> Callable[[str], Path]:
    """Makes folders whose `verus` is this program."""

    def make(name: str) -> Path:
        folder = tmp_path / name
        folder.mkdir()
        script = folder / "verus"
        script.write_text(
            f"#!{sys.executable}\nimport sys\n"
            "from verulaw_gate.cli.verus import main_as_verus\nsys.exit(main_as_verus())\n"
        )
        script.chmod(0o755)
        return folder

    return make


@pytest.mark.parametrize("shims", [1, 2])
def test_under_the_name_verus_it_finds_the_real_one(
    repository: Path, standin: Path, call_environment, log, shim, cheat: str, shims: int
) -> None:
    real = repository / "real"
    real.mkdir()
    (real / "verus").symlink_to(standin)
    front = [shim(f"shim{n}") for n in range(shims)]
    # One more way to reach it: a link of the same name in yet another folder.
    (repository / "links").mkdir()
    (repository / "links" / "verus").symlink_to(front[0] / "verus")
    path = os.pathsep.join(map(str, [repository / "links", *front, real, os.environ["PATH"]]))
    env = call_environment(PATH=path, STANDIN_LOG=str(repository / "calls.jsonl"))

    def verus(*arguments: str) -> int:
        return subprocess.run(["verus", *arguments], cwd=repository, env=env, timeout=60).returncode

    assert verus("--version") == 0
    assert verus("proof.rs", "--against-nothing-of-ours") == 0
    (repository / "proof.rs").write_text(cheat)
    assert verus("proof.rs") == 1
    assert [c["argv"] for c in log()] == [["--version"], ["proof.rs", "--against-nothing-of-ours"]]
    assert len(calls(repository)) == 2  # not once for each shim on the way


@pytest.mark.parametrize("entry", ["main:main", "verus:main_as_verus"])
def test_a_link_to_either_start_script_will_do(
    repository: Path, standin: Path, call_environment, log, cheat: str, entry: str
) -> None:
    module, _, function = entry.partition(":")
    script = repository / "start-script"
    script.write_text(
        f"#!{sys.executable}\nimport sys\n"
        f"from verulaw_gate.cli.{module} import {function}\nsys.exit({function}())\n"
    )
    script.chmod(0o755)
    for name, target in (("front", script), ("real", standin)):
        (repository / name).mkdir()
        (repository / name / "verus").symlink_to(target)
    path = os.pathsep.join([f"{repository}/front", f"{repository}/real", os.environ["PATH"]])
    env = call_environment(PATH=path, STANDIN_LOG=str(repository / "calls.jsonl"))
    assert subprocess.run(["verus", "--version"], cwd=repository, env=env).returncode == 0
    assert subprocess.run(["verus", "proof.rs"], cwd=repository, env=env).returncode == 0
    (repository / "proof.rs").write_text(cheat)
    assert subprocess.run(["verus", "proof.rs"], cwd=repository, env=env).returncode == 1
    assert [c["argv"] for c in log()] == [["--version"], ["proof.rs"]]


def test_it_never_calls_itself(repository: Path, gate, shim) -> None:
    only = shim("only") / "verus"
    done = gate("verus", "proof.rs", VERULAW_VERUS=str(only))
    assert done.returncode == 3
    assert "which is the gate itself" in done.stderr
    env = {"PATH": f"{only.parent}{os.pathsep}/nowhere", "HOME": "/nowhere"}
    try:
        found, _ = find_program(environment=env)
    except VerusNotFound:
        done = gate("verus", "proof.rs", **env)
        assert done.returncode == 3
        assert "no verus was found" in done.stderr
    else:  # this machine has one in a known place
        assert found != only


def test_bypass_switches_the_gate_off(repository: Path, verus, log, cheat: str) -> None:
    (repository / "proof.rs").write_text(cheat)
    assert verus("proof.rs", VERULAW_BYPASS="1", STANDIN_EXIT="7").returncode == 7
    assert verus("proof.rs", VERULAW_BYPASS="0").returncode == 1
    assert len(log()) == 1
    assert len(calls(repository)) == 1


def test_the_audited_share_goes_to_verus_out_of_sight(
    repository: Path, verus, log, cheat: str
) -> None:
    (repository / "pyproject.toml").write_text("[tool.verulaw-gate]\naudit = 1.0\n")
    (repository / "proof.rs").write_text(cheat)
    out = repository / "results"
    out.write_text(
        '{"verification-results": {"encountered-error": false, "encountered-vir-error": false,'
        ' "success": true, "verified": 1, "errors": 0, "is-verifying-entire-crate": true}}'
    )
    program = repository / "verus-that-says"
    program.write_text(f'#!/bin/sh\necho "$@" >> {repository}/audited\ncat {out}\n')
    program.chmod(0o755)
    done = verus("proof.rs", "--rlimit=5", VERULAW_VERUS=str(program))
    assert done.returncode == 1
    assert done.stdout == ""
    assert "VG301" in done.stderr
    asked = (repository / "audited").read_text().split()
    assert asked == ["proof.rs", "--rlimit=5", "--error-format=json", "--output-json"]
    (call,) = calls(repository)
    assert call.audit is not None
    assert (call.audit.outcome, call.audit.exit_code, call.audit_share) == ("verified", 0, 1.0)
    assert not call.predictive  # a cheat that Verus accepts is no false reject


def test_the_audited_share_is_the_share_that_was_asked_for() -> None:
    files = [f"file {n}".encode() for n in range(4000)]
    for share in (0.0, 0.05, 0.5, 1.0):
        chosen = [chosen_for_audit(f, share) for f in files]
        assert abs(sum(chosen) / len(files) - share) < 0.03
        assert chosen == [chosen_for_audit(f, share) for f in files]
    # A larger share audits whatever a smaller one does.
    small = {f for f in files if chosen_for_audit(f, 0.05)}
    assert small <= {f for f in files if chosen_for_audit(f, 0.2)}


def test_a_store_that_cannot_be_written_changes_nothing_but_a_warning(
    repository: Path, verus
) -> None:
    done = verus("proof.rs", STANDIN_EXIT="5", VERULAW_STORE="/nowhere/store.sqlite")
    assert done.returncode == 5
    assert "warning: this call was not recorded" in done.stderr


@pytest.mark.parametrize(
    "data", [b"\xff\xfe not utf-8", b"", None], ids=["not-utf8", "empty", "missing"]
)
def test_what_the_gate_cannot_read_is_for_verus_to_say(
    repository: Path, verus, log, data: bytes | None
) -> None:
    if data is not None:
        (repository / "odd.rs").write_bytes(data)
    assert verus("odd.rs", STANDIN_EXIT="1").returncode == 1
    assert len(log()) == 1
    assert calls(repository)[0].action is Action.UNGATED


def test_a_file_name_that_is_no_text(repository: Path, verus, honest: str) -> None:
    name = os.fsdecode(b"odd\xff.rs")
    (repository / name).write_text(honest)
    assert verus(name, "--cfg=\udcfe").returncode == 0
    assert calls(repository)[0].path.endswith(name)


def test_receipts_tie_a_run_to_the_bytes_of_the_file(
    repository: Path, verus, gate, honest: str
) -> None:
    path = repository / "proof.rs"
    assert gate("check", "--require-verified", "proof.rs").returncode == 1
    assert verus("proof.rs", STANDIN_EXIT="1").returncode == 1
    assert gate("check", "--require-verified", "proof.rs").returncode == 1
    assert verus("--receipt", "r.jsonl", "proof.rs").returncode == 0
    assert gate("check", "--require-verified", "proof.rs").returncode == 0
    assert gate("check", "--require-verified", "--receipt", "r.jsonl", "proof.rs").returncode == 0
    path.write_text(honest + "\n")
    done = gate("check", "--require-verified", "proof.rs")
    assert done.returncode == 1
    assert "no receipt" in done.stdout
    assert "verified" not in done.stdout
    assert gate("check", "--require-verified", "--receipt", "r.jsonl", "proof.rs").returncode == 1


@pytest.mark.parametrize("option", ["--no-verify", "--verify-function=f", "--verify-root"])
def test_a_partial_run_leaves_no_receipt(repository: Path, verus, gate, option: str) -> None:
    done = verus("--receipt=r.jsonl", "proof.rs", option)
    assert done.returncode == 0
    assert "no receipt" in done.stderr
    assert gate("check", "--require-verified", "proof.rs").returncode == 1


def test_a_file_without_anything_to_prove_gets_no_receipt(repository: Path, verus, gate) -> None:
    (repository / "plain.rs").write_text("use vstd::prelude::*;\nfn main() {}\n")
    assert verus("plain.rs").returncode == 0
    assert gate("check", "--require-verified", "plain.rs").returncode == 1


@pytest.mark.parametrize(
    ("arguments", "file"),
    [
        (["a.rs"], "a.rs"),
        (["--rlimit", "3", "dir/a.rs", "-V", "x"], "dir/a.rs"),
        (["--version"], None),
        (["--crate-type=lib", "src/lib.rs"], "src/lib.rs"),
        (["-"], None),
        (["-o", "decoy.rs", "real.rs"], "real.rs"),
        (["--log-dir", "decoy.rs", "--", "real.rs"], "real.rs"),
        (["--extern", "decoy=decoy.rs", "real.rs", "decoy.rs"], "real.rs"),
    ],
)
def test_the_file_among_the_arguments(arguments: list[str], file: str | None) -> None:
    assert file_among(arguments) == file


def test_a_cheat_by_another_suffix_is_gated_too(repository: Path, verus, cheat: str) -> None:
    (repository / "cheat.txt").write_text(cheat + "}")
    done = verus("--rlimit", "3", "cheat.txt")
    assert done.returncode == 1
    assert "verulaw-gate[VG101]" in done.stderr


def test_a_run_on_another_file_leaves_no_receipt(repository: Path, verus, gate, honest) -> None:
    (repository / "other.txt").write_text(honest + "// another\n")
    for arguments in (["-o", "proof.rs", "other.txt"], ["proof.rs", "other.txt"]):
        assert verus(*arguments).returncode == 0
        assert gate("check", "--require-verified", "proof.rs").returncode == 1


def test_a_file_called_head_is_not_the_base(repository: Path, verus, cheat: str) -> None:
    (repository / "proof.rs").write_text(cheat)
    (repository / "HEAD").write_text(cheat)
    done = verus("proof.rs")
    assert done.returncode == 1
    assert "verulaw-gate[VG301]" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "form"),
    [
        ([], "human"),
        (["--error-format=json"], "json"),
        (["--error-format", "json"], "json"),
        (["--error-format=short"], "short"),
        (["--error-format=pretty-json-unused"], "json"),
        (["--output-json"], "human"),
    ],
)
def test_the_form_of_diagnostics(arguments: list[str], form: str) -> None:
    assert error_format(arguments) == form


def test_ctrl_c_at_a_terminal_reaches_verus_once(
    repository: Path, standin: Path, call_environment
) -> None:
    env = call_environment(VERULAW_VERUS=str(standin), STANDIN_WAIT="1")
    pid, terminal = os.forkpty()
    if pid == 0:
        os.chdir(repository)
        program = [sys.executable, "-m", "verulaw_gate", "verus", "proof.rs"]
        os.execve(sys.executable, program, env)
    seen = b""
    while b"ready" not in seen:
        seen += os.read(terminal, 1000)
    os.write(terminal, b"\x03")
    try:
        while chunk := os.read(terminal, 1000):
            seen += chunk
    except OSError:
        pass  # the other side is closed
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 40 + signal.SIGINT
    assert seen.count(b"SIGINT") == 1


def test_a_run_in_the_store_is_a_receipt(tmp_path: Path, gate, honest: str) -> None:
    from verulaw_gate.gate.model import SourceKind
    from verulaw_gate.record.calls import CallLog
    from verulaw_gate.record.events import VerificationDone
    from verulaw_gate.record.schema import events, runs
    from verulaw_gate.verus.keys import source_sha256
    from verulaw_gate.verus.model import Outcome

    (tmp_path / "a.rs").write_text(honest)

    def store(**more: object) -> None:
        done = VerificationDone.model_validate(
            {
                "source_sha256": source_sha256(honest),
                "source_kind": SourceKind.RAW,
                "outcome": Outcome.VERIFIED,
                "verified": 1,
                "errors": 0,
                "origin": "verus",
                **more,
            }
        )
        with CallLog(str(tmp_path / "store.sqlite")) as log, log._engine.begin() as connection:
            key = connection.execute(runs.insert().values(name=repr(more))).inserted_primary_key
            assert key is not None
            row = {"run_id": key[0], "task": "t", "arm": "a", "sample": 0, "generation": 1}
            payload = done.model_dump_json()
            connection.execute(
                events.insert().values(**row, seq=0, kind=done.kind, payload=payload)
            )

    for fault in (
        {"outcome": Outcome.PROOF_FAILURE},
        {"verified": 0},
        {"origin": "recorded"},
        {"unstable": True},
        {"source_sha256": "0" * 64},
        {"options": ["--no-verify"]},
    ):
        store(**fault)
        assert gate("check", "--require-verified", "a.rs").returncode == 1, fault
    store()
    assert gate("check", "--require-verified", "a.rs").returncode == 0


def test_the_recorded_calls_can_be_read(repository: Path, verus, gate, cheat: str) -> None:
    assert gate("verus", "--calls").returncode == 2  # nothing recorded yet
    verus("proof.rs")
    (repository / "proof.rs").write_text(cheat)
    verus("proof.rs")
    done = gate("verus", "--calls")
    assert done.returncode == 0
    assert "calls: 2 (1 passed, 1 rejected, 0 ungated)" in done.stdout
    assert "rejected by family: 1 trust" in done.stdout
    assert "rejections that were audited: 0/1" in done.stdout
    assert "each source once: no data (n = 0)" in done.stdout


def test_a_repository_that_git_will_not_read_is_said(repository: Path, verus, cheat: str) -> None:
    (repository / ".git" / "config").write_text("[broken\n")
    (repository / "proof.rs").write_text(cheat)
    done = verus("proof.rs")
    assert done.returncode == 0
    assert "verulaw-gate: warning: no base: " in done.stderr


def test_verus_is_not_left_alone_when_something_fails_here(tmp_path: Path) -> None:
    from verulaw_gate.cli import child

    def fails() -> None:
        raise RuntimeError("here")

    mark = tmp_path / "done"
    with pytest.raises(RuntimeError, match="here"):
        child.run(["/bin/sh", "-c", f"sleep 0.2; touch {mark}"], meanwhile=fails)
    assert mark.exists()


def test_record_leaves_a_receipt_of_what_verified(tmp_path: Path, gate) -> None:
    from tests.standins.harness import STANDIN

    for do, code in (("verified", 0), ("proof-failure", 1)):
        source = f'// standin: {{"do": "{do}"}}\nverus! {{ fn f() {{}} }}\n'
        (tmp_path / f"{do}.rs").write_text(source)
        gate("record", f"{do}.rs", "--into=out", f"--verus={STANDIN}")
        done = gate("check", "--require-verified", "--select=VG1", f"{do}.rs")
        assert done.returncode == code, done.stdout
