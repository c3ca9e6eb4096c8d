"""The record store: typed events in SQLite or PostgreSQL.

One transaction a generation: after a SIGKILL at any point a generation is there whole or not at
all, and appending it again changes nothing. Any number of processes may write at once.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager

from sqlalchemy import Connection, Select, bindparam, select
from sqlalchemy.exc import IntegrityError

from verulaw_gate.errors import StoreError
from verulaw_gate.record.connect import told
from verulaw_gate.record.events import (
    ArmSettled,
    Event,
    Key,
    RunClosed,
    RunResumed,
    RunStarted,
    Stored,
)
from verulaw_gate.record.opened import Opened
from verulaw_gate.record.rows import (
    RunInfo,
    check_name,
    check_same_run,
    last_environment,
    read_event,
    row_of,
    sha256_of,
)
from verulaw_gate.record.schema import events, runs, texts

__all__ = ["RunInfo", "Store", "read_event", "row_of", "sha256_of"]

RUN_KEY = Key()

# Made once: SQLAlchemy works out how to send a statement for every new object anew.
_INSERT_EVENTS = events.insert()
_TEXT = select(texts.c.text).where(texts.c.sha256 == bindparam("key"))


class Store(Opened):
    """Events of runs behind a path or URL.

    Opens and, unless `read_only`, creates or upgrades the database. Raises StoreError when it is
    not ours, of a newer schema, or not usable; read-only also when it would need an upgrade.
    """

    def __init__(self, url: str | None = None, *, read_only: bool = False) -> None:
        super().__init__(url, read_only=read_only)
        self._ids: dict[str, int] = {}
        self._insert_texts = self.insert_or_ignore(texts)

    # Runs

    def start_run(self, name: str, started: RunStarted) -> bool:
        """Begin a run, or go on with it: True when it is new.

        Raises StoreError when a run of that name has another corpus or configuration. A restart
        of an unfinished run in another environment is recorded as `run-resumed`.
        """
        check_name(name)
        with told(self.url), self._engine.begin() as connection:
            insert = self.insert_or_ignore(runs).values(name=name)
            connection.execute(insert)
            self._ids[name] = connection.execute(
                select(runs.c.id).where(runs.c.name == name)
            ).scalar_one()
            if connection.dialect.name == "postgresql":
                connection.execute(select(runs.c.id).where(runs.c.name == name).with_for_update())
            stored = self._run_events(connection, name)
            if not stored:
                self._write(connection, name, RUN_KEY, [started], first=0)
                return True
            before = stored[0]
            assert isinstance(before, RunStarted)
            check_same_run(name, before, started)
            finished = any(isinstance(event, RunClosed) for event in stored)
            if not finished and last_environment(stored) != started.environment:
                resumed = RunResumed(environment=started.environment)
                self._write(connection, name, RUN_KEY, [resumed], first=len(stored))
            return False

    def close_run(self, name: str, closed: RunClosed) -> bool:
        """Say that a run is complete; False when that is known already."""
        with told(self.url), self._engine.begin() as connection:
            stored = self._run_events(connection, name)
            if any(isinstance(event, RunClosed) for event in stored):
                return False
            self._write(connection, name, RUN_KEY, [closed], first=len(stored))
            return True

    def settle_arm(self, name: str, settled: ArmSettled) -> ArmSettled:
        """Say the rate of a random arm, once: returns what was said first."""
        with told(self.url), self._engine.begin() as connection:
            stored = self._run_events(connection, name)
            for event in stored:
                if isinstance(event, ArmSettled) and event.arm == settled.arm:
                    return event
            self._write(connection, name, RUN_KEY, [settled], first=len(stored))
            return settled

    def runs(self) -> tuple[RunInfo, ...]:
        """All runs in the order in which they began."""
        with told(self.url), self._reading() as connection:
            names = connection.execute(select(runs.c.name).order_by(runs.c.id)).scalars().all()
            return tuple(self._info(connection, name) for name in names)

    def run(self, name: str) -> RunInfo:
        """One run by its name or a prefix that only one has. Raises StoreError otherwise."""
        with told(self.url), self._reading() as connection:
            names = list(connection.execute(select(runs.c.name).order_by(runs.c.id)).scalars())
            fits = [name] if name in names else [n for n in names if n.startswith(name)]
            if len(fits) != 1:
                known = ", ".join(names[-8:]) or "none"
                raise StoreError(
                    f"no run '{name}'" if not fits else f"'{name}' fits {len(fits)} runs",
                    hint=f"runs in this store: {known}",
                    path=self.shown,
                )
            return self._info(connection, fits[0])

    # Events

    def append(
        self, run: str, key: Key, new: Sequence[Event], texts: Mapping[str, str] | None = None
    ) -> bool:
        """Store the events of one generation (or of an episode's end: generation 0), all or none.

        `texts` are the raw answers and sources that they name, by sha256. False, and no change,
        when that generation is there already.
        """
        if not new or not key.task:
            raise ValueError("a generation has a task and at least one event")
        with told(self.url):
            try:
                with self._engine.begin() as connection:
                    self.write_texts(connection, texts or {})
                    self._write(connection, run, key, new, first=0)
            except IntegrityError:
                return False
        return True

    def keys(self, run: str) -> frozenset[tuple[str, str, int, int]]:
        """(task, arm, sample, generation) of everything stored; generation 0: episode closed."""
        with told(self.url), self._reading() as connection:
            query = select(events.c.task, events.c.arm, events.c.sample, events.c.generation).where(
                events.c.run_id == self.run_id(connection, run), events.c.seq == 0
            )
            rows = connection.execute(query.where(events.c.task != ""))
            return frozenset((r.task, r.arm, r.sample, r.generation) for r in rows)

    def events(
        self,
        run: str,
        *,
        task: str | None = None,
        arm: str | None = None,
        sample: int | None = None,
    ) -> Iterator[Stored]:
        """Events of a run in order of (task, arm, sample, generation, seq): run events first.

        Raises StoreError for an event that this version can't read.
        """
        for key, seq, payload in self.payloads(run, task=task, arm=arm, sample=sample):
            yield Stored.model_construct(key=key, seq=seq, event=read_event(payload, self.shown))

    def payloads(
        self,
        run: str,
        *,
        task: str | None = None,
        arm: str | None = None,
        sample: int | None = None,
    ) -> Iterator[tuple[Key, int, str]]:
        """Like `events`, with each event as the JSON text that is stored."""
        with told(self.url), self._reading() as connection:
            query = self._ordered(self.run_id(connection, run), task, arm, sample)
            rows = connection.execute(query.execution_options(yield_per=2000))
            for row in rows:
                key = Key.model_construct(
                    task=row.task, arm=row.arm, sample=row.sample, generation=row.generation
                )
                yield key, row.seq, row.payload

    def text(self, sha256: str) -> str | None:
        """A raw answer or source by its key; None when the store does not have it."""
        with told(self.url), self._reading() as connection:
            found = connection.execute(_TEXT, {"key": sha256}).scalar_one_or_none()
            return None if found is None else bytes(found).decode("utf-8", "surrogatepass")

    # For the other modules of this room

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that writes; database errors come out as StoreError."""
        with told(self.url), self._engine.begin() as connection:
            yield connection

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that reads; database errors come out as StoreError."""
        with told(self.url), self._reading() as connection:
            yield connection

    @contextmanager
    def sqlite_connection(self) -> Iterator[sqlite3.Connection | None]:
        """The raw connection, outside a transaction; None when the store is not SQLite."""
        if self._engine.dialect.name != "sqlite":
            yield None
            return
        with told(self.url), closing(self._engine.raw_connection()) as raw:
            connection = raw.driver_connection
            assert isinstance(connection, sqlite3.Connection)
            yield connection

    def forget(self, run: str) -> None:
        """The run is no more."""
        self._ids.pop(run, None)

    # Inside

    def run_id(self, connection: Connection, run: str) -> int:
        """The number of a run. Raises StoreError for an unknown one."""
        if run not in self._ids:
            found = connection.execute(
                select(runs.c.id).where(runs.c.name == run)
            ).scalar_one_or_none()
            if found is None:
                raise StoreError(f"no run '{run}'", hint="`verulaw-gate store info` lists runs")
            self._ids[run] = found
        return self._ids[run]

    def write_texts(self, connection: Connection, new: Mapping[str, str]) -> None:
        """Store texts, each once."""
        if not new:
            return
        # In one order everywhere, or two writers could wait for each other.
        rows = [
            {"sha256": key, "text": new[key].encode("utf-8", "surrogatepass")}
            for key in sorted(new)
        ]
        connection.execute(self._insert_texts, rows)

    def _write(
        self, connection: Connection, run: str, key: Key, new: Sequence[Event], *, first: int
    ) -> None:
        run_id = self.run_id(connection, run)
        rows = [row_of(run_id, key, seq, event) for seq, event in enumerate(new, first)]
        connection.execute(_INSERT_EVENTS, rows)

    def _ordered(
        self, run_id: int, task: str | None, arm: str | None, sample: int | None
    ) -> Select[tuple[object, ...]]:
        query = select(
            events.c.task,
            events.c.arm,
            events.c.sample,
            events.c.generation,
            events.c.seq,
            events.c.payload,
        ).where(events.c.run_id == run_id)
        for column, value in (
            (events.c.task, task),
            (events.c.arm, arm),
            (events.c.sample, sample),
        ):
            if value is not None:
                query = query.where(column == value)
        # By code points on every server: an export has one order, whatever the locale.
        binary = "C" if self._engine.dialect.name == "postgresql" else "BINARY"
        names = (events.c.task.collate(binary), events.c.arm.collate(binary))
        return query.order_by(*names, events.c.sample, events.c.generation, events.c.seq)

    def _run_events(self, connection: Connection, run: str) -> list[Event]:
        query = (
            select(events.c.payload)
            .where(events.c.run_id == self.run_id(connection, run), events.c.task == "")
            .order_by(events.c.seq)
        )
        return [read_event(p, self.url) for p in connection.execute(query).scalars()]

    def _info(self, connection: Connection, run: str) -> RunInfo:
        stored = self._run_events(connection, run)
        if not stored or not isinstance(stored[0], RunStarted):
            raise StoreError(f"run '{run}' has no beginning", hint="it is damaged; prune it")
        closed = next((e for e in stored if isinstance(e, RunClosed)), None)
        return RunInfo(run, stored[0], closed)
