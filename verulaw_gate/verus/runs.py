"""One raw run of Verus, and the result that it is. Recordings and the cache keep raw runs: the
reading is a pure function, so a better reading never needs a new run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from verulaw_gate.verus.diagnostics import read
from verulaw_gate.verus.model import Verification, VerusOptions
from verulaw_gate.verus.target import target_proved


@dataclass(frozen=True, slots=True)
class Run:
    """What `diagnostics.read` needs of one run, and what it cost. Times in seconds, None where
    they were not measured."""

    argv: tuple[str, ...]
    exit_code: int
    stdout: str
    stderr: str
    version: str | None = None
    wall_s: float | None = None
    cpu_s: float | None = None
    truncated: bool = False

    def result(
        self, *, source: str, sha256: str, options: VerusOptions, target: str | None, origin: str
    ) -> Verification:
        """The result of this run for `source`, whose hash is `sha256`."""
        reading = read(self.argv, self.exit_code, self.stdout, self.stderr, source=source)
        return Verification(
            outcome=reading.outcome,
            target_proved=target_proved(reading, self.argv, target=target, source=source),
            source_sha256=sha256,
            options=options,
            diagnostics=reading.diagnostics,
            verified=reading.verified,
            errors=reading.errors,
            front_end=reading.front_end,
            exit_code=self.exit_code,
            stdout=self.stdout,
            stderr=self.stderr,
            argv=self.argv,
            version=self.version or reading.version,
            wall_s=self.wall_s,
            cpu_s=self.cpu_s,
            truncated=self.truncated,
            origin=origin,
            detail=reading.detail,
        )


def run_of(result: Verification) -> Run:
    """The raw run behind a result that has an exit code. Raises ValueError for one that has
    none (a timeout): there is nothing to read again."""
    if result.exit_code is None:
        raise ValueError(f"a {result.outcome} has no exit code")
    return Run(
        result.argv,
        result.exit_code,
        result.stdout,
        result.stderr,
        result.version,
        result.wall_s,
        result.cpu_s,
        result.truncated,
    )


def to_json(run: Run, sha256: str, *, indent: int | None = None) -> str:
    """A run as a recording: the format of the recorded results beside the tasks."""
    value: dict[str, Any] = {
        "verus_version": run.version,
        "argv": list(run.argv),
        "source_sha256": sha256,
        "exit_code": run.exit_code,
        "stdout": run.stdout,
        "stderr": run.stderr,
        "wall_s": run.wall_s,
    }
    if run.cpu_s is not None:
        value["cpu_s"] = run.cpu_s
    if run.truncated:
        value["truncated"] = True
    return json.dumps(value, indent=indent, ensure_ascii=False)


def from_json(data: Mapping[str, Any]) -> Run:
    """Read a recording's object. Raises KeyError, TypeError or ValueError when it is none."""
    if not isinstance(data, Mapping):
        raise TypeError("not a JSON object")
    version = data.get("verus_version")
    if isinstance(version, Mapping):
        version = version.get("version")
    return Run(
        argv=tuple(str(a) for a in data["argv"]),
        exit_code=int(data["exit_code"]),
        stdout=str(data["stdout"]),
        stderr=str(data["stderr"]),
        version=None if version is None else str(version),
        wall_s=_seconds(data.get("wall_s")),
        cpu_s=_seconds(data.get("cpu_s")),
        truncated=bool(data.get("truncated", False)),
    )


def _seconds(value: Any) -> float | None:
    return None if value is None else float(value)


def options_of(argv: tuple[str, ...]) -> VerusOptions:
    """The options of a recorded command line: all but the program and the source file."""
    return VerusOptions(tuple(a for a in argv[1:] if not a.endswith(".rs")))
