"""A cgroup (v2) for the processes of one run, where we may make one: what ends everything in it,
also a process that has left its session, its parent and its environment.

Standard library only: `_supervisor` runs as a bare script and takes this module along.
"""

from __future__ import annotations

import contextlib
import os
import time

PREFIX = "verulaw-"
_PATIENCE_S = 2.0


def own_folder() -> str | None:
    """The folder of this process's cgroup, None where there is no cgroup v2."""
    with contextlib.suppress(OSError, StopIteration, IndexError):
        with open("/proc/self/mounts", encoding="utf-8") as mounts:
            root = next(m.split()[1] for m in mounts if m.split()[2] == "cgroup2")
        with open("/proc/self/cgroup", encoding="utf-8") as own:
            path = next(line[3:].strip() for line in own if line.startswith("0::"))
        return root + path.rstrip("/")
    return None


def join(run: str) -> tuple[str, str] | None:
    """Enter the cgroup of a run below our own, making it first if need be: (its folder, the folder
    before). None where that is not allowed."""
    before = own_folder()
    if before is None:
        return None
    folder = f"{before}/{PREFIX}{run}"
    try:
        with contextlib.suppress(FileExistsError):
            os.mkdir(folder)
        _enter(folder)
    except OSError:
        with contextlib.suppress(OSError):
            os.rmdir(folder)
        return None
    return folder, before


def leave(joined: tuple[str, str] | None) -> None:
    """Go back to where we were and remove the cgroup."""
    if joined is not None:
        with contextlib.suppress(OSError):
            _enter(joined[1])
        _remove(joined[0])


def end(folder: str) -> None:
    """Kill everything in a cgroup and remove it."""
    with contextlib.suppress(OSError), open(f"{folder}/cgroup.kill", "w", encoding="ascii") as kill:
        kill.write("1")
    _remove(folder)


def runs_in(folder: str | None) -> list[str]:
    """The names of the runs that have a cgroup in `folder`."""
    with contextlib.suppress(OSError):
        if folder is not None:
            return [n[len(PREFIX) :] for n in os.listdir(folder) if n.startswith(PREFIX)]
    return []


def _enter(folder: str) -> None:
    with open(f"{folder}/cgroup.procs", "w", encoding="ascii") as procs:
        procs.write("0")


def _remove(folder: str) -> None:
    # A process that was killed a moment ago may still count.
    give_up = time.monotonic() + _PATIENCE_S
    while os.path.isdir(folder):
        with contextlib.suppress(OSError):
            os.rmdir(folder)
            return
        if time.monotonic() > give_up:
            return
        time.sleep(0.005)
