"""Import takes a run line by line: flat memory, one order, nothing half written."""

from __future__ import annotations

import itertools
import json
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.record.test_upkeep import STARTED, exported
from verulaw_gate.errors import LogError, StoreError
from verulaw_gate.record import Store, sha256_of
from verulaw_gate.record.transfer import import_run

MEGABYTE = 1024 * 1024


def large(texts: int) -> Iterator[str]:
    """An export with so many texts of a megabyte, made as it is read."""
    yield json.dumps({"schema": "verulaw-gate/run/1", "run": "large"})
    place = {"task": "", "arm": "", "sample": 0, "generation": 0, "seq": 0}
    yield json.dumps({**place, "event": json.loads(STARTED.model_dump_json())})
    bodies = (str(n).rjust(MEGABYTE) for n in range(texts))
    for sha256, n in sorted((sha256_of(body), n) for n, body in enumerate(bodies)):
        yield json.dumps({"sha256": sha256, "text": str(n).rjust(MEGABYTE)})
    yield json.dumps({"end": {"events": 1, "texts": texts}})


def test_memory_does_not_grow_with_the_run(tmp_path: Path) -> None:
    with Store(str(tmp_path / "a.sqlite")) as store:
        tracemalloc.start()
        try:
            assert import_run(store, large(80)).texts == 80
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert peak < 40 * MEGABYTE


@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_lines_in_another_order_are_refused_whole(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("x")
    lines = exported(folder)
    moved = data.draw(st.permutations(lines))
    with Store(str(folder / "b.sqlite")) as store:
        keys = [k for line in moved if (k := _key(line)) is not None]
        fine = (
            moved[0] == lines[0]
            and moved[1] == lines[1]
            and moved[-1] == lines[-1]
            and [_text(line) for line in moved] == [_text(line) for line in lines]
            and _contiguous(keys)
        )
        if fine:
            import_run(store, moved)
            return
        with pytest.raises(LogError):
            import_run(store, moved)
        assert store.runs() == ()


def _key(line: str) -> tuple[object, ...] | None:
    row = json.loads(line)
    if "event" not in row:
        return None
    return tuple(row[n] for n in ("task", "arm", "sample", "generation", "seq"))


def _text(line: str) -> str | None:
    return json.loads(line).get("sha256")


def _contiguous(keys: list[tuple[object, ...]]) -> bool:
    places = [key[:-1] for key in keys]
    runs = [p for at, p in enumerate(places) if at == 0 or places[at - 1] != p]
    rising = all(a[:-1] != b[:-1] or a[-1] < b[-1] for a, b in itertools.pairwise(keys))
    return len(runs) == len(set(runs)) and rising


@pytest.mark.parametrize("name", ["sample", "generation", "seq"])
def test_numbers_that_no_store_holds_are_one_error(tmp_path: Path, name: str) -> None:
    lines = exported(tmp_path)
    row = json.loads(lines[-5])
    lines[-5] = json.dumps({**row, name: 10**30})
    with Store(str(tmp_path / "b.sqlite")) as store:
        with pytest.raises(LogError) as told:
            import_run(store, lines)
        assert told.value.line == len(lines) - 4
        assert store.runs() == ()


def test_half_of_a_pair_that_a_model_wrote_comes_through(tmp_path: Path) -> None:
    from tests.record.test_upkeep import fill
    from verulaw_gate.record.transfer import export_lines

    with Store(str(tmp_path / "a.sqlite")) as one, Store(str(tmp_path / "b.sqlite")) as two:
        fill(one, "r", ["a\udc80b"])
        lines = list(export_lines(one, "r"))
        import_run(two, lines)
        assert list(export_lines(two, "r")) == lines


@pytest.mark.parametrize("name", ["", "a\nb", "a\0", "x" * 201, "\u202e"])
def test_names_that_no_list_can_show_are_refused(tmp_path: Path, name: str) -> None:
    lines = exported(tmp_path)
    lines[0] = json.dumps({"schema": "verulaw-gate/run/1", "run": name})
    with Store(str(tmp_path / "b.sqlite")) as store:
        with pytest.raises(StoreError, match="no name of a run"):
            import_run(store, lines)
        with pytest.raises(StoreError, match="no name of a run"):
            store.start_run(name, STARTED)
        assert store.runs() == ()
