"""The bounded process: outcomes of everything a command can do, and what may not be left."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from tests.standins.harness import (
    alive_processes,
    has_cgroup,
    kill_keeper,
    kill_supervisor,
    kill_supervisor_of,
)
from tests.verus.conftest import assert_nothing_left, candidate, standin
from verulaw_gate.errors import InputError, ToolError, UsageError, VerusNotFound
from verulaw_gate.verus import workdir
from verulaw_gate.verus.cancel import Cancel
from verulaw_gate.verus.capture import Capture
from verulaw_gate.verus.limits import MIB, Limits
from verulaw_gate.verus.model import STRICT_OPTIONS, Outcome
from verulaw_gate.verus.process import RunCancelled
from verulaw_gate.verus.verifier import VerusVerifier

pytestmark = pytest.mark.usefixtures("nothing_left")


def test_a_result_with_its_cost():
    result = standin().verify(candidate(), STRICT_OPTIONS, target="f")
    assert result.outcome is Outcome.VERIFIED
    assert result.target_proved is True
    assert result.argv == ("verus", "candidate.rs", *STRICT_OPTIONS.args)
    assert (result.exit_code, result.origin, result.truncated) == (0, "verus", False)
    assert result.version == "0.2026.06.08.9a4284b"
    assert result.wall_s is not None
    assert result.wall_s > 0
    assert result.cpu_s is not None
    assert result.cpu_s > 0


def test_a_failure_has_its_diagnostic_and_function():
    result = standin().verify(candidate("proof_failure"), target="f")
    assert result.outcome is Outcome.PROOF_FAILURE
    assert [(d.message, d.function) for d in result.diagnostics] == [("assertion failed", "f")]


@pytest.mark.parametrize("after_result", [False, True])
def test_the_wall_limit_is_ours_and_wins_over_a_result_already_printed(after_result):
    result = standin(wall_s=0.4).verify(candidate("hangs", after_result=after_result))
    assert result.outcome is Outcome.TIMEOUT
    assert result.target_proved is None
    assert result.verified is None
    assert "0.4 s" in result.detail


def test_sigterm_and_the_like_do_not_help():
    assert standin(wall_s=0.4).verify(candidate("ignores_signals")).outcome is Outcome.TIMEOUT


@pytest.mark.parametrize("kind", ["group", "session", "daemon", "disguised"])
def test_children_in_any_disguise_are_found_and_ended(kind):
    result = standin().verify(candidate("forks", children=[kind, kind]))
    assert result.outcome is Outcome.VERIFIED
    assert_nothing_left()
    result = standin(wall_s=0.4).verify(candidate("forks", children=[kind], hang=True))
    assert result.outcome is Outcome.TIMEOUT


def test_a_flood_is_stopped():
    result = standin(output_bytes=65536).verify(candidate("floods"))
    assert result.outcome is Outcome.CRASH
    assert result.truncated
    assert len(result.stdout) < 2 * 65536
    assert "cut" in result.detail


def test_long_stderr_is_cut_and_the_result_stands():
    result = standin(output_bytes=65536).verify(candidate("floods", bytes=300_000, stderr=True))
    assert result.outcome is Outcome.VERIFIED
    assert result.truncated
    assert f"{300_000 - 65536} bytes" in result.stderr


def test_a_result_behind_cut_output_is_not_believed():
    result = standin(output_bytes=65536).verify(candidate("floods", bytes=300_000))
    assert result.outcome is Outcome.CRASH
    assert result.verified is None


def test_memory_is_bounded():
    result = standin(memory_bytes=256 * MIB).verify(candidate("eats_memory"))
    assert result.outcome is Outcome.CRASH


def test_files_are_bounded():
    assert standin(file_bytes=MIB).verify(candidate("writes_much")).outcome is Outcome.CRASH


def test_what_is_written_around_the_directory_is_removed():
    assert standin().verify(candidate("writes_outside")).outcome is Outcome.VERIFIED


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGKILL, signal.SIGABRT])
def test_death_by_signal_is_a_crash_even_after_a_good_result(number):
    result = standin().verify(candidate("dies", signal=int(number), after_result=True))
    assert result.outcome is Outcome.CRASH
    assert result.verified is None


def test_a_late_exit_is_waited_for():
    result = standin().verify(candidate("exits_late", seconds=0.3))
    assert result.outcome is Outcome.VERIFIED
    assert result.wall_s is not None
    assert result.wall_s >= 0.3


def test_the_environment_is_small_and_has_no_secrets(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "secret")
    monkeypatch.setenv("SOMETHING_ELSE", "1")
    monkeypatch.setenv("VERUS_Z3_PATH", "/opt/z3")
    result = standin().verify(candidate("shows_environment"))
    lines = result.stderr.splitlines()
    seen, stdin = json.loads(lines[0]), json.loads(lines[1])
    assert stdin == ""
    assert "secret" not in result.stderr
    allowed = {
        *("PATH", "LD_LIBRARY_PATH", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "CARGO_HOME"),
        *("VERUS_Z3_PATH", "VERUS_SINGULAR_PATH", "HOME", "TMPDIR", "LC_ALL", "NO_COLOR"),
        *("VERULAW_GATE_RUN", "VERULAW_GATE_CALL"),
    }
    assert set(seen) <= allowed
    assert seen["VERUS_Z3_PATH"] == "/opt/z3"
    assert seen["HOME"] != os.environ.get("HOME")


def test_nothing_of_ours_is_open_in_the_command():
    """Not the sockets of its keepers either: a command must not be able to report on itself."""
    lines = standin().verify(candidate("shows_environment")).stderr.splitlines()
    assert json.loads(lines[2]) == ["0", "1", "2", "3"]  # 3: the listing of them
    assert json.loads(lines[3]) is True  # a session of its own


def test_the_two_ways_to_find_children_agree():
    """psutil is the fallback where there is no /proc."""
    from verulaw_gate.verus import _proctree

    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    try:
        for children in (_proctree.proc_children(), _proctree.psutil_children()):
            assert child.pid in children[os.getpid()]
    finally:
        child.kill()
        child.wait()


def test_source_bytes_are_kept_exactly():
    """CRLF, a byte-order mark and any character reach the file as they are."""
    text = candidate() + "// \r\n\ufeff é 漢 \U0001f600 \x00\r"
    assert standin().verify(text).outcome is Outcome.VERIFIED


def test_a_lone_surrogate_is_an_input_error():
    with pytest.raises(InputError):
        standin().verify("\ud800")


def test_a_program_that_cannot_be_started(tmp_path):
    script = tmp_path / "verus"
    with pytest.raises(VerusNotFound) as caught:
        VerusVerifier(script).verify("x")
    assert "VERULAW_VERUS" in caught.value.hint
    script.write_text("#!/nonexistent/interpreter\n")
    script.chmod(0o755)
    with pytest.raises(VerusNotFound):
        VerusVerifier(script).verify("x")
    script.chmod(0o644)
    with pytest.raises(VerusNotFound):
        VerusVerifier(script).verify("x")


@pytest.mark.parametrize(
    "bad", [{"wall_s": 0}, {"memory_bytes": -1}, {"output_bytes": 0}, {"memory_bytes": MIB}]
)
def test_limits_are_positive(bad):
    with pytest.raises(UsageError):
        Limits(**bad)


def test_a_limit_of_a_year_is_a_limit():
    assert standin(wall_s=3.2e7).verify(candidate()).outcome is Outcome.VERIFIED


def test_a_command_line_that_is_too_long_is_one_clear_error():
    from verulaw_gate.verus.model import VerusOptions

    with pytest.raises(ToolError, match="cannot run"):
        standin().verify(candidate(), VerusOptions(("--x=" + "y" * 3_000_000,)))


def test_with_few_descriptors_left_it_works_or_is_one_clear_error():
    import resource

    standin().verify(candidate())
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    told = []
    for free in range(14):
        held = []
        resource.setrlimit(resource.RLIMIT_NOFILE, (300, hard))
        try:
            while True:
                held.append(os.dup(0))
        except OSError:
            pass
        for fd in held[len(held) - free :]:
            os.close(fd)
        try:
            told.append(standin().verify(candidate()).outcome)
        except ToolError as problem:
            told.append(problem.message)
        finally:
            for fd in held[: len(held) - free]:
                os.close(fd)
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert "Too many open files" in told[0]
    assert told[-1] is Outcome.VERIFIED


def test_no_place_to_write_is_one_clear_error(monkeypatch, tmp_path):
    monkeypatch.setattr(workdir.tempfile, "gettempdir", lambda: str(tmp_path / "missing"))
    with pytest.raises(ToolError, match="cannot write"):
        standin().verify(candidate())


class TestCancel:
    def test_before(self):
        cancel = Cancel()
        cancel.cancel()
        with pytest.raises(RunCancelled):
            standin().verify(candidate("hangs"), cancel=cancel)

    def test_while_it_runs_from_another_thread(self):
        cancel = Cancel()
        threading.Timer(0.3, cancel.cancel).start()
        with pytest.raises(RunCancelled):
            standin().verify(candidate("forks", children=["daemon"], hang=True), cancel=cancel)

    def test_one_token_stops_many(self):
        cancel, errors = Cancel(), []

        def one():
            try:
                standin().verify(candidate("hangs"), cancel=cancel)
            except RunCancelled as problem:
                errors.append(problem)

        threads = [threading.Thread(target=one) for _ in range(4)]
        for thread in threads:
            thread.start()
        time.sleep(0.3)
        cancel.cancel()
        for thread in threads:
            thread.join(30)
        assert len(errors) == 4


def test_calls_go_on_after_the_supervisor_was_killed():
    for _ in range(3):
        assert standin().verify(candidate()).outcome is Outcome.VERIFIED
        kill_supervisor()
    assert standin().verify(candidate()).outcome is Outcome.VERIFIED


@pytest.mark.parametrize("first", ["supervisor", "keeper"])
def test_a_disguised_child_is_ended_though_supervisor_and_keeper_were_killed(first):
    """Its session, parent and environment are gone: only the cgroup still knows it."""
    if not has_cgroup():
        pytest.skip("no cgroup v2 that we may write to")
    source = candidate("forks", children=["disguised", "daemon"], hang=True, name="doubly")
    killers = {"supervisor": kill_supervisor, "keeper": lambda: kill_keeper("doubly")}
    results = []
    caller = threading.Thread(target=lambda: results.append(standin().verify(source)))
    caller.start()
    deadline = time.monotonic() + 60
    while not any("verus-standin-child" in line for line in alive_processes()):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    killers.pop(first)()
    for killer in killers.values():
        killer()
    caller.join()
    assert results[0].outcome is Outcome.CRASH
    assert_nothing_left()


def test_descriptors_are_given_back():
    standin().verify(candidate())
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(8):
        standin().verify(candidate())
    assert len(os.listdir("/proc/self/fd")) <= before


def test_threads_at_once():
    results, lock = [], threading.Lock()

    def one(number):
        do = "verified" if number % 2 else "proof_failure"
        result = standin().verify(candidate(do))
        with lock:
            results.append((do, result.outcome))

    threads = [threading.Thread(target=one, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (
        sorted(results)
        == [("proof_failure", Outcome.PROOF_FAILURE)] * 4 + [("verified", Outcome.VERIFIED)] * 4
    )


class TestCapture:
    def test_short_output_is_kept_whole(self):
        capture = Capture(10)
        capture.add(b"01234")
        capture.add(b"56789")
        assert (capture.bytes(), capture.cut) == (b"0123456789", 0)

    def test_the_middle_goes_and_is_counted(self):
        for size in (1, 3, 7, 100):
            capture = Capture(10)
            data = bytes(range(48, 48 + 50))
            for at in range(0, len(data), size):
                capture.add(data[at : at + size])
            assert capture.cut == 40
            text = capture.bytes()
            assert text.startswith(data[:5])
            assert text.endswith(data[-5:])
            assert b"40 bytes cut" in text


class TestDeath:
    """The tool itself dies: whatever it had started goes too."""

    DRIVER = """
