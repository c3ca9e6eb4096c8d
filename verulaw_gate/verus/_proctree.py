"""The tree of processes below this one: find it, end it, reap it. And remove a directory tree.

Standard library only: `_supervisor` runs as a bare script and takes this module along.
"""

from __future__ import annotations

import contextlib
import os
import signal
import stat
import sys
import time

_PR_SET_CHILD_SUBREAPER = 36
UNKILLABLE_S = 10.0  # after this a process that SIGKILL does not end is reported and left


def become_subreaper() -> None:
    """Be the parent of every orphan below this process (prctl(2), Linux)."""
    if sys.platform == "linux":
        import ctypes  # here: who only wants `remove` need not load it

        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def descendants(root: int, spare: frozenset[int] = frozenset()) -> list[int]:
    """All processes below `root` except `spare` and what is below those: from one look at /proc,
    or from psutil where there is none."""
    children = proc_children() if os.path.isdir("/proc/self") else psutil_children()
    found: list[int] = []
    queue = [root]
    while queue:
        below = [p for p in children.get(queue.pop(), ()) if p not in spare]
        found += below
        queue += below
    return found


def proc_children() -> dict[int, list[int]]:
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        with contextlib.suppress(OSError, ValueError, IndexError):
            with open(f"/proc/{name}/stat", "rb") as stat:
                # The command name stands in parentheses and may hold anything, also ")".
                parent = int(stat.read().rpartition(b")")[2].split()[1])
            children.setdefault(parent, []).append(int(name))
    return children


def psutil_children() -> dict[int, list[int]]:
    import psutil

    children: dict[int, list[int]] = {}
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            children.setdefault(process.ppid(), []).append(process.pid)
    return children


def _kill(pid: int) -> None:
    with contextlib.suppress(OSError):
        os.kill(pid, signal.SIGKILL)


def reap(wanted: int = 0) -> tuple[bool, int | None, int]:
    """Reap what has ended: (any child left, status of `wanted` if it was among them, count)."""
    status, count = None, 0
    while True:
        try:
            pid, code = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return False, status, count
        if pid == 0:
            return True, status, count
        count += 1
        if pid == wanted:
            status = code


def end_tree(spare: frozenset[int] = frozenset()) -> tuple[int, int]:
    """Kill and reap everything below this process except the trees of `spare`.

    Returns (processes killed, processes that could not be killed)."""
    killed: set[int] = set()
    pause, give_up = 0.001, time.monotonic() + UNKILLABLE_S
    while True:
        alive = descendants(os.getpid(), spare)
        for pid in alive:
            _kill(pid)
        killed.update(alive)
        if spare:
            for pid in alive:
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(pid, os.WNOHANG)
            if not alive:
                return len(killed), 0
        elif not reap()[0]:
            return len(killed), 0
        if time.monotonic() > give_up:
            return len(killed), len(alive)
        time.sleep(pause)
        pause = min(pause * 2, 0.05)


def remove(path: str) -> None:
    """Remove a directory tree, also one whose permissions were taken away or whose depth is more
    than a path can say; links are not followed. What cannot be removed stays.
    """
    if os.path.islink(path):
        with contextlib.suppress(OSError):
            os.unlink(path)
        return
    _remove_by_paths(path, _LEVELS)
    with contextlib.suppress(OSError):
        _empty(os.open(path, _DIRECTORY))
        os.rmdir(path)


_LEVELS = 100  # deeper than any honest tree, and neither stack nor paths are near their ends


def _remove_by_paths(path: str, levels: int) -> None:
    """Remove a tree as far as it is not too deep: one descriptor at a time is enough for it, and
    a process may have no more left."""
    with contextlib.suppress(OSError):
        os.chmod(path, 0o700)
    try:
        entries = list(os.scandir(path))
    except OSError:
        entries = []
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            if levels:
                _remove_by_paths(entry.path, levels - 1)
            continue
        with contextlib.suppress(OSError):
            os.unlink(entry.path)
    with contextlib.suppress(OSError):
        os.rmdir(path)


_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def _empty(here: int) -> None:
    """Empty the directory that is open as `here`, and close it.

    One descriptor goes down and, by `..`, up again: neither the stack, nor the open files, nor the
    paths grow with the depth.
    """
    above: list[tuple[str, tuple[int, int], list[str]]] = []  # our name there, its inode, its rest
    try:
        left = _unlink_files(here)
        while True:
            if left:
                name = left.pop()
                with contextlib.suppress(OSError):
                    below = os.open(name, _DIRECTORY, dir_fd=here)
                    above.append((name, _identity(here), left))
                    os.close(here)
                    here = below
                    left = _unlink_files(here)
                continue
            if not above:
                return
            name, parent, left = above.pop()
            up = os.open("..", _DIRECTORY, dir_fd=here)
            os.close(here)
            here = up
            if _identity(here) != parent:
                return  # somebody moved it: nothing else is ours to remove
            with contextlib.suppress(OSError):
                os.rmdir(name, dir_fd=here)
    finally:
        os.close(here)


def _identity(folder: int) -> tuple[int, int]:
    info = os.fstat(folder)
    return info.st_dev, info.st_ino


def _unlink_files(folder: int) -> list[str]:
    """Unlink all that is no directory; the names of the directories, made ours to enter."""
    found: list[str] = []
    try:
        names = os.listdir(folder)
    except OSError:
        return found
    for name in names:
        with contextlib.suppress(OSError):
            if not stat.S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
                os.unlink(name, dir_fd=folder)
                continue
            found.append(name)
            os.chmod(name, 0o700, dir_fd=folder)
    return found
