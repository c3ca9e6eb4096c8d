"""The tables of the record store and their versions.

`meta`: whose database this is and of which schema. `runs`: one row a run. `events`: one row an
event, unique by (run, task, arm, sample, generation, seq). `texts`: raw answers and sources by
the sha256 of their UTF-8 bytes, each once. `calls`, `receipts`: see `record.calls`.
"""

from __future__ import annotations

from sqlalchemy import (
    Column,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

SCHEMA_VERSION = 2
"""1: runs, events, texts. 2: also calls and receipts."""

APPLICATION = "verulaw-gate"

metadata = MetaData()

meta = Table(
    "verulaw_meta",
    metadata,
    Column("key", String(40), primary_key=True),
    Column("value", String(200), nullable=False),
)

runs = Table(
    "verulaw_runs",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("name", String(200), nullable=False, unique=True),
)

events = Table(
    "verulaw_events",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("run_id", Integer, ForeignKey("verulaw_runs.id"), nullable=False),
    Column("task", String(200), nullable=False),
    Column("arm", String(100), nullable=False),
    Column("sample", Integer, nullable=False),
    Column("generation", Integer, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("kind", String(30), nullable=False),
    Column("payload", Text, nullable=False),
    UniqueConstraint("run_id", "task", "arm", "sample", "generation", "seq", name="verulaw_place"),
)

texts = Table(
    "verulaw_texts",
    metadata,
    Column("sha256", String(64), primary_key=True),
    # Bytes, not text: a model may write NUL, which PostgreSQL's text type can't hold.
    Column("text", LargeBinary, nullable=False),
)

# Single calls of Verus through the gate and receipts of runs: `record.calls`.
calls = Table(
    "verulaw_calls",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("payload", Text, nullable=False),
)

receipts = Table(
    "verulaw_receipts",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("digest", String(64), nullable=False, unique=True),
    Column("source_sha256", String(64), nullable=False, index=True),
    Column("payload", Text, nullable=False),
)
