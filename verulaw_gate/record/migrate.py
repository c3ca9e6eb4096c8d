"""Create the tables, check whose they are, and bring an older schema up to date."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection, inspect, text

from verulaw_gate.errors import StoreError
from verulaw_gate.record.schema import (
    APPLICATION,
    SCHEMA_VERSION,
    calls,
    meta,
    metadata,
    receipts,
)


def _add_calls(connection: Connection) -> None:
    """1 -> 2: single calls of Verus and receipts get tables of their own."""
    for table in (calls, receipts):
        table.create(connection, checkfirst=True)


STEPS: dict[int, Callable[[Connection], None]] = {1: _add_calls}
"""Version -> what turns it into the next one, in the transaction of the upgrade."""


def check_owner(connection: Connection) -> int | None:
    """The schema version of the database, None when it has none of our tables and may get them.

    Raises StoreError when the database belongs to another program or to a newer version.
    """
    tables = set(inspect(connection).get_table_names())
    if meta.name not in tables:
        if tables and connection.dialect.name == "sqlite":
            raise StoreError(
                f"this database belongs to another program (it has the table '{min(tables)}')",
                hint="name another file with --store",
            )
        return None
    rows = {row.key: row.value for row in connection.execute(meta.select())}
    if rows.get("application") != APPLICATION or not rows.get("schema", "").isdigit():
        raise StoreError(
            "this database does not say that it is a record store",
            hint="name another with --store",
        )
    version = int(rows["schema"])
    if version > SCHEMA_VERSION:
        raise StoreError(
            f"the store has schema {version}, this program knows up to {SCHEMA_VERSION}",
            hint="use the newer verulaw-gate that wrote it",
        )
    return version


def prepare(connection: Connection) -> None:
    """Create or upgrade the tables; the caller's transaction makes it all or nothing."""
    if connection.dialect.name == "postgresql":
        # Two processes that start at once must not both create the tables.
        connection.execute(text("SELECT pg_advisory_xact_lock(8310210)"))
    version = check_owner(connection)
    if version is None:
        metadata.create_all(connection)
        connection.execute(
            meta.insert(),
            [
                {"key": "application", "value": APPLICATION},
                {"key": "schema", "value": str(SCHEMA_VERSION)},
            ],
        )
        return
    if version == SCHEMA_VERSION:
        return
    while version < SCHEMA_VERSION:
        STEPS[version](connection)
        version += 1
    connection.execute(meta.update().where(meta.c.key == "schema").values(value=str(version)))
