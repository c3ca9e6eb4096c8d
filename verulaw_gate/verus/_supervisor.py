"""The supervisor: a small program that starts commands and never leaves one behind.

Run as a script with `python -I -S`, standard library only: one for each process of ours, started
on first use. It reads requests from a socket and forks a *keeper* for each. The keeper is a
subreaper (`prctl(2)`): whatever the command starts, in whatever session or group, becomes its
child when its own parent ends, so "no children left" means that nothing of the command lives. It
ends the tree when the command is done, at the wall limit, when told to, and when the process that
asked is gone (a pidfd, so that forked copies of our sockets in other processes hide nothing).

The supervisor is a subreaper too: if a keeper is killed, its orphans come here and are ended.
Everything runs in one cgroup (v2) where we may make one, so that the next start can end what a
killed supervisor left (`workdir.sweep`).
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import select
import signal
import socket
import sys
import time
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from verulaw_gate.verus import _cgroup, _proctree
else:
    # This is a bare script: its neighbours are found by their folder, behind the standard library.
    sys.path.append(os.path.dirname(os.path.abspath(__file__)))
    import _cgroup
    import _proctree

_REQUEST_BYTES = 1 << 18
_LONGEST_PAUSE_S = 3600.0  # poll(2) counts milliseconds in an int


class Owner:
    """The process that asked: readable in `poll` when it is gone."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.fd = -1
        with contextlib.suppress(AttributeError, OSError):
            self.fd = os.pidfd_open(pid)

    def gone(self) -> bool:
        """Whether it has ended."""
        if self.fd >= 0:
            return bool(select.select([self.fd], [], [], 0)[0])
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return True
        except PermissionError:
            return False
        return False


def _limit(kind: int, value: int | None) -> None:
    if value is not None:
        hard = resource.getrlimit(kind)[1]
        allowed = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (allowed, allowed))


def _spawn(request: dict, out: int, err: int) -> int:  # type: ignore[type-arg]
    """Start the command in a session of its own. Its limits are set on the keeper and inherited:
    `posix_spawn` does not copy this process first, which would cost more than all the rest."""
    os.chdir(request["cwd"])
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_FSIZE, request["file_bytes"])
    _limit(resource.RLIMIT_AS, request["memory_bytes"])
    return os.posix_spawn(
        request["argv"][0],
        request["argv"],
        request["env"],
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_DUP2, out, 1),
            (os.POSIX_SPAWN_DUP2, err, 2),
        ],
        setsid=True,
        setsigmask=(),
        setsigdef=(signal.SIGINT, signal.SIGTERM, signal.SIGCHLD, signal.SIGPIPE, signal.SIGXFSZ),
    )


def keep(request: dict, control: socket.socket, out: int, err: int, owner: Owner) -> None:  # type: ignore[type-arg]
    """Run one command to its end and say over `control` how it ended. Never returns."""
    os.setsid()
    _proctree.become_subreaper()
    wake_read, wake_write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
    started = time.monotonic()
    # Said before anything runs: an asker that has not heard it may safely ask again.
    with contextlib.suppress(OSError):
        control.sendall(b"started")
    try:
        child = _spawn(request, out, err)
    except (OSError, ValueError) as problem:
        number = problem.errno if isinstance(problem, OSError) else None
        _report(control, {"reason": "exec-failed", "errno": number or 0})
    for fd in (out, err):
        os.close(fd)
    reason, status = _wait(child, control, wake_read, started + request["wall_s"], owner)
    ended = time.monotonic()
    if status is None:
        with contextlib.suppress(OSError):
            os.killpg(child, signal.SIGKILL)
    left, found, _ = _proctree.reap(child)
    status = found if status is None else status
    killed, unkilled = (0, 0)
    if left or status is None:
        killed, unkilled = _proctree.end_tree()
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    if reason == "owner-gone":
        _proctree.remove(request["remove"])
        os._exit(0)
    report = {
        "reason": reason,
        "status": status,
        "wall_s": ended - started,
        "cpu_s": usage.ru_utime + usage.ru_stime,
        "killed": killed,
        "unkilled": unkilled,
    }
    _report(control, report)