import sys, threading
sys.path.insert(0, sys.argv[1])
from tests.verus.conftest import candidate, standin
from verulaw_gate.verus import workdir
print(workdir.run_name(), flush=True)
source = candidate("forks", children=sys.argv[3].split(","), hang=True)
if sys.argv[2] == "thread":
    threading.Thread(target=standin().verify, args=(source,)).start()
    threading.Event().wait()
standin().verify(source)
"""

    def start(self, mode="main", children="group,session,daemon"):
        root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        driver = subprocess.Popen(
            [sys.executable, "-c", self.DRIVER, root, mode, children],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=root,
        )
        assert driver.stdout is not None
        run = driver.stdout.readline().strip()
        deadline = time.monotonic() + 60
        while len(started := alive_processes(run)) < 4:
            assert time.monotonic() < deadline, f"the children never started: {started}"
            time.sleep(0.02)
        return driver, run

    def gone(self, run):
        assert_nothing_left(run)
        directory = workdir.base_dir() / run
        deadline = time.monotonic() + 20
        while directory.exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        assert not directory.exists()

    @pytest.mark.parametrize("mode", ["main", "thread"])
    def test_by_sigkill(self, mode):
        driver, run = self.start(mode)
        driver.kill()
        driver.communicate()
        self.gone(run)

    def test_by_sigterm(self):
        driver, run = self.start()
        driver.terminate()
        driver.communicate()
        self.gone(run)

    def test_by_ctrl_c(self):
        driver, run = self.start()
        driver.send_signal(signal.SIGINT)
        _, err = driver.communicate(timeout=60)
        assert "KeyboardInterrupt" in err
        self.gone(run)

    def test_with_supervisor_and_keepers_at_once_the_next_start_cleans_up(self):
        from tests.standins.harness import processes

        driver, run = self.start()
        if (workdir.base_dir() / run / "cgroup").exists():
            # Only a cgroup finds a child that has left its session and emptied its environment.
            driver.kill()
            driver.communicate()
            self.gone(run)
            driver, run = self.start(children="group,daemon,disguised")
        driver.send_signal(signal.SIGSTOP)
        for pid, _, command, _ in processes():
            if b"_supervisor.py" in command and run.encode() in command:
                os.kill(pid, signal.SIGKILL)
        driver.kill()
        driver.communicate()
        assert (workdir.base_dir() / run).exists()
        workdir.sweep()
        self.gone(run)

    def test_no_cgroup_of_a_dead_run_is_left(self):
        from verulaw_gate.verus import _cgroup

        driver, run = self.start()
        kill_supervisor_of(driver.pid)
        driver.kill()
        driver.communicate()
        workdir.sweep()
        self.gone(run)
        assert run not in _cgroup.runs_in(_cgroup.own_folder())

    def test_sweeping_leaves_the_living_alone(self):
        driver, run = self.start()
        workdir.sweep()
        assert (workdir.base_dir() / run).exists()
        assert driver.poll() is None
        driver.kill()
        driver.communicate()
        self.gone(run)


class TestRuns:
    def test_another_namespace_is_never_judged_dead(self):
        pid, started, namespace = workdir.run_name().split("-")
        assert not workdir.is_dead(f"{pid}-{started}-{namespace}")
        assert workdir.is_dead(f"{pid}-{int(started) + 1}-{namespace}")
        assert not workdir.is_dead(f"{pid}-{int(started) + 1}-{int(namespace) + 1}")
        assert not workdir.is_dead("something-else")

    def test_a_directory_that_others_may_write_is_refused(self, tmp_path, monkeypatch):
        monkeypatch.setattr(workdir.tempfile, "gettempdir", lambda: str(tmp_path))
        base = tmp_path / f"verulaw-gate-{os.getuid()}"
        base.mkdir()
        base.chmod(0o777)
        with pytest.raises(ToolError):
            workdir.base_dir()
        base.rmdir()
        base.symlink_to(tmp_path)
        with pytest.raises(ToolError):
            workdir.base_dir()
