"""The store: once or not at all, whoever writes and whenever it is killed."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from verulaw_gate.errors import StoreError
from verulaw_gate.record import EVENT, Key, Store, sha256_of
from verulaw_gate.record.events import (
    Arm,
    ArmKind,
    Corpus,
    Disposition,
    Environment,
    Generation,
    GenerationClosed,
    RunClosed,
    RunResumed,
    RunStarted,
)


def started(**changes: object) -> RunStarted:
    fields = {
        "corpus": Corpus.RECORDED,
        "corpus_name": "log",
        "corpus_sha256": "c" * 64,
        "arms": (Arm(name="replay", kind=ArmKind.REPLAY),),
        "config_sha256": "d" * 64,
        "protocol": "proof",
        "protocol_sha256": "e" * 64,
        "environment": Environment(package="1", python="3", platform="p", machine="m"),
    }
    return RunStarted(**{**fields, **changes})  # type: ignore[arg-type]


def generation(text: str = "x") -> list[object]:
    return [
        Generation(text_sha256=sha256_of(text), chars=len(text)),
        GenerationClosed(disposition=Disposition.RECORDED),
    ]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store(str(tmp_path / "s.sqlite"))
    store.start_run("r", started())
    return store


def test_a_generation_is_stored_once(store: Store) -> None:
    key = Key(task="t", arm="replay", sample=0, generation=1)
    assert store.append("r", key, generation(), {sha256_of("x"): "x"})
    assert not store.append("r", key, generation("another"))
    stored = [s for s in store.events("r") if s.key.task]
    assert [s.event for s in stored] == generation()
    assert [s.seq for s in stored] == [0, 1]
    assert store.keys("r") == {("t", "replay", 0, 1)}
    assert store.text(sha256_of("x")) == "x"
    assert store.text(sha256_of("another")) is None


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(text=st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_any_text_comes_back(store: Store, text: str) -> None:
    key = Key(task="t", arm="a", generation=1 + abs(hash(text)) % 10**8)
    store.append("r", key, generation(text), {sha256_of(text): text})
    assert store.text(sha256_of(text)) == text


def test_a_run_goes_on_only_with_the_same_input(store: Store) -> None:
    assert not store.start_run("r", started())
    with pytest.raises(StoreError, match="another corpus sha256"):
        store.start_run("r", started(corpus_sha256="0" * 64))
    with pytest.raises(StoreError, match="another config sha256"):
        store.start_run("r", started(config_sha256="0" * 64))
    assert len(list(store.events("r"))) == 1


def test_another_environment_is_told_once(store: Store) -> None:
    other = Environment(package="2", python="3", platform="p", machine="m")
    for _ in range(2):
        store.start_run("r", started(environment=other))
    kinds = [s.event.kind for s in store.events("r")]
    assert kinds == ["run-started", "run-resumed"]
    assert [s.event for s in store.events("r")][1] == RunResumed(environment=other)


def test_close_once(store: Store) -> None:
    closed = RunClosed(episodes=1, generations=1)
    assert store.run("r").closed is None
    assert store.close_run("r", closed)
    assert not store.close_run("r", closed)
    assert store.run("r").closed == closed


def test_unknown_run_names_the_known(store: Store) -> None:
    with pytest.raises(StoreError) as told:
        store.run("z")
    assert "r" in told.value.hint


def test_read_only_sees_what_is_written_and_writes_nothing(store: Store) -> None:
    reader = Store(store.url, read_only=True)
    store.append("r", Key(task="t", arm="a", generation=1), generation())
    assert len(reader.keys("r")) == 1
    with pytest.raises(StoreError):
        reader.append("r", Key(task="t", arm="a", generation=2), generation())


def test_read_only_in_a_folder_that_can_not_be_written(store: Store, tmp_path: Path) -> None:
    store.close()
    folder = tmp_path / "ro"
    folder.mkdir()
    (folder / "s.sqlite").write_bytes(Path(store.url).read_bytes())
    folder.chmod(0o555)
    try:
        with Store(str(folder / "s.sqlite"), read_only=True) as reader:
            assert reader.run("r").name == "r"
    finally:
        folder.chmod(0o755)


def test_files_that_are_no_store(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("not a database, but long enough to look at" * 50)
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as db:
        db.execute("create table albums (name)")
    for path, sign in ((text, "not a database"), (other, "albums"), (tmp_path, "folder")):
        for read_only in (False, True):
            with pytest.raises(StoreError, match=sign):
                Store(str(path), read_only=read_only)
    assert text.read_text().startswith("not a database")
    with pytest.raises(StoreError, match="no such store"):
        Store(str(tmp_path / "none"), read_only=True)
    with pytest.raises(StoreError, match="does not exist"):
        Store(str(tmp_path / "no" / "none"))
    with pytest.raises(StoreError, match="no kind of store"):
        Store("mysql://localhost/x")


def test_newer_schema_is_refused_and_left_alone(store: Store) -> None:
    store.close()
    with sqlite3.connect(store.url) as db:
        db.execute("update verulaw_meta set value='999' where key='schema'")
    for read_only in (False, True):
        with pytest.raises(StoreError, match="schema 999"):
            Store(store.url, read_only=read_only)


def test_no_space_is_one_error_and_nothing_is_lost(store: Store) -> None:
    pages = sqlite3.connect(store.url).execute("pragma page_count").fetchone()[0]
    from sqlalchemy import event

    @event.listens_for(store._engine, "begin")
    def full(connection: object) -> None:
        connection.exec_driver_sql(f"PRAGMA max_page_count={pages + 4}")  # type: ignore[attr-defined]

    kept = []

    def fill() -> None:
        for number in range(1, 1000):
            text = f"{number} " * 500
            key = Key(task="t", arm="a", generation=number)
            kept.append(store.append("r", key, generation(text), {sha256_of(text): text}))

    with pytest.raises(StoreError, match="full") as told:
        fill()
    assert "space" in told.value.hint
    assert 0 < len(kept) == len(store.keys("r"))


def test_an_unknown_event_is_one_error(store: Store) -> None:
    with sqlite3.connect(store.url) as db:
        db.execute('update verulaw_events set payload=\'{"kind":"dream"}\'')
    with pytest.raises(StoreError, match="can't be read"):
        list(store.events("r"))


def test_json_round_trip_is_exact() -> None:
    event = Generation(seconds=0.1 + 0.2, cost_usd=1e-300, text_sha256=None)
    assert EVENT.validate_json(event.model_dump_json()) == event
