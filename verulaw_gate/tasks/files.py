"""Read a text file, or say in one clear error why not."""

from __future__ import annotations

from pathlib import Path

from verulaw_gate.errors import InputError, VerulawError

MAX_BYTES = 16 * 1024 * 1024
"""Files past this size are refused: no task, trace or recorded result comes near it."""


def read_text(path: Path, error: type[VerulawError] = InputError, *, limit: int = MAX_BYTES) -> str:
    """The text of a UTF-8 file; line ends stay as they are.

    Raises `error` (path, line where it is known, hint) for a missing or unreadable file, a
    directory, a file past `limit` bytes, and bytes that are not UTF-8.
    """
    try:
        size = path.stat().st_size
        if size > limit:
            raise error(
                f"{size:,} bytes are more than the limit of {limit:,}",
                hint="give a smaller file",
                path=path,
            )
        data = path.read_bytes()
    except FileNotFoundError:
        raise error("no such file", hint="check the path", path=path) from None
    except IsADirectoryError:
        raise error("is a directory", hint="name a file", path=path) from None
    except OSError as problem:
        raise error(
            f"cannot be read: {problem.strerror}", hint="check its permissions", path=path
        ) from None
    return decode(data, error, path)


def decode(data: bytes, error: type[VerulawError], path: Path) -> str:
    """UTF-8 text of some bytes (a byte order mark is dropped); raises `error` at its line."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise error(
            f"not UTF-8: byte 0x{data[problem.start]:02x} at offset {problem.start}",
            hint="save the file as UTF-8",
            path=path,
            line=data.count(b"\n", 0, problem.start) + 1,
        ) from None
