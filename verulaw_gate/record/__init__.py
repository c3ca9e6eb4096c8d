"""The record: typed events of runs, in SQLite or PostgreSQL."""

from verulaw_gate.record.connect import DEFAULT_STORE, default_store
from verulaw_gate.record.events import EVENT, Event, Key, Stored
from verulaw_gate.record.store import RunInfo, Store, read_event, sha256_of

__all__ = [
    "DEFAULT_STORE",
    "EVENT",
    "Event",
    "Key",
    "RunInfo",
    "Store",
    "Stored",
    "default_store",
    "read_event",
    "sha256_of",
]
