"""`verulaw-gate verus --manifest-path`: verify a crate with the file in place, in a copy."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from verulaw_gate.cli import real_verus
from verulaw_gate.config import Config
from verulaw_gate.errors import ToolError, UsageError


def place_in_crate(file: Path, manifest: Path, named: str | None) -> Path:
    """Where in the crate the file goes: as named with --as, else where it is.

    Raises UsageError for a file outside the crate that is not given a place.
    """
    if named is not None:
        return Path(named)
    try:
        return file.resolve().relative_to(manifest.resolve().parent)
    except ValueError:
        raise UsageError(
            f"{file} is not in the crate of {manifest}",
            hint="say which file of the crate it stands for, as --as=src/lib.rs",
        ) from None


def run(source: str, place: Path, manifest: Path, arguments: Sequence[str], config: Config) -> int:
    """Run `cargo verus verify` on a copy, pass its output on, and return its exit code.

    Raises ToolError where it was stopped: then there is no exit code of its own.
    """
    from verulaw_gate.verus.cargo import CargoVerusVerifier
    from verulaw_gate.verus.limits import Limits
    from verulaw_gate.verus.model import VerusOptions

    configured = config.resolve(config.verus) if config.verus else None
    verifier = CargoVerusVerifier(
        manifest,
        place,
        verus=real_verus.find(configured),
        limits=Limits(wall_s=config.limits.verus_seconds),
    )
    result = verifier.verify(source, VerusOptions(tuple(arguments)))
    sys.stdout.write(result.stdout)
    sys.stdout.flush()
    sys.stderr.write(result.stderr)
    if result.exit_code is None or result.exit_code < 0:
        raise ToolError(f"cargo verus gave no result: {result.detail}", path=manifest)
    return result.exit_code
