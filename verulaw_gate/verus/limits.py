"""Bounds on one command."""

from __future__ import annotations

from dataclasses import dataclass

from verulaw_gate.errors import UsageError

MIB = 1 << 20
LEAST_MEMORY = 128 * MIB


@dataclass(frozen=True, slots=True)
class Limits:
    """`wall_s` in seconds: ours, since Verus's rlimit does not bound time (queries of 110 to 165 s
    were seen at its default). `memory_bytes` bounds the address space of each process
    (RLIMIT_AS), `file_bytes` each file it writes. Of each output stream `output_bytes` are kept,
    half from its head and half from its tail; a command that writes more than `flood_factor`
    times as much is ended."""

    wall_s: float = 300.0
    memory_bytes: int | None = 16 * 1024 * MIB
    output_bytes: int = 16 * MIB
    file_bytes: int | None = 1024 * MIB
    flood_factor: int = 8

    def __post_init__(self) -> None:
        bounds = (self.wall_s, self.output_bytes, self.flood_factor, self.memory_bytes or 1)
        if min(bounds) <= 0 or (self.file_bytes or 1) <= 0:
            raise UsageError("limits are positive", hint="seconds and bytes, both more than 0")
        if self.memory_bytes is not None and self.memory_bytes < LEAST_MEMORY:
            raise UsageError(
                f"{self.memory_bytes} bytes of memory are too few for any Verus",
                hint=f"at least {LEAST_MEMORY // MIB} MiB",
            )
