"""Rows of the store: what is written for an event, and what is read back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pydantic import ValidationError

from verulaw_gate.errors import StoreError
from verulaw_gate.record.events import (
    EVENT,
    Environment,
    Event,
    Key,
    RunClosed,
    RunResumed,
    RunStarted,
)
from verulaw_gate.verus.keys import source_sha256

MAX_NAME = 200
"""Characters of a run's name."""


def sha256_of(text: str) -> str:
    """The key of a text: sha256 of its UTF-8 bytes, as the keys of Verus results."""
    return source_sha256(text)


@dataclass(frozen=True, slots=True)
class RunInfo:
    """A run of the store: its name, how it began, and how it ended (None: not complete)."""

    name: str
    started: RunStarted
    closed: RunClosed | None


def read_event(payload: str, where: str = "") -> Event:
    """An event from its JSON. Raises StoreError when this version does not know it."""
    try:
        return EVENT.validate_json(payload)
    except ValidationError as problem:
        first = problem.errors()[0]
        raise StoreError(
            f"an event can't be read: {'.'.join(map(str, first['loc']))}: {first['msg']}",
            hint="a newer verulaw-gate may have written it",
            path=where or None,
        ) from None


def row_of(run_id: int, key: Key, seq: int, event: Event) -> dict[str, object]:
    """The row of the events table for one event."""
    return {
        "run_id": run_id,
        "task": key.task,
        "arm": key.arm,
        "sample": key.sample,
        "generation": key.generation,
        "seq": seq,
        "kind": event.kind,
        "payload": event.model_dump_json(),
    }


def check_name(name: str) -> None:
    """Raise StoreError for what can't be the name of a run: it stands in lists and messages, and
    PostgreSQL's column is so long."""
    if not 1 <= len(name) <= MAX_NAME or not name.isprintable():
        raise StoreError(
            f"{name[:40]!r} is no name of a run",
            hint=f"1 to {MAX_NAME} printable characters (--run)",
        )


def last_environment(stored: Iterable[Event]) -> Environment | None:
    """The environment in which a run was last taken up."""
    found = None
    for event in stored:
        if isinstance(event, RunStarted | RunResumed):
            found = event.environment
    return found


def check_same_run(name: str, before: RunStarted, now: RunStarted) -> None:
    """Raise StoreError when a run of this name has other input than `now`."""
    for field in ("corpus", "corpus_sha256", "config_sha256", "protocol_sha256", "options"):
        if getattr(before, field) != getattr(now, field):
            raise StoreError(
                f"run '{name}' exists with another {field.replace('_', ' ')}",
                hint="give the new run another name with --run",
            )
