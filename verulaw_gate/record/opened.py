"""A record database that is open: what the store of runs and the log of calls share."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite

from verulaw_gate.errors import StoreError
from verulaw_gate.record.connect import default_store, open_engine, shown, told
from verulaw_gate.record.migrate import check_owner, prepare
from verulaw_gate.record.schema import SCHEMA_VERSION


class Opened:
    """The tables behind a path or URL (default: `connect.default_store`).

    Opens and, unless `read_only`, creates or upgrades the database. Raises StoreError when it is
    not ours, of a newer schema, or not usable; read-only also when it would need an upgrade.
    """

    def __init__(self, url: str | None = None, *, read_only: bool = False) -> None:
        self.url = str(url) if url is not None else default_store()
        self.read_only = read_only
        self._engine = open_engine(self.url, read_only=read_only)
        try:
            with told(self.url):
                if read_only:
                    with self._reading() as connection:
                        _check_readable(connection)
                else:
                    with self._engine.begin() as connection:
                        prepare(connection)
        except StoreError as problem:
            self._engine.dispose()
            problem.path = problem.path or self.shown
            raise

    @property
    def shown(self) -> str:
        """The path or URL without a password."""
        return shown(self.url)

    def close(self) -> None:
        """Give back all connections."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def insert_or_ignore(self, table: Table) -> sqlite.Insert | postgresql.Insert:
        """An insert that leaves a row alone that is there already."""
        if self._engine.dialect.name == "sqlite":
            return sqlite.insert(table).on_conflict_do_nothing()
        return postgresql.insert(table).on_conflict_do_nothing()

    def _reading(self) -> Connection:
        return self._engine.connect().execution_options(verulaw_read=True)


def _check_readable(connection: Connection) -> None:
    version = check_owner(connection)
    if version is None:
        raise StoreError("this database has no records", hint="name another with --store")
    if version < SCHEMA_VERSION:
        raise StoreError(
            f"the store has the older schema {version}",
            hint="`verulaw-gate store upgrade` brings it up to date",
        )
