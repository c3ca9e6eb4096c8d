"""Read a text file, or say in one clear error why not."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import tomllib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from verulaw_gate.errors import InputError, VerulawError

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
"""An escape of half a pair; two of them may make a character."""

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
    except OSError as problem:
        raise _unreadable(path, problem, error) from None
    return decode(data, error, path)


def read_lines(
    path: Path,
    error: type[VerulawError],
    *,
    limit: int,
    seen: Callable[[bytes], object] = len,
) -> Iterator[tuple[int, str]]:
    """The lines of a UTF-8 file, one at a time, with their numbers from 1; blank ones are left
    out. Lines end at \\n and keep it; a byte order mark is dropped. `seen` gets the bytes of each.

    Raises `error` (path, line, hint) for a file that can't be read, a line of more than `limit`
    bytes, and bytes that are not UTF-8.
    """
    try:
        with path.open("rb") as file:
            for number, raw in enumerate(iter(lambda: file.readline(limit + 1), b""), 1):
                seen(raw)
                if len(raw) > limit:
                    raise error(
                        f"a line of more than {limit:,} bytes",
                        hint="is this the file you mean?",
                        path=path,
                        line=number,
                    )
                try:
                    line = raw.decode("utf-8-sig" if number == 1 else "utf-8")
                except UnicodeDecodeError as problem:
                    raise error(
                        f"not UTF-8: byte 0x{raw[problem.start]:02x}",
                        hint="save the file as UTF-8",
                        path=path,
                        line=number,
                    ) from None
                if line.strip():
                    yield number, line
    except OSError as problem:
        raise _unreadable(path, problem, error) from None


def _unreadable(path: Path, problem: OSError, error: type[VerulawError]) -> VerulawError:
    if isinstance(problem, FileNotFoundError):
        return error("no such file", hint="check the path", path=path)
    if isinstance(problem, IsADirectoryError):
        return error("is a directory", hint="name a file", path=path)
    return error(f"cannot be read: {problem.strerror}", hint="check its permissions", path=path)


def write_text(path: Path, text: str, error: type[VerulawError] = InputError) -> None:
    """Write a text file as UTF-8, whole or not at all: see `write_lines`."""
    write_lines(path, [text], error)


def write_lines(
    path: Path,
    lines: Iterable[str],
    error: type[VerulawError] = InputError,
    *,
    hint: str = "check path and space",
    errors: str = "strict",
) -> None:
    """Write a UTF-8 file so that a reader, a crash or a full disk leaves the old one or the new
    one, never half. A device, a pipe or a link is written in place.

    Raises `error` (path, hint) where that can't be done.
    """
    aside = not path.exists() or (path.is_file() and not path.is_symlink())
    target = path.with_name(f".{path.name}.{os.getpid()}") if aside else path
    try:
        with target.open("w", encoding="utf-8", errors=errors) as file:
            file.writelines(lines)
        if aside:
            if path.exists():
                shutil.copymode(path, target)
            target.replace(path)
    except OSError as problem:
        raise error(f"cannot be written: {problem.strerror}", hint=hint, path=path) from None
    finally:
        if aside:
            with contextlib.suppress(OSError):
                target.unlink(missing_ok=True)


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


def read_json(
    text: str,
    error: type[VerulawError],
    *,
    hint: str,
    path: Path | None = None,
    line: int | None = None,
    half_pairs: bool = False,
) -> object:
    """What a JSON text says. Raises `error` (path, line, column, hint) for text that is not JSON,
    nested past what can be read, with a whole number of thousands of digits, or with half of a
    surrogate pair (unless `half_pairs`), which is no character and can't be written as UTF-8.

    `line`: where the text stands, for one line of a file; otherwise the error's own line is told.
    """
    try:
        found: object = json.loads(text)
    except json.JSONDecodeError as problem:
        raise error(
            f"not JSON: {problem.msg}",
            hint=hint,
            path=path,
            line=problem.lineno if line is None else line,
            column=problem.colno,
        ) from None
    except RecursionError:
        raise error("nested too deep", hint=hint, path=path, line=line) from None
    except ValueError:
        # The one other: Python reads no whole number of more than some thousand digits.
        raise error("a number of too many digits", hint=hint, path=path, line=line) from None
    if not half_pairs and _SURROGATE.search(text) is not None:
        try:
            json.dumps(found, ensure_ascii=False).encode("utf-8")
        except UnicodeEncodeError:
            raise error(
                "a text holds half of a surrogate pair, which is no character",
                hint=hint,
                path=path,
                line=line,
            ) from None
    return found


def read_toml(text: str, error: type[VerulawError], path: Path) -> dict[str, Any]:
    """A TOML table. Raises `error` (path, line where it is known) for text that is none, nested
    past what can be read, or with a whole number of thousands of digits."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        at = re.search(r"line (\d+)", str(problem))
        raise error(
            f"not TOML: {problem}",
            hint="mend the syntax",
            path=path,
            line=int(at.group(1)) if at else None,
        ) from None
    except RecursionError:
        raise error("nested too deep", hint="mend the syntax", path=path) from None
    except ValueError:
        raise error("a number of too many digits", hint="mend the syntax", path=path) from None
