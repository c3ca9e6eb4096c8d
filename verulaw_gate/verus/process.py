"""Run one command within bounds, and leave nothing of it behind. The asking side; what starts,
watches and ends the command is `_supervisor`."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import selectors
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from verulaw_gate.errors import ToolError, VerusNotFound
from verulaw_gate.verus import workdir
from verulaw_gate.verus.cancel import Cancel
from verulaw_gate.verus.capture import Capture
from verulaw_gate.verus.limits import Limits

_READ = 1 << 16
# The keeper enforces the wall limit; past this the keeper itself is taken for lost.
_GRACE_S = 30.0
_ATTEMPTS = 3


class RunCancelled(ToolError):
    """The call was cancelled; there is no result, and nothing of the command is left."""

    exit_code = 130


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended. `reason`: exit, timeout, flood (too much output), lost (the keeper was
    killed). `exit_code` as in `subprocess` (negative for a signal), None where there is none.
    `killed` counts processes that were still there at the end and had to be killed."""

    reason: str
    exit_code: int | None
    stdout: Capture
    stderr: Capture
    wall_s: float | None
    cpu_s: float | None
    killed: int = 0


class _Link:
    """This process's supervisor: started on first use, again if it was killed; a forked child
    starts its own."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.socket: socket.socket | None = None
        self.program: subprocess.Popen[bytes] | None = None

    def send(self, request: bytes, fds: list[int]) -> None:
        with self.lock:
            for attempt in (1, 2):
                try:
                    link = self.socket or self._start()
                    socket.send_fds(link, [request], fds)
                    return
                except (BrokenPipeError, ConnectionError):
                    self._drop()
                    if attempt == 2:
                        raise ToolError(
                            "the supervisor of Verus processes keeps ending",
                            hint=f"run `{sys.executable} -I -S {_SCRIPT}` to see why",
                        ) from None

    def _start(self) -> socket.socket:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        run = workdir.run_dir()
        # Without /proc the supervisor needs psutil, which `-S` would hide.
        flags = ["-I", "-S"] if os.path.isdir("/proc/self") else ["-I"]
        with theirs:
            self.program = subprocess.Popen(
                [
                    sys.executable or "python3",
                    *flags,
                    str(_SCRIPT),
                    str(theirs.fileno()),
                    str(os.getpid()),
                    run.name,
                    str(run),
                ],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                cwd="/",
                env={"LC_ALL": "C.UTF-8", "PATH": os.environ.get("PATH", os.defpath)},
            )
        ours.settimeout(60)
        if ours.recv(16) != b"ready":
            raise ConnectionError
        ours.settimeout(None)
        self.socket = ours
        return ours

    def _drop(self) -> None:
        if self.socket is not None:
            self.socket.close()
            self.socket = None
        if self.program is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.program.wait(1)
            self.program = None

    def close(self) -> None:
        """At exit: the supervisor ends what is left, removes the run's directory and ends."""
        with self.lock:
            if self.socket is not None:
                self.socket.close()
                self.socket = None
            if self.program is not None:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self.program.wait(15)
                self.program = None

    def forget(self) -> None:
        """In a forked child: the supervisor is the parent's."""
        self.lock = threading.Lock()
        if self.socket is not None:
            self.socket.close()
        if self.program is not None:
            self.program.returncode = 0  # not ours to wait for
        self.socket, self.program = None, None


_SCRIPT = Path(__file__).with_name("_supervisor.py")
_link = _Link()
atexit.register(_link.close)
os.register_at_fork(after_in_child=_link.forget)


def run(
    argv: Sequence[str],
    *,
    call_dir: Path,
    cwd: Path,
    env: Mapping[str, str],
    limits: Limits,
    cancel: Cancel | None = None,
) -> Ended:
    """Run `argv` (an absolute program path first) to its end.

    Safe from any thread. `call_dir` is removed by the keeper if this process dies meanwhile; the
    caller removes it otherwise. Raises RunCancelled when `cancel` is set, VerusNotFound when the
    program cannot be started. On KeyboardInterrupt the tree is ended before it goes on.
    """
    if cancel is not None and cancel.cancelled:
        raise RunCancelled("cancelled before it began")
    request = {
        "argv": list(argv),
        "cwd": str(cwd),
        "env": dict(env),
        "wall_s": limits.wall_s,
        "memory_bytes": limits.memory_bytes,
        "file_bytes": limits.file_bytes,
        "remove": str(call_dir),
    }
    for _ in range(_ATTEMPTS):
        ended = _ask(json.dumps(request).encode(), argv[0], call_dir, limits, cancel)
        if ended is not None:
            return ended
    raise ToolError(
        "the supervisor of Verus processes ends before it starts anything",
        hint=f"run `{sys.executable} -I -S {_SCRIPT}` to see why",
    )


