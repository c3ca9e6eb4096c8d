"""Run seeded faults through the pool and count what must hold: no attempt lost, none counted
twice, no process alive, no file left."""

from __future__ import annotations

import atexit
import collections
import contextlib
import os
import shutil
import signal
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from tests.standins.faults import Fault, make
from verulaw_gate.verus import workdir
from verulaw_gate.verus.cancel import Cancel
from verulaw_gate.verus.process import RunCancelled
from verulaw_gate.verus.verifier import VerusVerifier

QUICK = Path(__file__).with_name("quick.sh")


def _with_this_python() -> Path:
    """A copy of the stand-in that this very interpreter runs: `python3` on PATH may be a shell
    script with an environment of its own."""
    folder = Path(tempfile.mkdtemp(prefix="verulaw-standin-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    text = Path(__file__).with_name("faulty_verus.py").read_text(encoding="utf-8")
    program = folder / "faulty_verus.py"
    body = text.partition("\n")[2]
    program.write_text(f"#!{os.path.realpath(sys.executable)} -IS\n{body}", encoding="utf-8")
    program.chmod(0o755)
    return program


STANDIN = _with_this_python()


@dataclass
class Tally:
    """What came of the faults. `wrong` lists outcomes that may not be."""

    asked: int = 0
    answered: int = 0
    cancelled: int = 0
    executed_twice: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    alive: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    kinds: collections.Counter = field(default_factory=collections.Counter)
    cgroup: bool = True

    @property
    def lost(self) -> int:
        return self.asked - self.answered - self.cancelled

    def __str__(self) -> str:
        return (
            f"{self.asked} faults of {len(self.kinds)} kinds: {self.answered} answered, "
            f"{self.cancelled} cancelled, {self.lost} lost, "
            f"{len(self.executed_twice)} executed twice, {len(self.wrong)} wrong outcomes, "
            f"{len(self.alive)} processes alive after 1 s, {len(self.files)} files left"
            f"{'' if self.cgroup else ' (no cgroup: no disguised child lost its keeper)'}"
        )


def has_cgroup() -> bool:
    """Whether our supervisor could make a cgroup."""
    VerusVerifier(QUICK).verify("")  # starts it
    return (workdir.run_dir() / "cgroup").exists()


def run_faults(seeds, ledger: Path, workers: int = 4) -> Tally:
    """Run the faults of `seeds`, `workers` at once."""
    tally, lock = Tally(), threading.Lock()
    tally.cgroup = has_cgroup()

    def one(seed: int) -> None:
        fault = make(seed, str(ledger), cgroup=tally.cgroup)
        with lock:
            tally.asked += 1
            tally.kinds[fault.kind] += 1
        answer = call(fault)
        with lock:
            if answer is None:
                tally.cancelled += 1
            else:
                tally.answered += 1
                if answer.outcome not in fault.outcomes:
                    tally.wrong.append(f"{fault.name}: {answer.outcome} ({answer.detail})")

    with ThreadPoolExecutor(workers) as pool:
        for future in [pool.submit(one, seed) for seed in seeds]:
            future.result()
    times = collections.Counter(ledger.read_text().split() if ledger.exists() else ())
    tally.executed_twice = [name for name, count in times.items() if count > 1]
    deadline = time.monotonic() + 1.0
    while (alive := alive_processes()) and time.monotonic() < deadline:
        time.sleep(0.02)
    tally.alive = alive
    tally.files = left_files()
    return tally


def call(fault: Fault):
    """One call; None where it was cancelled, as it should be."""
    verifier = VerusVerifier(STANDIN, limits=fault.limits)
    cancel = Cancel()
    timers = []
    if fault.cancel_after is not None:
        timers.append(threading.Timer(fault.cancel_after, cancel.cancel))
    if fault.kill == "keeper":
        timers.append(threading.Timer(0.15, kill_keeper, [fault.name]))
    if fault.kill == "supervisor":
        timers.append(threading.Timer(0.2, kill_supervisor))
    for timer in timers:
        timer.start()
    try:
        return verifier.verify(fault.source, target="f", cancel=cancel)
    except RunCancelled:
        assert fault.cancel_after is not None
        return None
    finally:
        for timer in timers:
            timer.join()


def processes():
    """(pid, parent, command line, environment) of every process that is not a zombie."""
    for name in os.listdir("/proc"):
        if not name.isdigit() or int(name) == os.getpid():
            continue
        with contextlib.suppress(OSError, IndexError):
            proc = Path("/proc") / name
            fields = (proc / "stat").read_bytes().rpartition(b")")[2].split()
            if fields[0] in (b"Z", b"X"):
                continue
            command = (proc / "cmdline").read_bytes()
            yield int(name), int(fields[1]), command, (proc / "environ").read_bytes()


def alive_processes(run: str | None = None) -> list[str]:
    """Processes of our calls: by the mark in their environment, and by the name that a disguised
    child of the stand-in keeps on its command line while its parents were ours."""
    mark = f"{workdir.RUN_MARK}={run or workdir.run_name()}".encode()
    return [
        f"{pid} {command!r}"
        for pid, _, command, environment in processes()
        if mark in environment.split(b"\0") or b"verus-standin-child" in command
    ]


def kill_keeper(name: str) -> None:
    """SIGKILL the keeper of the call whose candidate has this name: until it is found."""
    for _ in range(200):
        for pid, parent, _, environment in processes():
            call_dir = environment.partition(f"{workdir.CALL_MARK}=".encode())[2]
            path = Path(os.fsdecode(call_dir.split(b"\0")[0])) / "work" / "candidate.rs"
            with contextlib.suppress(OSError):
                if call_dir and f'"{name}"' in path.read_text():
                    top = keeper_of(pid, parent)
                    if top is not None:
                        os.kill(top, signal.SIGKILL)
                        return
        time.sleep(0.02)


def keeper_of(pid: int, parent: int) -> int | None:
    """The first ancestor that runs the supervisor's script."""
    known = {p: (up, command) for p, up, command, _ in processes()}
    while parent in known:
        if b"_supervisor.py" in known[parent][1]:
            return parent
        parent = known[parent][0]
    return None


def kill_supervisor() -> None:
    """SIGKILL this process's supervisor (not its keepers)."""
    kill_supervisor_of(os.getpid())


def kill_supervisor_of(owner: int) -> None:
    """SIGKILL the supervisor of another process."""
    for pid, parent, command, _ in processes():
        if parent == owner and b"_supervisor.py" in command:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)


def left_files() -> list[str]:
    """Call directories of this process that still exist."""
    run = workdir.run_dir()
    return sorted(str(p) for p in run.iterdir() if p.is_dir())
