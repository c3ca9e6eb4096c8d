"""The real Verus as the verbs that run it set it up: found, bounded, cached in the store."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from verulaw_gate.cli.real_verus import search_environment
from verulaw_gate.config import Config
from verulaw_gate.errors import UsageError

if TYPE_CHECKING:
    from verulaw_gate.verus.cache import CachingVerifier, CountingVerifier
    from verulaw_gate.verus.find import VerusInstall


@dataclass(frozen=True, slots=True)
class RealVerifier:
    """The install, and the verifier to ask."""

    install: VerusInstall
    verifier: CachingVerifier | CountingVerifier

    def counts_line(self) -> str:
        """How requests were answered: executions and reuse are never one figure."""
        counts = self.verifier.counts
        line = f"Verus executions: {counts.executions}, from the cache: {counts.hits}"
        if counts.shared:
            line += f", shared with a request under way: {counts.shared}"
        if counts.unkept:
            line += f"; results that the cache could not keep: {counts.unkept}"
        return line


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of every verb that runs the real Verus."""
    add = parser.add_argument
    add("--verus", metavar="PATH", help="the verus executable (default: VERULAW_VERUS, the"
        " settings, PATH, known places)")  # fmt: skip
    add("--timeout", type=float, metavar="SECONDS", help="wall-clock limit of one run (default:"
        " limits.verus-seconds of the settings, else 300)")  # fmt: skip
    add("--no-cache", action="store_true", help="run Verus even where the store has the result")


@contextmanager
def real_verifier(
    args: argparse.Namespace, config: Config, store: str | None, *, workers: int | None = None
) -> Iterator[RealVerifier]:
    """Find Verus and set the verifier up; warnings go to standard error. However many ask, at
    most `workers` run at once (default: what the cores allow). Raises VerusNotFound, ToolError
    and StoreError."""
    from verulaw_gate.record.cache import StoreCache
    from verulaw_gate.verus.cache import CachingVerifier, CountingVerifier
    from verulaw_gate.verus.find import find_verus
    from verulaw_gate.verus.limits import Limits
    from verulaw_gate.verus.slots import BoundedVerifier
    from verulaw_gate.verus.verifier import VerusVerifier

    if args.timeout is not None and not args.timeout > 0:
        raise UsageError("--timeout is a number of seconds above 0")
    configured = config.resolve(config.verus) if config.verus else None
    # This program may itself stand on PATH under the name verus.
    install = find_verus(args.verus, configured=configured, environment=search_environment())
    for warning in install.warnings:
        print(f"verulaw-gate: warning: {warning}", file=sys.stderr)
    limits = Limits(wall_s=args.timeout or config.limits.verus_seconds)
    version = install.version.version
    program = VerusVerifier(install.path, limits=limits, version=version)
    inner = BoundedVerifier(program, workers)
    if args.no_cache:
        yield RealVerifier(install, CountingVerifier(inner))
        return
    with StoreCache(store) as kept:
        caching = CachingVerifier(
            inner,
            kept,
            version=version,
            vstd_sha256=install.vstd_sha256,
            # A run may have to wait in line for others first.
            lease_s=10 * limits.wall_s + 120,
        )
        yield RealVerifier(install, caching)