def _ask(
    request: bytes, program: str, call_dir: Path, limits: Limits, cancel: Cancel | None
) -> Ended | None:
    """One request. None when it got lost before anything ran: it may be asked again."""
    with contextlib.ExitStack() as ours, contextlib.ExitStack() as theirs:
        try:
            control, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            ours.callback(control.close)
            theirs.callback(other.close)
            reads, writes = [], [other.fileno()]
            for _ in ("stdout", "stderr"):
                read, write = os.pipe2(os.O_CLOEXEC)
                ours.callback(os.close, read)
                theirs.callback(os.close, write)
                reads.append(read)
                writes.append(write)
            selector = ours.enter_context(selectors.DefaultSelector())
            _link.send(request, writes)
        except OSError as problem:
            raise ToolError(
                f"cannot run {program}: {problem.strerror or problem}",
                hint="too many open files (ulimit -n), or too long a command line",
            ) from None
        theirs.close()
        wait = _Wait(selector, control, (reads[0], reads[1]), limits, cancel, call_dir)
        return wait.run(program)


class _Wait:
    """Read both streams until the keeper reports."""

    def __init__(
        self,
        selector: selectors.BaseSelector,
        control: socket.socket,
        streams: tuple[int, int],
        limits: Limits,
        cancel: Cancel | None,
        call_dir: Path,
    ) -> None:
        self.selector = selector
        self.control = control
        self.call_dir = call_dir
        self.limits = limits
        self.cancel = cancel
        self.out, self.err = streams
        self.captures = {fd: Capture(limits.output_bytes) for fd in streams}
        self.reason = ""
        self.started = False
        self.report: dict[str, object] | None = None

    def run(self, program: str) -> Ended | None:
        for fd in self.captures:
            os.set_blocking(fd, False)
            self.selector.register(fd, selectors.EVENT_READ)
        self.selector.register(self.control, selectors.EVENT_READ)
        if self.cancel is not None:
            self.selector.register(self.cancel, selectors.EVENT_READ)
        try:
            self._until_report()
        except BaseException:
            # Ctrl-C and the like: the tree ends first, whatever comes.
            self._stop("interrupted")
            with contextlib.suppress(OSError):
                self.control.settimeout(_GRACE_S)
                while not self._read_control():
                    pass
            raise
        if self.report is None and not self.started and self.reason == "lost":
            return None
        self._drain()
        return self._ended(program)

    def _until_report(self) -> None:
        deadline = time.monotonic() + self.limits.wall_s + _GRACE_S
        while (left := deadline - time.monotonic()) > 0:
            for key, _ in self.selector.select(min(left, 3600.0)):
                if key.fileobj is self.control:
                    if self._read_control():
                        return
                elif key.fileobj is self.cancel:
                    self.selector.unregister(key.fileobj)
                    self._stop("cancelled")
                elif not self._read(key.fd):
                    self.selector.unregister(key.fileobj)
        self.reason = "hung"

    def _read(self, fd: int) -> bool:
        try:
            data = os.read(fd, _READ)
        except BlockingIOError:
            return True
        capture = self.captures[fd]
        capture.add(data)
        if capture.total > self.limits.output_bytes * self.limits.flood_factor:
            self._stop("flood")
        return bool(data)

    def _stop(self, reason: str) -> None:
        if not self.reason:
            self.reason = reason
            with contextlib.suppress(OSError):
                self.control.send(b"stop")

    def _read_control(self) -> bool:
        """Whether that was the keeper's last word: its report, or its end of the socket."""
        try:
            data = self.control.recv(_READ)
        except OSError:
            data = b""
        if data == b"started":
            self.started = True
            return False
        if data:
            self.report = json.loads(data)
        else:
            self.reason = self.reason or "lost"
        return True

    def _drain(self) -> None:
        """What is still in the pipes. Nothing writes any more: the tree has ended."""
        for fd, capture in self.captures.items():
            with contextlib.suppress(BlockingIOError):
                while data := os.read(fd, _READ):
                    capture.add(data)

    def _ended(self, program: str) -> Ended:
        out, err = self.captures[self.out], self.captures[self.err]
        if self.report is None:
            # The supervisor ends what a killed keeper left; so do we, in case it was killed too.
            workdir.kill_marked(workdir.CALL_MARK, str(self.call_dir))
            workdir.end_strays(self.call_dir.parent)
            if self.reason == "cancelled":
                raise RunCancelled("cancelled; the process that kept it was killed")
            return Ended("lost", None, out, err, None, None)
        report = self.report
        if report["reason"] == "exec-failed":
            raise _cannot_start(program, int(str(report["errno"])))
        if self.reason == "cancelled":
            raise RunCancelled("cancelled; the process tree was ended")
        reason = self.reason or str(report["reason"])
        status = report["status"]
        code = os.waitstatus_to_exitcode(status) if isinstance(status, int) else None
        return Ended(
            reason=reason,
            exit_code=code,
            stdout=out,
            stderr=err,
            wall_s=float(str(report["wall_s"])),
            cpu_s=float(str(report["cpu_s"])),
            killed=int(str(report["killed"])),
        )


def _cannot_start(program: str, number: int) -> VerusNotFound:
    return VerusNotFound(
        f"cannot start {program}: {os.strerror(number) if number else 'unknown reason'}",
        hint="set VERULAW_VERUS to the verus executable or put verus on PATH; "
        "`verulaw-gate doctor` shows what is found",
    )
