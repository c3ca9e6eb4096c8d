"""Loading protocols: from text, from a file, or shipped ones by name."""

from __future__ import annotations

from pathlib import Path

from verulaw_gate.data import protocols_dir
from verulaw_gate.errors import InputError, UsageError
from verulaw_gate.protocol.diagnostics import first_error, to_error
from verulaw_gate.protocol.model import Protocol
from verulaw_gate.protocol.validate import diagnose

MAX_BYTES = 1_000_000
"""A protocol file larger than this is no protocol."""


def parse_protocol(text: str, path: str = "<string>") -> Protocol:
    """The protocol of a text. Raises `ProtocolError` at the first error, with caret."""
    protocol, diagnostics = diagnose(text, path)
    error = first_error(diagnostics)
    if error is not None:
        raise to_error(text, error, path)
    assert protocol is not None, "no protocol and no error"
    return protocol


def read_source(path: Path | str) -> str:
    """The text of a protocol file. Raises `InputError` when it cannot be read as one."""
    try:
        with open(path, "rb") as stream:
            raw = stream.read(MAX_BYTES + 1)
    except OSError as problem:
        raise InputError(
            f"cannot read the protocol: {problem.strerror}",
            path=path,
            hint=f"shipped protocols: {', '.join(shipped())}",
        ) from None
    if len(raw) > MAX_BYTES:
        raise InputError(
            f"larger than {MAX_BYTES:,} bytes: no protocol",
            path=path,
            hint="name a file with one (define NAME ...)",
        )
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise InputError(
            "not UTF-8",
            path=path,
            line=raw[: problem.start].count(b"\n") + 1,
            hint="save the file as UTF-8",
        ) from None


def shipped() -> tuple[str, ...]:
    """The names of the shipped protocols, sorted."""
    return tuple(sorted(path.stem for path in protocols_dir().glob("*.sexp")))


def locate(name_or_path: str | Path) -> Path:
    """The file that a name of a shipped protocol or a path stands for.

    A bare name is a shipped protocol; anything with a slash or the suffix .sexp is a file.
    Raises `UsageError` for a name that is not shipped.
    """
    text = str(name_or_path)
    if isinstance(name_or_path, Path) or "/" in text or text.endswith(".sexp"):
        return Path(name_or_path)
    if text in shipped():
        return protocols_dir() / f"{text}.sexp"
    raise UsageError(
        f"no protocol {text!r}",
        hint=f"give a file (with a slash or .sexp) or one of: {', '.join(shipped())}",
    )


def load_protocol(name_or_path: str | Path) -> Protocol:
    """A shipped protocol by name, or the protocol of a file.

    Raises `UsageError`, `InputError` or `ProtocolError`.
    """
    path = locate(name_or_path)
    return parse_protocol(read_source(path), str(path))
