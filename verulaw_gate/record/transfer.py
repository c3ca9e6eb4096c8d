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
from verulaw_gate.record.events import EVENT, MAX_COUNT, Key
from verulaw_gate.record.store import Store, sha256_of
from verulaw_gate.record.upkeep import RunWriter, named_texts, new_run
from verulaw_gate.tasks.files import read_json

SCHEMA = "verulaw-gate/run/1"
_HINT = "export the run again"


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
    """Store an exported run, all or nothing, under its own name or another. The lines are taken
    one at a time and never kept.

    Raises LogError (line, hint) for a file that is no export, cut short, or changed; StoreError
    when there is a run of that name.
    """
    reader = _Reader(path)
    rest = iter(lines)
    own = reader.head(next(rest, ""))
    name = run or own
    with new_run(store, name) as writer:
        for number, line in enumerate(rest, 2):
            reader.read(number, line, writer)
        reader.finish()
    return Imported(name, reader.events, reader.texts)


class _Reader:
    """Checks the lines in their order, so that nothing can be there twice."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.events = self.texts = 0
        self.keys: set[Key] = set()
        self.last: tuple[Key, int] | None = None
        self.last_text = ""
        self.ended = False

    def head(self, line: str) -> str:
        if not line:
            raise self._error("the export was cut short: there is nothing in it", None)
        row = self._row(1, line)
        run = row.get("run")
        if row.get("schema") != SCHEMA or not isinstance(run, str):
            raise self._error(f"not an export: schema is {row.get('schema')!r}", 1)
        return run

    def read(self, number: int, line: str, writer: RunWriter) -> None:
        row = self._row(number, line)
        if self.ended:
            raise self._error("a line after the end", number)
        if "event" in row:
            self._event(row, number, writer)
        elif "text" in row:
            self._text(row, number, writer)
        elif "end" in row:
            if row["end"] != {"events": self.events, "texts": self.texts}:
                raise self._error("the end counts other lines than there are", number)
            self.ended = True
        else:
            raise self._error("neither an event nor a text", number)

    def _row(self, number: int, line: str) -> dict[str, Any]:
        # A model may have written half a pair; the store keeps what it wrote.
        row = read_json(line, LogError, hint=_HINT, path=self.path, line=number, half_pairs=True)
        if not isinstance(row, dict):
            raise self._error("not a JSON object", number)
        return row

    def _event(self, row: dict[str, Any], number: int, writer: RunWriter) -> None:
        event = row.pop("event")
        seq = row.pop("seq", None)
        try:
            key = Key.model_validate(row)
            read = EVENT.validate_python(event)
        except ValidationError as problem:
            first = problem.errors()[0]
            where = ".".join(map(str, first["loc"]))
            raise self._error(f"not an event: {where} {first['msg']}", number) from None
        if not isinstance(seq, int) or isinstance(seq, bool) or not 0 <= seq <= MAX_COUNT:
            raise self._error("an event without its seq", number)
        if self.last is None and (key != Key() or read.kind != "run-started"):
            raise self._error("the export has no beginning of a run", number)
        known = key in self.keys
        if known and (self.last is None or key != self.last[0] or seq <= self.last[1]):
            raise self._error("an event that is there already, or not in its place", number)
        self.keys.add(key)
        self.last = (key, seq)
        self.events += 1
        writer.event(key, seq, read)

    def _text(self, row: dict[str, Any], number: int, writer: RunWriter) -> None:
        text, sha256 = row.get("text"), row.get("sha256")
        if not isinstance(text, str) or sha256_of(text) != sha256:
            raise self._error("a text that is not the one its hash names", number)
        if sha256 <= self.last_text:
            raise self._error("a text that is there already, or not in its place", number)
        self.last_text = sha256
        self.texts += 1
        writer.text(sha256, text)

    def finish(self) -> None:
        if not self.ended:
            raise self._error("the export was cut short: its last line is missing", None)
        if self.last is None:
            raise self._error("the export has no beginning of a run", None)

    def _error(self, message: str, number: int | None) -> LogError:
        return LogError(message, hint=_HINT, path=self.path, line=number)
