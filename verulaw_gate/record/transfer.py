"""A run as JSON Lines: export and import, an exact round trip (verulaw-gate/run/1).

    {"schema": "verulaw-gate/run/1", "run": NAME}
    {"task": "", "arm": "", "sample": 0, "generation": 0, "seq": 0, "event": {...}}   every event
    {"sha256": "...", "text": "..."}                                   every text that they name
    {"end": {"events": N, "texts": M}}

Events come in order of (task, arm, sample, generation, seq), texts in order of hash. A file
without its last line was cut short and is refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from verulaw_gate.errors import LogError
from verulaw_gate.record.events import EVENT, Event, Key
from verulaw_gate.record.store import Store, sha256_of
from verulaw_gate.record.upkeep import named_texts, write_run

SCHEMA = "verulaw-gate/run/1"


def export_lines(store: Store, run: str) -> Iterator[str]:
    """The lines of an export, each with its line end. Raises StoreError for an unknown run."""
    name = store.run(run).name
    yield json.dumps({"schema": SCHEMA, "run": name}) + "\n"
    events, named = 0, set[str]()
    for key, seq, payload in store.payloads(name):
        head = json.dumps({**key.model_dump(), "seq": seq})
        # The event goes in as it is stored, byte for byte.
        yield f'{head[:-1]}, "event": {payload}}}\n'
        named |= named_texts([payload])
        events += 1
    texts = 0
    for sha256 in sorted(named):
        text = store.text(sha256)
        if text is not None:
            yield json.dumps({"sha256": sha256, "text": text}) + "\n"
            texts += 1
    yield json.dumps({"end": {"events": events, "texts": texts}}) + "\n"


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import stored."""

    run: str
    events: int
    texts: int


def import_run(
    store: Store, lines: Iterable[str], *, run: str | None = None, path: Path | None = None
) -> Imported:
    """Store an exported run, all or nothing, under its own name or another.

    Raises LogError (line, hint) for a file that is no export, cut short, or changed; StoreError
    when there is a run of that name.
    """
    reader = _Reader(path)
    for number, line in enumerate(lines, 1):
        reader.read(number, line)
    reader.finish()
    name = run or reader.run
    count = write_run(store, name, reader.rows, reader.texts)
    return Imported(name, count, len(reader.texts))


class _Reader:
    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.run = ""
        self.rows: list[tuple[Key, int, Event]] = []
        self.texts: dict[str, str] = {}
        self.seen: set[tuple[object, ...]] = set()
        self.ended = False

    def read(self, number: int, line: str) -> None:
        try:
            row = json.loads(line)
        except json.JSONDecodeError as problem:
            raise self._error(f"not JSON: {problem.msg}", number) from None
        except RecursionError:
            raise self._error("nested too deep", number) from None
        if not isinstance(row, dict):
            raise self._error("not a JSON object", number)
        if number == 1:
            if row.get("schema") != SCHEMA or not isinstance(row.get("run"), str):
                raise self._error(f"not an export: schema is {row.get('schema')!r}", number)
            self.run = row["run"]
        elif self.ended:
            raise self._error("a line after the end", number)
        elif "event" in row:
            self._event(row, number)
        elif "text" in row:
            self._text(row, number)
        elif "end" in row:
            self._end(row["end"], number)
        else:
            raise self._error("neither an event nor a text", number)

    def _event(self, row: dict[str, Any], number: int) -> None:
        event = row.pop("event")
        seq = row.pop("seq", None)
        try:
            key = Key.model_validate(row)
            read = EVENT.validate_python(event)
        except ValidationError as problem:
            first = problem.errors()[0]
            where = ".".join(map(str, first["loc"]))
            raise self._error(f"not an event: {where} {first['msg']}", number) from None
        if not isinstance(seq, int) or isinstance(seq, bool) or seq < 0:
            raise self._error("an event without its seq", number)
        place = (key.task, key.arm, key.sample, key.generation, seq)
        if place in self.seen:
            raise self._error("an event that is there already", number)
        self.seen.add(place)
        self.rows.append((key, seq, read))

    def _text(self, row: dict[str, Any], number: int) -> None:
        text, sha256 = row.get("text"), row.get("sha256")
        if not isinstance(text, str) or sha256_of(text) != sha256:
            raise self._error("a text that is not the one its hash names", number)
        self.texts[sha256] = text

    def _end(self, end: object, number: int) -> None:
        if end != {"events": len(self.rows), "texts": len(self.texts)}:
            raise self._error("the end counts other lines than there are", number)
        self.ended = True

    def finish(self) -> None:
        if not self.ended:
            raise self._error("the export was cut short: its last line is missing", None)
        first = min(self.rows, key=lambda row: (row[0].task, row[1]), default=None)
        if first is None or first[2].kind != "run-started":
            raise self._error("the export has no beginning of a run", None)

    def _error(self, message: str, number: int | None) -> LogError:
        return LogError(message, hint="export the run again", path=self.path, line=number)
