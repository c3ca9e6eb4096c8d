"""At most so many at once: over threads, over processes, with holders that die."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest

from tests.standins.harness import STANDIN
from tests.verus.conftest import assert_nothing_left, candidate, standin
from verulaw_gate.verus.cancel import Cancel
from verulaw_gate.verus.model import Outcome, Verification, VerusOptions
from verulaw_gate.verus.pool import default_workers
from verulaw_gate.verus.process import RunCancelled
from verulaw_gate.verus.slots import BoundedVerifier, slot


@pytest.fixture(autouse=True)
def own_slots(tmp_path, monkeypatch):
    """Slots that no other test of this machine holds."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))


class Watched:
    """A verifier of the test that notes how many are inside at once, and in which order."""

    def __init__(self):
        self.lock, self.inside, self.most, self.order = threading.Lock(), 0, 0, []

    def verify(self, source, options, *, target=None, cancel=None):
        with self.lock:
            self.inside += 1
            self.most = max(self.most, self.inside)
            self.order.append(source)
        time.sleep(0.01)
        with self.lock:
            self.inside -= 1
        return Verification(Outcome.VERIFIED, True, source, options)


@pytest.mark.parametrize("workers", [1, 3])
def test_threads(workers):
    inner = Watched()
    bounded = BoundedVerifier(inner, workers)
    with ThreadPoolExecutor(16) as pool:
        results = list(pool.map(bounded.verify, [str(n) for n in range(40)]))
    assert [r.source_sha256 for r in results] == [str(n) for n in range(40)]
    assert inner.most == workers


def test_two_verifiers_share_the_slots():
    inner = Watched()
    with ThreadPoolExecutor(8) as pool:
        for n in range(20):
            pool.submit(BoundedVerifier(inner, 2).verify, str(n))
    assert inner.most == 2


def test_the_default_is_cores_over_the_threads_of_one(monkeypatch):
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(6)), raising=False)
    for threads, most in ((1, 6), (3, 2), (64, 1)):
        inner = Watched()
        options = VerusOptions((f"--num-threads={threads}",))
        with ThreadPoolExecutor(12) as pool:
            for n in range(24):
                pool.submit(BoundedVerifier(inner).verify, str(n), options)
        assert inner.most == most


def test_who_asked_first_runs_first():
    inner = Watched()
    bounded = BoundedVerifier(inner, 1)
    with ThreadPoolExecutor(10) as pool:
        with slot(1):
            for n in range(10):
                pool.submit(bounded.verify, str(n))
                time.sleep(0.02)
        time.sleep(0)
    assert inner.order == [str(n) for n in range(10)]


def test_cancelled_in_line():
    cancel = Cancel()
    with slot(1), ThreadPoolExecutor(2) as pool:
        waits = pool.submit(BoundedVerifier(Watched(), 1).verify, "a", cancel=cancel)
        time.sleep(0.1)
        assert not waits.done()
        cancel.cancel()
        with pytest.raises(RunCancelled):
            waits.result(20)
    assert BoundedVerifier(Watched(), 1).verify("b").outcome is Outcome.VERIFIED


def test_an_error_gives_the_slot_back():
    class Failing:
        def verify(self, *_, **__):
            raise KeyError("inner")

    for _ in range(3):
        with pytest.raises(KeyError):
            BoundedVerifier(Failing(), 1).verify("a")


PROGRAM = """
import os, sys, time
from verulaw_gate.verus.slots import slot
log, count, times, kind = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
def say(word):
    fd = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.write(fd, f"{word}\\n".encode())
    os.close(fd)
for _ in range(times):
    with slot(count):
        say("in")
        time.sleep(3600 if kind == "hangs" else 0.01)
        say("out")
"""


def program(log, count, times, kind="ends"):
    return subprocess.Popen([sys.executable, "-c", PROGRAM, log, str(count), str(times), kind])


def test_processes(tmp_path):
    log = tmp_path / "log"
    running = [program(log, 2, 6) for _ in range(4)]
    assert [p.wait(120) for p in running] == [0, 0, 0, 0]
    inside, most = 0, 0
    for word in log.read_text().split():
        inside += 1 if word == "in" else -1
        most = max(most, inside)
    assert log.read_text().split().count("out") == 24
    assert (inside, most) == (0, 2)


def test_the_slot_of_a_killed_process_is_free(tmp_path):
    log = tmp_path / "log"
    holder = program(log, 1, 1, "hangs")
    while not log.exists():
        time.sleep(0.02)
    with ThreadPoolExecutor(1) as pool:
        waits = pool.submit(BoundedVerifier(Watched(), 1).verify, "a")
        time.sleep(0.1)
        assert not waits.done()
        os.kill(holder.pid, signal.SIGKILL)
        holder.wait()
        assert waits.result(20).outcome is Outcome.VERIFIED


def test_a_fork_neither_holds_nor_waits():
    """A child made while a slot was held keeps none: its copy of the lock is given back too."""
    with slot(1):
        child = os.fork()
        if child == 0:
            time.sleep(30)
            os._exit(0)
    try:
        assert BoundedVerifier(Watched(), 1).verify("a").outcome is Outcome.VERIFIED
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def test_the_real_runner_behind_it():
    bounded = pickle.loads(pickle.dumps(BoundedVerifier(standin(), 1)))
    result = bounded.verify(candidate(), target="f")
    assert (result.outcome, result.target_proved) == (Outcome.VERIFIED, True)
    assert_nothing_left()


def real_verifier_of_the_verbs(tmp_path):
    from argparse import Namespace

    from verulaw_gate.cli.real_verifier import real_verifier
    from verulaw_gate.config import DEFAULTS

    args = Namespace(verus=str(STANDIN), timeout=60.0, no_cache=True)
    with real_verifier(args, DEFAULTS, None) as real:
        return real.verifier


def verifier_of_experiments(tmp_path):
    from verulaw_gate.experiment.workshop import make_verifier

    return make_verifier({"kind": "verus", "path": str(STANDIN)}, (), tmp_path)


def test_experiments_know_the_version(tmp_path):
    assert verifier_of_experiments(tmp_path).version == "0.2026.06.08.9a4284b"


@pytest.mark.parametrize("make", [real_verifier_of_the_verbs, verifier_of_experiments])
def test_whoever_runs_verus_waits_for_a_slot(make, tmp_path):
    verifier = make(tmp_path)
    with ThreadPoolExecutor(1) as pool:
        with ExitStack() as held:
            for _ in range(default_workers()):
                held.enter_context(slot(default_workers()))
            waits = pool.submit(verifier.verify, candidate())
            time.sleep(0.5)
            assert not waits.done()
        assert waits.result(60).outcome is Outcome.VERIFIED
