"""Open the database behind a store URL: SQLite by default, PostgreSQL by URL."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError
from sqlalchemy.pool import ConnectionPoolEntry, QueuePool

from verulaw_gate.errors import StoreError

DEFAULT_STORE = "verulaw.sqlite"
BUSY_TIMEOUT_S = 60


def default_store() -> str:
    """The store that is used when none is named: VERULAW_STORE, or `verulaw.sqlite` here."""
    return os.environ.get("VERULAW_STORE") or DEFAULT_STORE


def open_engine(url: str, *, read_only: bool) -> Engine:
    """An engine for a path or a `sqlite:///` or `postgresql://` URL.

    Raises StoreError for an unknown kind of URL, a missing driver, a folder that is not there,
    and, read-only, a file that is not there.
    """
    if "://" not in url or url.startswith("sqlite:///"):
        return _sqlite(Path(url.removeprefix("sqlite:///")), read_only)
    if url.startswith(("postgresql://", "postgres://")):
        url = "postgresql+psycopg://" + url.partition("://")[2]
    if not url.startswith("postgresql+psycopg://"):
        raise StoreError(
            f"'{url.partition('://')[0]}' is no kind of store",
            hint="give a file name, sqlite:///FILE or postgresql://USER@HOST:PORT/DATABASE",
        )
    try:
        guard = {"options": "-c default_transaction_read_only=on"} if read_only else {}
        engine = create_engine(url, pool_size=8, pool_pre_ping=True, connect_args=guard)
    except ModuleNotFoundError:
        raise StoreError(
            "PostgreSQL needs the psycopg driver", hint="pip install 'verulaw-gate[postgres]'"
        ) from None
    except (ArgumentError, NoSuchModuleError) as problem:
        raise StoreError(
            f"not a database URL: {problem}", hint="postgresql://USER@HOST:PORT/DATABASE"
        ) from None
    return engine


def _sqlite(path: Path, read_only: bool) -> Engine:
    if path.is_dir():
        raise StoreError("is a folder", hint="name a file", path=path)
    if read_only and not path.is_file():
        raise StoreError("no such store", hint="run something into it first", path=path)
    if not path.parent.is_dir():
        raise StoreError("its folder does not exist", hint="create the folder", path=path)
    where = quote(str(path.resolve()))
    query = "?mode=ro" if read_only else ""
    if read_only and not os.access(path.parent, os.W_OK):
        # Without a folder to put the -shm file in, SQLite reads a WAL database only as immutable.
        query = "?immutable=1"
    uri = f"file:{where}{query}"

    def connect() -> sqlite3.Connection:
        # Transactions are begun by the listener below, so that a write takes its lock at once.
        return sqlite3.connect(
            uri, uri=True, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False
        )

    engine = create_engine("sqlite://", creator=connect, poolclass=QueuePool, pool_size=8)
    event.listen(engine, "connect", _read_pragmas if read_only else _write_pragmas)
    event.listen(engine, "begin", _begin)
    return engine


def _read_pragmas(connection: sqlite3.Connection, _: ConnectionPoolEntry) -> None:
    connection.execute("PRAGMA query_only=ON")


def _write_pragmas(connection: sqlite3.Connection, _: ConnectionPoolEntry) -> None:
    # NORMAL in WAL mode survives a killed process; only a power cut may lose the last commits.
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")
    connection.execute("PRAGMA foreign_keys=ON")


def _begin(connection: Connection) -> None:
    reading = connection.get_execution_options().get("verulaw_read", False)
    connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")


@contextmanager
def told(url: str) -> Iterator[None]:
    """Turn a database error into one StoreError that names the store and the remedy."""
    try:
        yield
    except (DBAPIError, sqlite3.Error) as problem:
        cause = problem.orig if isinstance(problem, DBAPIError) else problem
        message = str(cause).strip().splitlines()[0] if str(cause).strip() else type(cause).__name__
        raise StoreError(message, hint=_remedy(message), path=shown(url)) from None


def _remedy(message: str) -> str:
    text = message.lower()
    for sign, remedy in (
        ("not a database", "this file is not a record store; name another with --store"),
        ("malformed", "the file is damaged; restore a backup"),
        ("disk i/o error", "is there space left on the disk? what was committed is kept"),
        ("disk is full", "free some space; what was committed is kept, run again to go on"),
        ("no space left", "free some space; what was committed is kept, run again to go on"),
        ("read-only", "the store was opened to be read only"),
        ("readonly", "the store can't be written; check its permissions"),
        ("unable to open", "check the path and its permissions"),
        ("locked", "another process holds the store; try again"),
        ("connection", "is the database server running, and the URL right?"),
    ):
        if sign in text:
            return remedy
    return "check the store (`verulaw-gate store info`)"


def shown(url: str) -> str:
    """The URL without a password."""
    head, sep, rest = url.partition("://")
    if not sep or "@" not in rest:
        return url.removeprefix("sqlite:///")
    user, _, host = rest.rpartition("@")
    return f"{head}://{user.partition(':')[0]}@{host}"
