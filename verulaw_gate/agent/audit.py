"""Watch what a tool really writes, to hold it against what it declares.

Uses Python's audit events: files opened for writing, changed or removed, child processes, network
connections. Writes of a child process itself are not seen: starting one counts as `process`, and a
tool that starts one has to say so. Work in threads counts when it is started through anyio.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path

from verulaw_gate.agent.schedule import Resources

_CHANGES = frozenset(
    f"os.{name}"
    for name in (
        "remove",
        "rename",
        "mkdir",
        "rmdir",
        "link",
        "symlink",
        "truncate",
        "chmod",
        "chown",
        "utime",
        "setxattr",
        "removexattr",
    )
)
_PROCESSES = frozenset(
    ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork")
)
_NETWORK = frozenset(("socket.connect", "socket.bind", "socket.sendto"))
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
# Where the arguments of an event have the open folder that the path is relative to.
_FOLDER_AT = {"os.remove": 1, "os.rmdir": 1, "os.mkdir": 2, "os.chmod": 2, "os.chown": 3,
              "os.utime": 3}  # fmt: skip
_installed = False


@dataclass(slots=True)
class Writes:
    """What was seen: resources of the form `file:PATH`, `process`, `network`."""

    seen: list[str] = field(default_factory=list)
    own: list[str] = field(default_factory=list)

    def undeclared(self, resources: Resources) -> tuple[str, ...]:
        """What was written and is covered by no declaration, each once, in order. A declared
        `file:FOLDER` covers everything below it."""
        declared = resources.writes | resources.private
        return tuple(
            dict.fromkeys(w for w in self.seen if not any(_covers(d, w) for d in declared))
        )

    def _note(self, event: str, args: tuple[object, ...]) -> None:
        if event in ("tempfile.mkdtemp", "tempfile.mkstemp"):
            self.own.append(_path(args[0]))
        elif event in _PROCESSES:
            self.seen.append("process")
        elif event in _NETWORK:
            self.seen.append("network")
        elif event in _CHANGES or (event == "open" and _writes(args)):
            for path in _changed(event, args):
                ours = any(path == own or path.startswith(own + os.sep) for own in self.own)
                if not (ours or path == os.devnull or "__pycache__" in path):
                    self.seen.append(f"file:{path}")


_current: ContextVar[Writes | None] = ContextVar("writes", default=None)


@contextmanager
def watched() -> Iterator[Writes]:
    """See the writes of everything that runs inside. Private temporary files and directories
    (made by `tempfile` inside) are not counted."""
    global _installed
    if not _installed:
        sys.addaudithook(_hook)
        _installed = True
    writes = Writes()
    token = _current.set(writes)
    try:
        yield writes
    finally:
        _current.reset(token)


def _hook(event: str, args: tuple[object, ...]) -> None:
    writes = _current.get()
    if writes is not None:
        writes._note(event, args)


def _writes(args: tuple[object, ...]) -> bool:
    if not isinstance(args[0], str | bytes | os.PathLike):
        return False
    mode, flags = args[1], args[2]
    if isinstance(mode, str):
        return any(c in mode for c in "wax+")
    return isinstance(flags, int) and bool(flags & _WRITING)


def _changed(event: str, args: tuple[object, ...]) -> tuple[str, ...]:
    """The paths that an event changes: the new name of a link, both names of a rename."""
    if event in ("os.link", "os.rename"):
        names = (_path(args[0], args[2]), _path(args[1], args[3]))
        return names if event == "os.rename" else names[1:]
    if event == "os.symlink":
        return (_path(args[1], args[2]),)
    folder = args[_FOLDER_AT[event]] if event in _FOLDER_AT else None
    return (_path(args[0], folder),)


def _path(value: object, folder: object = None) -> str:
    """A path as an absolute one; `folder` is the open folder that it is relative to (-1: none)."""
    if not isinstance(value, str | bytes | os.PathLike):
        return f"<{value}>"
    path = os.fsdecode(value)
    if isinstance(folder, int) and folder >= 0 and not os.path.isabs(path):
        try:
            path = os.path.join(os.readlink(f"/proc/self/fd/{folder}"), path)
        except OSError:
            return f"<{path}>"
    return os.path.abspath(path)


def _covers(declared: str, written: str) -> bool:
    if declared == written:
        return True
    kind, _, folder = declared.partition(":")
    if kind != "file" or not written.startswith("file:"):
        return False
    return Path(os.path.abspath(folder)) in Path(written[5:]).parents
