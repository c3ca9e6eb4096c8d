"""Whole runs and the whole store: write one at once, delete, shrink, back up, measure."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import TypeVar

from sqlalchemy import func, select

from verulaw_gate.errors import StoreError
from verulaw_gate.record.connect import told
from verulaw_gate.record.events import Event, Key
from verulaw_gate.record.schema import events, runs, texts
from verulaw_gate.record.store import Store, row_of

T = TypeVar("T")
_SHA256_FIELD = re.compile(r'"\w*sha256":"([0-9a-f]{64})"')


def named_texts(payloads: Iterable[str]) -> set[str]:
    """The hashes that stored events name; those of texts are among them."""
    return {found for payload in payloads for found in _SHA256_FIELD.findall(payload)}


def write_run(
    store: Store, name: str, rows: Iterable[tuple[Key, int, Event]], named: Mapping[str, str]
) -> int:
    """Store a whole run at once, all or none, with the texts it names; returns its number of
    events. Raises StoreError when there is a run of that name."""
    count = 0
    with store.writing() as connection:
        made = connection.execute(store.insert_or_ignore(runs).values(name=name))
        if made.rowcount == 0:
            raise StoreError(
                f"there is a run '{name}' already",
                hint="give the imported one another name with --run, or prune that one",
                path=store.shown,
            )
        run_id = store.run_id(connection, name)
        for batch in _batched(rows, 1000):
            new = [row_of(run_id, key, seq, event) for key, seq, event in batch]
            connection.execute(events.insert(), new)
            count += len(new)
        store.write_texts(connection, named)
    return count


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
