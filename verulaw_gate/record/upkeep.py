"""Whole runs and the whole store: write one at once, delete, shrink, back up, measure."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection, func, select

from verulaw_gate.errors import StoreError
from verulaw_gate.record.connect import told
from verulaw_gate.record.events import Event, Key
from verulaw_gate.record.rows import check_name
from verulaw_gate.record.schema import events, runs, texts
from verulaw_gate.record.store import Store, row_of

T = TypeVar("T")
BATCH_ROWS = 1000
BATCH_CHARS = 8 * 1024 * 1024
_SHA256_FIELD = re.compile(r'"\w*sha256":"([0-9a-f]{64})"')


def named_texts(payloads: Iterable[str]) -> set[str]:
    """The hashes that stored events name; those of texts are among them."""
    return {found for payload in payloads for found in _SHA256_FIELD.findall(payload)}


class RunWriter:
    """Writes the events and texts of a new run, some at a time: a run may be larger than memory."""

    def __init__(self, store: Store, connection: Connection, run_id: int) -> None:
        self._store, self._connection, self._run_id = store, connection, run_id
        self._rows: list[dict[str, object]] = []
        self._texts: dict[str, str] = {}
        self._waiting = 0

    def event(self, key: Key, seq: int, event: Event) -> None:
        """Write one event."""
        self._rows.append(row_of(self._run_id, key, seq, event))
        if len(self._rows) >= BATCH_ROWS:
            self.flush()

    def text(self, sha256: str, text: str) -> None:
        """Write one text; one that is there already stays as it is."""
        self._texts[sha256] = text
        self._waiting += len(text)
        if self._waiting >= BATCH_CHARS or len(self._texts) >= BATCH_ROWS:
            self.flush()

    def flush(self) -> None:
        """Write what waits."""
        if self._rows:
            self._connection.execute(events.insert(), self._rows)
        self._store.write_texts(self._connection, self._texts)
        self._rows, self._texts, self._waiting = [], {}, 0


@contextmanager
def new_run(store: Store, name: str) -> Iterator[RunWriter]:
    """A run that is written whole or, when the block raises, not at all.

    Raises StoreError when there is a run of that name. Other writers wait until the end.
    """
    check_name(name)
    try:
        with store.writing() as connection:
            # Not by the number of rows: the driver of PostgreSQL does not always tell it.
            made = store.insert_or_ignore(runs).values(name=name).returning(runs.c.id)
            if connection.execute(made).first() is None:
                raise StoreError(
                    f"there is a run '{name}' already",
                    hint="give the imported one another name with --run, or prune that one",
                    path=store.shown,
                )
            writer = RunWriter(store, connection, store.run_id(connection, name))
            yield writer
            writer.flush()
    except BaseException:
        store.forget(name)
        raise


def delete_run(store: Store, name: str) -> int:
    """Delete a run and the texts that no other run names; returns its number of events."""
    with store.writing() as connection:
        run_id = store.run_id(connection, name)
        mine = select(events.c.payload).where(events.c.run_id == run_id)
        named = named_texts(connection.execute(mine).scalars())
        gone = connection.execute(events.delete().where(events.c.run_id == run_id)).rowcount
        connection.execute(runs.delete().where(runs.c.id == run_id))
        left = select(events.c.payload).execution_options(yield_per=2000)
        rest = connection.execute(left)
        lonely = sorted(named - named_texts(rest.scalars()))
        for batch in _batched(lonely, 500):
            connection.execute(texts.delete().where(texts.c.sha256.in_(batch)))
        store.forget(name)
    return int(gone)


def shrink(store: Store) -> None:
    """Give the space of deleted runs back to the file system (a server does that by itself)."""
    with store.sqlite_connection() as connection:
        if connection is not None:
            connection.execute("VACUUM")


def backup(store: Store, path: Path) -> None:
    """Copy the whole database to a new file, consistent also while others write.

    Raises StoreError for an existing file, and for PostgreSQL, which has its own tool.
    """
    if path.exists():
        raise StoreError("is there already", hint="name a new file", path=path)
    with store.sqlite_connection() as connection, told(str(path)):
        if connection is None:
            raise StoreError("a PostgreSQL store is backed up by its server", hint="use pg_dump")
        target = sqlite3.connect(path)
        try:
            connection.backup(target)
        finally:
            target.close()


def sizes(store: Store) -> dict[str, int]:
    """Rows of each table, and the bytes of the database where it is a file."""
    found = {}
    with store.reading() as connection:
        for name, table in (("runs", runs), ("events", events), ("texts", texts)):
            query = select(func.count()).select_from(table)
            found[name] = int(connection.execute(query).scalar_one())
    with store.sqlite_connection() as raw:
        if raw is not None:
            path = Path(store.url.removeprefix("sqlite:///"))
            found["bytes"] = sum(
                p.stat().st_size for p in path.parent.glob(path.name + "*") if p.is_file()
            )
    return found


def _batched(items: Iterable[T], size: int) -> Iterator[list[T]]:
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch
