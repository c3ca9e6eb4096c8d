"""Run a program in our place: its streams are ours, signals reach it, its death is ours."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Mapping, Sequence

from verulaw_gate.errors import ToolError

FORWARDED = frozenset(
    {
        signal.SIGHUP,
        signal.SIGINT,
        signal.SIGQUIT,
        signal.SIGTERM,
        signal.SIGUSR1,
        signal.SIGUSR2,
    }
)
# Set by the kernel itself, as for Ctrl-C: then the whole process group, the child too, got it.
_FROM_KERNEL = 0x80


def run(
    argv: Sequence[str],
    env: Mapping[str, str] | None = None,
    meanwhile: Callable[[], object] | None = None,
) -> int:
    """Run `argv` (its first word is a path) with our streams and wait for its end.

    The exit code, or minus the signal that ended it (as in `subprocess`). Signals that are sent
    to this process are sent on; a signal that the terminal sends to the whole group is not sent
    twice. `meanwhile` is called once after the start. Not for a process with threads. Raises
    ToolError when the program cannot be started.
    """
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    waited = FORWARDED | {signal.SIGCHLD}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, waited)
    try:
        try:
            child = os.posix_spawn(
                argv[0],
                list(argv),
                dict(os.environ if env is None else env),
                setsigmask=before,
                # Python ignores these two for itself; an ignored signal would be inherited.
                setsigdef=(signal.SIGPIPE, signal.SIGXFSZ),
            )
        except OSError as error:
            raise ToolError(f"cannot be run: {error.strerror}", path=argv[0]) from error
        try:
            if meanwhile is not None:
                meanwhile()
        finally:
            code = _wait(child, waited)  # whatever happens here, verus is not left alone
        return code
    finally:
        # What still waits was for the child, which is gone.
        while signal.sigtimedwait(waited, 0) is not None:
            pass
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _wait(child: int, waited: frozenset[signal.Signals]) -> int:
    while True:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return os.waitstatus_to_exitcode(status)
        info = signal.sigwaitinfo(waited)
        if info.si_signo != signal.SIGCHLD and info.si_code != _FROM_KERNEL:
            os.kill(child, info.si_signo)


def leave(code: int) -> int:
    """The exit code to end with; does not return when the child was ended by a signal: this
    process then ends by the same one, so that whoever waits for it sees what happened."""
    if code >= 0:
        return code
    import resource
    import sys

    sys.stdout.flush()
    sys.stderr.flush()
    # The child has left its core where it could; a second one, of this program, would mislead.
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    signum = -code
    if signum not in (signal.SIGKILL, signal.SIGSTOP):
        signal.signal(signum, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signum})
    os.kill(os.getpid(), signum)
    return 128 + signum
