"""Which files are meant, and their text. Every way in which a file can be unusable is one error."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from verulaw_gate.errors import InputError

STDIN = "-"
_BOM = "\ufeff"
_SKIPPED_FOLDERS = frozenset({"target", "node_modules", "__pycache__"})
TRACE_SUFFIXES = (".txt", ".trace")


@dataclass(frozen=True, slots=True)
class Text:
    """The text of a file, without a byte order mark (`bom` says that there was one): rustc skips
    it too, and offsets count from the character after it. Line ends are kept as they stand."""

    text: str
    bom: bool = False

    def encode(self, text: str) -> bytes:
        """The bytes to write back for a changed text."""
        return ((_BOM if self.bom else "") + text).encode("utf-8")


def collect(arguments: Iterable[str], *, traces: bool) -> tuple[str, ...]:
    """The files that the arguments mean, in order, each once. A folder is walked for `*.rs` (for
    `*.txt` and `*.trace` when traces are checked), in sorted order; hidden folders, build folders
    and links to folders are passed over.

    Raises InputError for a folder without any such file.
    """
    suffixes = TRACE_SUFFIXES if traces else (".rs",)
    found: dict[str, str] = {}
    for argument in arguments:
        if argument != STDIN and os.path.isdir(argument):
            inside = list(_walk(argument, suffixes))
            if not inside:
                raise InputError(
                    f"a folder without {' or '.join('*' + s for s in suffixes)} files",
                    path=argument,
                    hint="name files, or a folder that has some",
                )
            found.update((path, path) for path in inside if path not in found)
        else:
            found.setdefault(os.path.normpath(argument), argument)
    return tuple(found.values())


def _walk(folder: str, suffixes: tuple[str, ...]) -> Iterator[str]:
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(f for f in folders if f[0] != "." and f not in _SKIPPED_FOLDERS)
        for name in sorted(files):
            path = os.path.normpath(os.path.join(place, name))
            if name.endswith(suffixes) and _holds_text(path):
                yield path


def _holds_text(path: str) -> bool:
    """Whether a path in a folder can be read to its end: no pipe, socket or device. What is not
    there (a link to nowhere) is left to the reader to complain about."""
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except OSError:
        return True


def read_bytes(path: str, max_bytes: int) -> bytes:
    """The bytes of a file, or of standard input for `-`. Never reads more than `max_bytes` + 1.

    Raises InputError: not there, not readable, too large.
    """
    name = "<stdin>" if path == STDIN else path
    try:
        if path == STDIN:
            data = sys.stdin.buffer.read(max_bytes + 1)
        else:
            with open(path, "rb") as file:
                data = file.read(max_bytes + 1)
    except IsADirectoryError as error:
        raise InputError("is a folder", path=name, hint="name a file") from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(
            f"cannot be read: {reason}", path=name, hint="check its path and permissions"
        ) from error
    if len(data) > max_bytes:
        raise InputError(
            f"more than {max_bytes:,} bytes",
            path=name,
            hint="raise limits.max-bytes in [tool.verulaw-gate] if this is meant",
        )
    return data


def decode(data: bytes, path: str) -> Text:
    """The text of a file's bytes. Raises InputError: empty, not UTF-8 (with line and column)."""
    name = "<stdin>" if path == STDIN else path
    if not data.strip():
        raise InputError("empty: there is nothing to check", path=name)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        raise InputError(
            f"not UTF-8: byte 0x{data[error.start]:02x} at offset {error.start}",
            path=name,
            line=before.count(b"\n") + 1,
            column=len(before.rsplit(b"\n", 1)[-1].decode("utf-8")) + 1,
            hint="save the file as UTF-8",
        ) from error
    return Text(text.removeprefix(_BOM), text.startswith(_BOM))


def read_text(path: str, max_bytes: int) -> Text:
    """`decode` of `read_bytes`."""
    return decode(read_bytes(path, max_bytes), path)
