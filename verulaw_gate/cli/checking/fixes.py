"""Mending a file: what is safe (a fence, text after the end), and the edits of findings."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from verulaw_gate.cli.checking.inputs import STDIN
from verulaw_gate.codes import CODES
from verulaw_gate.errors import InputError, UsageError
from verulaw_gate.findings import Edit, Finding

# Mends can uncover further ones (a loop inside a loop); more rounds than this would be a circle.
_ROUNDS = 20


# What `--fix` may do: nothing of the proof itself is touched.
SAFE = frozenset({"VG102", "VG005"})


def mend(
    text: str, findings: Callable[[str], Sequence[Finding]], *, unsafe: bool
) -> tuple[str, tuple[str, ...]]:
    """The text with the `fix` of findings applied, again and again until none is left, and one
    line for each code. Only those of `SAFE` codes unless `unsafe`: another edit can change what
    the author meant, so it is only made on request."""
    mended: Counter[str] = Counter()
    for _ in range(_ROUNDS):
        chosen = _apart(f for f in findings(text) if f.fix and (unsafe or f.code in SAFE))
        changed = apply(text, [edit for finding in chosen for edit in finding.fix])
        if changed == text:
            break
        text = changed
        mended.update(finding.code for finding in chosen)
    return text, tuple(
        f"{code} {CODES[code].name}" + (f" ({n} places)" if n > 1 else "")
        for code, n in sorted(mended.items())
    )


def _apart(findings: Iterable[Finding]) -> list[Finding]:
    """The findings whose edits do not touch those of an earlier one."""
    chosen: list[Finding] = []
    taken: list[Edit] = []
    for finding in findings:
        if not any(_touch(new, old) for new in finding.fix for old in taken):
            chosen.append(finding)
            taken += finding.fix
    return chosen


def _touch(one: Edit, other: Edit) -> bool:
    return one.start <= other.end and other.start <= one.end


def apply(text: str, edits: Sequence[Edit]) -> str:
    """The text with edits made that do not overlap."""
    for edit in sorted(edits, key=lambda e: (e.start, e.end), reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def write(path: str, before: bytes, data: bytes) -> None:
    """Replace a file's contents `before` at once or not at all; mode and links are kept.

    Raises UsageError for standard input, InputError when the file cannot be written, or when it
    is no longer the one that was read: what has been written there since is not lost.
    """
    if path == STDIN:
        raise UsageError("--fix cannot mend standard input", hint="name a file")
    import tempfile

    target = os.path.realpath(path)
    folder, name = os.path.split(target)
    try:
        mode = os.stat(target).st_mode & 0o7777
        handle, draft = tempfile.mkstemp(dir=folder, prefix=f".{name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(draft, mode)
            with open(target, "rb") as file:
                if file.read() != before:
                    raise InputError("changed while it was mended; left as it is", path=path)
            os.replace(draft, target)
        except (OSError, InputError):
            os.unlink(draft)
            raise
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", path=path) from error
