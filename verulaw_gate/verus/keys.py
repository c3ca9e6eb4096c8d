"""Names for a source and for options: the keys of recorded and cached results."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from verulaw_gate.verus.model import VerusOptions


def source_sha256(source: str | bytes) -> str:
    """SHA-256 of the source's UTF-8 bytes, hexadecimal."""
    data = source.encode("utf-8", "surrogatepass") if isinstance(source, str) else source
    return hashlib.sha256(data).hexdigest()


def normal_args(args: Sequence[str]) -> tuple[str, ...]:
    """The arguments in one order: `--no-cheating --output-json` and the other way round are the
    same options. A flag keeps its value behind it (`--rlimit 10` and `--rlimit=10` are one), and
    repeats of a flag keep their order. Arguments that are no flags keep their place after the flag
    before them."""
    units: list[list[str]] = []
    for arg in args:
        if arg.startswith("-") or not units:
            flag, equals, value = arg.partition("=")
            units.append([flag, value] if equals and flag.startswith("--") else [arg])
        else:
            units[-1].append(arg)
    units.sort(key=lambda unit: unit[0])
    return tuple(part for unit in units for part in unit)


def options_key(options: VerusOptions) -> str:
    """One string for the options, the same for the same set."""
    return json.dumps(normal_args(options.args), separators=(",", ":"), ensure_ascii=False)


def result_key(source: str, options: VerusOptions) -> tuple[str, str]:
    """The key of a recorded result."""
    return source_sha256(source), options_key(options)
