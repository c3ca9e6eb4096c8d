"""Private directories, and cleaning up after runs that died.

BASE/RUN/          one a process of ours, 0700; RUN is pid-starttime-namespace: a reused pid is
                   not taken for the process that made it, nor one of another container
BASE/RUN/NNN/      one a call: work/ (the command's directory), home/, tmp/
"""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import stat
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

from verulaw_gate.errors import ToolError
from verulaw_gate.verus import _cgroup
from verulaw_gate.verus._proctree import proc_children, remove

RUN_MARK, CALL_MARK = "VERULAW_GATE_RUN", "VERULAW_GATE_CALL"
"""Environment variables that every command of ours carries: its run's name, its call's path."""

# A tree that forks while it is being killed is looked at again, so often.
_STRAY_ROUNDS = 20
_lock = threading.Lock()
_numbers = itertools.count()
_swept: set[Path] = set()


def start_time(pid: int) -> str | None:
    """When a process started, in a form that is unique with its pid until the next boot; None
    when there is no such process."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
    except FileNotFoundError:
        if Path("/proc/self/stat").exists():
            return None
        return _psutil_start(pid)
    except ProcessLookupError:
        return None
    # A zombie has ended; it waits for its parent only.
    return None if fields[0] in (b"Z", b"X") else fields[19].decode()


def _psutil_start(pid: int) -> str | None:
    import psutil

    try:
        return str(int(psutil.Process(pid).create_time() * 1000))
    except psutil.Error:
        return None


def run_name() -> str:
    """The name of this process's run."""
    pid = os.getpid()
    return f"{pid}-{start_time(pid) or 0}-{_namespace()}"


def _namespace() -> str:
    with contextlib.suppress(OSError):
        return str(os.stat("/proc/self/ns/pid").st_ino)
    return "0"


def is_dead(run: str) -> bool:
    """Whether the process of a run is known to have ended. Runs of another pid namespace (a
    container that shares our directory) cannot be judged from here."""
    pid, started, namespace = [*run.split("-"), "", ""][:3]
    if not pid.isdigit() or namespace != _namespace():
        return False
    return start_time(int(pid)) != started


def base_dir() -> Path:
    """The directory of all runs of this user. Raises ToolError when it is not ours alone."""
    uid = os.getuid()
    base = Path(tempfile.gettempdir()) / f"verulaw-gate-{uid}"
    with contextlib.suppress(FileExistsError):
        base.mkdir(mode=0o700)
    info = base.lstat()
    if not stat.S_ISDIR(info.st_mode) or info.st_uid != uid or info.st_mode & 0o022:
        raise ToolError(
            f"the directory {base} is not ours alone",
            hint="remove it, or set TMPDIR to a directory of your own",
        )
    return base


def run_dir() -> Path:
    """The directory of this process's run; made, and dead runs cleaned up, on first use."""
    base = base_dir()
    with _lock:
        if base not in _swept:
            _swept.add(base)
            sweep(base)
    run = base / run_name()
    run.mkdir(mode=0o700, exist_ok=True)
    return run


def new_call_dir() -> Path:
    """A fresh directory for one call. The caller removes it with `remove_dir`. Raises ToolError
    when there is no place for it."""
    with placed():
        call = run_dir() / f"{next(_numbers):06d}"
        call.mkdir(mode=0o700)
        for name in ("work", "home", "tmp"):
            (call / name).mkdir(mode=0o700)
    return call


@contextlib.contextmanager
def placed() -> Iterator[None]:
    """Turn a failure to write into our own directory into one ToolError."""
    try:
        yield
    except OSError as problem:
        raise ToolError(
            f"cannot write to {tempfile.gettempdir()}: {problem.strerror}",
            hint="free some space, or set TMPDIR to a directory with more",
        ) from None


def remove_dir(path: Path) -> None:
    """Remove a directory tree, also one whose permissions were taken away."""
    remove(str(path))


def sweep(base: Path | None = None) -> int:
    """End the processes and remove the directories of dead runs; how many runs there were.

    Nothing of a living run, and no process that does not carry a dead run's mark, is touched.
    """
    base = base_dir() if base is None else base
    dead = [entry for entry in sorted(base.iterdir()) if is_dead(entry.name)]
    _end_cgroups(dead)
    for entry in dead:
        kill_marked(RUN_MARK, entry.name)
        remove_dir(entry)
    return len(dead)


def _end_cgroups(dead: list[Path]) -> None:
    """The cgroups of dead runs: as the runs noted them, and those below our own."""
    folders = []
    for run in dead:
        with contextlib.suppress(OSError):
            noted = (run / "cgroup").read_text(encoding="utf-8")
            if noted.endswith(f"/{_cgroup.PREFIX}{run.name}"):
                folders.append(noted)
    here = _cgroup.own_folder()
    folders += [f"{here}/{_cgroup.PREFIX}{run}" for run in _cgroup.runs_in(here) if is_dead(run)]
    for folder in dict.fromkeys(folders):
        _cgroup.end(folder)


def end_strays(run: Path) -> int:
    """SIGKILL what is in the cgroup of a living run without a keeper above it; how many there
    were. Such processes are left when a keeper and its supervisor were both killed. Nothing
    happens where the run has no cgroup."""
    try:
        folder = (run / "cgroup").read_text(encoding="utf-8")
    except OSError:
        return 0
    killed: set[int] = set()
    for _ in range(_STRAY_ROUNDS):
        strays = set(_strays(folder, run.name)) - killed
        for pid in strays:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        killed |= strays
        if not strays:
            break
    return len(killed)


def _strays(folder: str, run: str) -> Iterator[int]:
    with open(f"{folder}/cgroup.procs", encoding="ascii") as file:
        members = [int(line) for line in file]
    above = {pid: parent for parent, pids in proc_children().items() for pid in pids}
    for member in members:
        pid = member
        while pid and not _keeps(pid, run):
            pid = above.get(pid, 0)
        if not pid:
            yield member


def _keeps(pid: int, run: str) -> bool:
    """Whether a process is a supervisor or keeper of the run. One that is ending has no command
    line any more, and keeps nothing."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            words = file.read().split(b"\0")
    except OSError:
        return False
    return run.encode() in words and any(w.endswith(b"_supervisor.py") for w in words)


def kill_marked(variable: str, value: str) -> int:
    """SIGKILL every process whose environment has `variable` at `value`; how many there were."""
    needle = f"{variable}={value}".encode()
    count = 0
    for name in os.listdir("/proc") if os.path.isdir("/proc/self") else ():
        if not name.isdigit() or int(name) == os.getpid():
            continue
        with contextlib.suppress(OSError):
            with open(f"/proc/{name}/environ", "rb") as file:
                found = needle in file.read().split(b"\0")
            if found:
                os.kill(int(name), signal.SIGKILL)
                count += 1
    return count