def _report(control: socket.socket, report: dict) -> NoReturn:  # type: ignore[type-arg]
    with contextlib.suppress(OSError):
        control.sendall(json.dumps(report).encode())
    os._exit(0)


def _wait(
    child: int, control: socket.socket, wake: int, deadline: float, owner: Owner
) -> tuple[str, int | None]:
    """Until the command has ended or must end: (why, its status if it ended by itself)."""
    poll = select.poll()
    poll.register(wake, select.POLLIN)
    poll.register(control, select.POLLIN)
    if owner.fd >= 0:
        poll.register(owner.fd, select.POLLIN)
    while True:
        try:
            pid, status = os.waitpid(child, os.WNOHANG)
        except ChildProcessError:
            return "exit", None
        if pid:
            return "exit", status
        left = deadline - time.monotonic()
        if left <= 0:
            return "timeout", None
        pause = min(left, 0.5 if owner.fd < 0 else _LONGEST_PAUSE_S)
        ready = {fd for fd, _ in poll.poll(pause * 1000 + 1)}
        if wake in ready:
            with contextlib.suppress(OSError):
                os.read(wake, 4096)
        if owner.gone():
            return "owner-gone", None
        if control.fileno() in ready:
            # A word from the asker, or its end of the socket is closed: both mean stop.
            return "cancelled", None
        while _reap_others(child):
            pass


def _reap_others(child: int) -> bool:
    """Reap one orphan that came to us while the command runs (never the command itself)."""
    try:
        info = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    if info is None or info.si_pid == child:
        return False
    os.waitpid(info.si_pid, os.WNOHANG)
    return True


class Supervisor:
    """The loop that takes requests and forks keepers."""

    def __init__(self, requests: socket.socket, owner: Owner) -> None:
        self.requests = requests
        self.owner = owner
        self.keepers: set[int] = set()

    def serve(self) -> None:
        """Until the owner is gone or closes the socket; then end what is left."""
        wake_read, wake_write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
        poll = select.poll()
        for fd in (self.requests.fileno(), wake_read, self.owner.fd):
            if fd >= 0:
                poll.register(fd, select.POLLIN)
        while True:
            ready = {fd for fd, _ in poll.poll(500 if self.owner.fd < 0 else None)}
            if wake_read in ready:
                with contextlib.suppress(OSError):
                    os.read(wake_read, 4096)
                self._reap_keepers()
            if self.owner.gone():
                break
            if self.requests.fileno() in ready and not self._take():
                break
        # Nobody waits for results any more: keepers and commands end at once.
        _proctree.end_tree()

    def _take(self) -> bool:
        """Take one request; False at the end of the socket."""
        try:
            data, fds, _, _ = socket.recv_fds(self.requests, _REQUEST_BYTES, 3)
        except OSError:
            return False
        if not data or len(fds) != 3:
            for fd in fds:
                os.close(fd)
            return bool(data)
        for fd in fds:
            # They come inheritable; the command is to have its three streams and nothing else.
            os.set_inheritable(fd, False)
        keeper = os.fork()
        if keeper == 0:
            signal.set_wakeup_fd(-1)
            self.requests.close()
            control = socket.socket(fileno=fds[0])
            keep(json.loads(data), control, fds[1], fds[2], self.owner)
        self.keepers.add(keeper)
        for fd in fds:
            os.close(fd)
        return True

    def _reap_keepers(self) -> None:
        """Reap; where a keeper did not end by itself, end the orphans that it left to us."""
        lost = False
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                break
            if pid == 0:
                break
            if pid in self.keepers:
                self.keepers.discard(pid)
                lost = lost or status != 0
        if lost:
            _proctree.end_tree(frozenset(self.keepers))


def main(fd: int, owner_pid: int, run: str, base: str) -> None:
    """Serve requests on the inherited socket `fd` for the process `owner_pid`."""
    os.setsid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    _proctree.become_subreaper()
    joined = _cgroup.join(run)
    if joined is not None:
        with contextlib.suppress(OSError), open(f"{base}/cgroup", "w", encoding="utf-8") as note:
            note.write(joined[0])
    requests = socket.socket(fileno=fd)
    requests.sendall(b"ready")
    Supervisor(requests, Owner(owner_pid)).serve()
    _cgroup.leave(joined)
    _proctree.remove(base)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4])
