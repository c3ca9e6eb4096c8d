"""Verus results in the record store: the shared half of `verus.cache`."""

from __future__ import annotations

import os
import socket
import threading
import time
import uuid
import zlib
from types import TracebackType

from sqlalchemy import (
    Column,
    Engine,
    Float,
    LargeBinary,
    String,
    Table,
    delete,
    func,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from verulaw_gate.errors import StoreError
from verulaw_gate.record.connect import default_store, open_engine, told
from verulaw_gate.record.migrate import prepare
from verulaw_gate.record.schema import metadata
from verulaw_gate.verus.workdir import is_dead, run_name

results = Table(
    "verulaw_results",
    metadata,
    Column("key", String(64), primary_key=True),
    # zlib: most of a result is the list of functions, which says the same words again and again.
    Column("payload", LargeBinary, nullable=False),
)

claims = Table(
    "verulaw_claims",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("owner", String(64), nullable=False),
    Column("host", String(255), nullable=False),
    Column("process", String(100), nullable=False),
    # Seconds since 1970 by the clock of whoever claimed.
    Column("until", Float, nullable=False),
)


class StoreCache:
    """A `verus.cache.ResultCache` in the record store at a path or URL.

    Any number of threads and processes may share one; with PostgreSQL, machines may. It may be
    pickled and carried through a fork: the copy opens connections of its own. Raises StoreError
    as `record.Store` does.
    """

    def __init__(self, url: str | None = None) -> None:
        self.url = str(url) if url is not None else default_store()
        self._engine = open_engine(self.url, read_only=False)
        self._mine: dict[str, str] = {}
        self._lock = threading.Lock()
        self._pid = os.getpid()
        with told(self.url), self._engine.begin() as connection:
            prepare(connection)
            for table in (results, claims):
                table.create(connection, checkfirst=True)

    def __reduce__(self) -> tuple[type[StoreCache], tuple[str]]:
        return (StoreCache, (self.url,))

    def close(self) -> None:
        """Give back all connections."""
        self._engine.dispose()

    def __enter__(self) -> StoreCache:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __len__(self) -> int:
        with told(self.url), self._connections().connect() as connection:
            reading = connection.execution_options(verulaw_read=True)
            return int(reading.execute(select(func.count()).select_from(results)).scalar_one())

    def get(self, key: str) -> str | None:
        """The payload of a key, None where there is none."""
        with told(self.url), self._connections().connect() as connection:
            reading = connection.execution_options(verulaw_read=True)
            query = select(results.c.payload).where(results.c.key == key)
            found = reading.execute(query).scalar_one_or_none()
        if found is None:
            return None
        try:
            return zlib.decompress(found).decode("utf-8", "surrogatepass")
        except (zlib.error, UnicodeDecodeError):
            raise StoreError(
                f"the kept result {key} is damaged",
                hint="run with --no-cache, or name another store",
                path=self.url,
            ) from None

    def put(self, key: str, payload: str) -> None:
        """Keep a payload. A key that has one keeps it."""
        data = zlib.compress(payload.encode("utf-8", "surrogatepass"))
        with told(self.url), self._connections().begin() as connection:
            connection.execute(self._insert(results).values(key=key, payload=data))

    def claim(self, key: str, lease_s: float) -> bool:
        """Whether the key is now ours to run. A claim past its lease, or of a process of this
        machine that is gone, is taken over."""
        owner, now = uuid.uuid4().hex, time.time()
        row = {
            "owner": owner,
            "host": socket.gethostname(),
            "process": run_name(),
            "until": now + lease_s,
        }
        with told(self.url), self._connections().begin() as connection:
            connection.execute(self._insert(claims).values(key=key, **row))
            held = connection.execute(select(claims).where(claims.c.key == key)).one_or_none()
            if held is None:
                return False  # given back a moment ago; the caller asks again
            if held.owner != owner:
                gone = held.host == row["host"] and is_dead(held.process)
                if held.until > now and not gone:
                    return False
                taken = connection.execute(
                    update(claims)
                    .where(claims.c.key == key, claims.c.owner == held.owner)
                    .values(**row)
                )
                if taken.rowcount != 1:
                    return False
        with self._lock:
            self._mine[key] = owner
        return True

    def release(self, key: str) -> None:
        """Give our claim back; nothing happens when it was taken over."""
        self._connections()  # a forked child has no claims
        with self._lock:
            owner = self._mine.pop(key, None)
        if owner is None:
            return
        with told(self.url), self._connections().begin() as connection:
            connection.execute(delete(claims).where(claims.c.key == key, claims.c.owner == owner))

    def _connections(self) -> Engine:
        if self._pid != os.getpid():
            # Forked: the open connections and the claims are the parent's. They are left to it,
            # not closed.
            self._pid = os.getpid()
            self._lock, self._mine = threading.Lock(), {}
            self._engine.dispose(close=False)
        return self._engine

    def _insert(self, table: Table) -> sqlite.Insert | postgresql.Insert:
        if self._engine.dialect.name == "sqlite":
            return sqlite.insert(table).on_conflict_do_nothing()
        return postgresql.insert(table).on_conflict_do_nothing()
