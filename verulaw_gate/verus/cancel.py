"""A request to stop, seen by threads that wait on processes."""

from __future__ import annotations

import contextlib
import os


class Cancel:
    """Set once, seen by everyone who holds it; readable in `select` once it is set.

    One token may stop one call or many. Safe from any thread and from signal handlers.
    """

    def __init__(self) -> None:
        self._read, self._write = os.pipe()
        os.set_blocking(self._write, False)
        self._set = False

    def cancel(self) -> None:
        """Ask everyone who holds this token to stop. More than once is once."""
        if not self._set:
            self._set = True
            with contextlib.suppress(OSError):
                os.write(self._write, b"x")

    @property
    def cancelled(self) -> bool:
        """Whether `cancel` was called."""
        return self._set

    def fileno(self) -> int:
        """The file descriptor that becomes readable."""
        return self._read

    def __del__(self) -> None:
        for fd in (self._read, self._write):
            with contextlib.suppress(OSError):
                os.close(fd)
