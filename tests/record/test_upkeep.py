"""Export and import, upgrade, prune, backup, many writers."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from verulaw_gate.cli.main import main
from verulaw_gate.errors import LogError, StoreError
from verulaw_gate.record import Key, Store, sha256_of, upkeep
from verulaw_gate.record.events import (
    Arm,
    ArmKind,
    Corpus,
    Disposition,
    Environment,
    Generation,
    GenerationClosed,
    RunClosed,
    RunStarted,
)
from verulaw_gate.record.schema import SCHEMA_VERSION
from verulaw_gate.record.transfer import export_lines, import_run

STARTED = RunStarted(
    corpus=Corpus.RECORDED,
    corpus_name="log",
    corpus_sha256="c" * 64,
    arms=(Arm(name="replay", kind=ArmKind.REPLAY),),
    config_sha256="d" * 64,
    protocol="proof",
    protocol_sha256="e" * 64,
    environment=Environment(package="1", python="3", platform="p", machine="m"),
)


def fill(store: Store, run: str, texts: list[str]) -> None:
    store.start_run(run, STARTED)
    for number, text in enumerate(texts, 1):
        events = [
            Generation(text_sha256=sha256_of(text), chars=len(text), seconds=number / 7),
            GenerationClosed(disposition=Disposition.RECORDED),
        ]
        store.append(
            run, Key(task="t\u2028ä", arm="a", generation=number), events, {sha256_of(text): text}
        )
    store.close_run(run, RunClosed(episodes=0, generations=len(texts)))


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=30
)
@given(texts=st.lists(st.text(max_size=20), max_size=5))
def test_export_and_import_are_exact(tmp_path_factory: pytest.TempPathFactory, texts) -> None:
    folder = tmp_path_factory.mktemp("x")
    with Store(str(folder / "a.sqlite")) as one, Store(str(folder / "b.sqlite")) as two:
        fill(one, "r", texts)
        lines = list(export_lines(one, "r"))
        done = import_run(two, "".join(lines).removesuffix("\n").split("\n"))
        assert (done.run, done.texts) == ("r", len(set(texts)))
        assert list(export_lines(two, "r")) == lines
        assert list(two.payloads("r")) == list(one.payloads("r"))
        assert all(two.text(sha256_of(t)) == t for t in texts)


def exported(tmp_path: Path) -> list[str]:
    with Store(str(tmp_path / "a.sqlite")) as store:
        fill(store, "r", ["one", "two"])
        return list(export_lines(store, "r"))


@pytest.mark.parametrize(
    ("spoil", "sign"),
    [
        (lambda x: x[:-1], "cut short"),
        (lambda x: x[1:], "not an export"),
        (lambda x: x[:2] + x[3:], "counts other lines"),
        (lambda x: [x[0], x[1], x[1], *x[2:]], "there already"),
        (lambda x: [*x, x[1]], "after the end"),
        (lambda x: [line.replace('"one"', '"on"') for line in x], "not the one its hash"),
        (lambda x: [line.replace('"generation-closed"', '"g"') for line in x], "not an event"),
        (lambda x: [line.replace('"v":1', '"v":9') for line in x], "not an event"),
        (lambda x: [x[0], "{", *x[1:]], "not JSON"),
        (lambda x: [x[0], "{}", *x[1:]], "neither"),
        (lambda x: [], "cut short"),
    ],
)
def test_a_spoilt_export_is_refused_whole(tmp_path: Path, spoil, sign: str) -> None:
    lines = spoil(exported(tmp_path))
    with Store(str(tmp_path / "b.sqlite")) as store:
        with pytest.raises(LogError, match=sign):
            import_run(store, lines, path=Path("x.jsonl"))
        assert store.runs() == ()


def test_import_never_mixes_with_a_run_that_is_there(tmp_path: Path) -> None:
    lines = exported(tmp_path)
    with Store(str(tmp_path / "a.sqlite")) as store:
        before = list(store.payloads("r"))
        with pytest.raises(StoreError, match="already"):
            import_run(store, lines)
        assert list(store.payloads("r")) == before
        assert import_run(store, lines, run="again").run == "again"
        assert list(store.payloads("again")) == before


def test_prune_keeps_what_others_name(tmp_path: Path) -> None:
    with Store(str(tmp_path / "a.sqlite")) as store:
        fill(store, "r", ["shared", "mine"])
        fill(store, "q", ["shared", "yours"])
        assert upkeep.delete_run(store, "r") == 6
        upkeep.shrink(store)
        assert [i.name for i in store.runs()] == ["q"]
        assert store.text(sha256_of("shared")) == "shared"
        assert store.text(sha256_of("mine")) is None
        fill(store, "r", ["mine"])
        assert store.text(sha256_of("mine")) == "mine"


def test_backup_is_a_store(tmp_path: Path) -> None:
    with Store(str(tmp_path / "a.sqlite")) as store:
        fill(store, "r", ["one"])
        upkeep.backup(store, tmp_path / "b.sqlite")
        with Store(str(tmp_path / "b.sqlite"), read_only=True) as copy:
            assert list(export_lines(copy, "r")) == list(export_lines(store, "r"))
        with pytest.raises(StoreError, match="there already"):
            upkeep.backup(store, tmp_path / "b.sqlite")


OLD_TABLES = """
CREATE TABLE verulaw_meta (key VARCHAR(40) NOT NULL, value VARCHAR(200) NOT NULL,
 PRIMARY KEY (key));
CREATE TABLE verulaw_runs (id INTEGER NOT NULL, name VARCHAR(200) NOT NULL, PRIMARY KEY (id),
 UNIQUE (name));
CREATE TABLE verulaw_texts (sha256 VARCHAR(64) NOT NULL, text BLOB NOT NULL, PRIMARY KEY (sha256));
CREATE TABLE verulaw_events (id INTEGER NOT NULL, run_id INTEGER NOT NULL, task VARCHAR(200) NOT
 NULL, arm VARCHAR(100) NOT NULL, sample INTEGER NOT NULL, generation INTEGER NOT NULL, seq INTEGER
 NOT NULL, kind VARCHAR(30) NOT NULL, payload TEXT NOT NULL, PRIMARY KEY (id), CONSTRAINT
 verulaw_place UNIQUE (run_id, task, arm, sample, generation, seq), FOREIGN KEY(run_id) REFERENCES
 verulaw_runs (id));
INSERT INTO verulaw_meta VALUES ('application', 'verulaw-gate'), ('schema', '1');
INSERT INTO verulaw_runs VALUES (1, 'old');
"""


def test_a_store_of_schema_1_is_upgraded_and_keeps_its_runs(tmp_path: Path) -> None:
    path = tmp_path / "old.sqlite"
    with sqlite3.connect(path) as db:
        db.executescript(OLD_TABLES)
        db.execute(
            "insert into verulaw_events values (1, 1, '', '', 0, 0, 0, 'run-started', ?)",
            (STARTED.model_dump_json(),),
        )
    with pytest.raises(StoreError, match="older schema 1") as told:
        Store(str(path), read_only=True)
    assert "store upgrade" in told.value.hint
    assert main(["store", "upgrade", "--store", str(path)]) == 0
    with Store(str(path), read_only=True) as store:
        assert store.run("old").started == STARTED
    with sqlite3.connect(path) as db:
        tables = {row[0] for row in db.execute("select name from sqlite_master")}
        version = db.execute("select value from verulaw_meta where key='schema'").fetchone()
    assert {"verulaw_calls", "verulaw_receipts"} <= tables
    assert version == (str(SCHEMA_VERSION),)


def test_an_upgrade_that_fails_leaves_the_old_store(tmp_path: Path, monkeypatch) -> None:
    from verulaw_gate.record import migrate

    path = tmp_path / "old.sqlite"
    with sqlite3.connect(path) as db:
        db.executescript(OLD_TABLES)

    def broken(connection) -> None:
        migrate._add_calls(connection)
        raise StoreError("no")

    monkeypatch.setitem(migrate.STEPS, 1, broken)
    with pytest.raises(StoreError):
        Store(str(path))
    with sqlite3.connect(path) as db:
        assert db.execute("select value from verulaw_meta where key='schema'").fetchone() == ("1",)
        names = {row[0] for row in db.execute("select name from sqlite_master")}
    assert "verulaw_calls" not in names


WRITER = """
import sys
from verulaw_gate.record import Key, Store, sha256_of
from verulaw_gate.record.events import Disposition, Generation, GenerationClosed
sys.path.insert(0, sys.argv[2])
from test_upkeep import STARTED
url, me = sys.argv[1], int(sys.argv[3])
with Store(url) as store:
    store.start_run("r", STARTED)
    mine = 0
    for number in range(1, 41):
        text = f"text {number % 5}"
        events = [Generation(text_sha256=sha256_of(text), origin=str(me)),
                  GenerationClosed(disposition=Disposition.RECORDED)]
        key = Key(task="t", arm="a", generation=number)
        mine += store.append("r", key, events, {sha256_of(text): text})
        key = Key(task="t", arm=f"own{me}", generation=number)
        store.append("r", key, events, {sha256_of(text): text})
print(mine)
"""


def write_from_processes(url: str, writers: int = 4) -> None:
    """Processes that write the same generations and some of their own."""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    here = str(Path(__file__).parent)
    running = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, url, here, str(me)],
            env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for me in range(writers)
    ]  # fmt: skip
    stored = 0
    for process in running:
        out, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors
        stored += int(out)
    assert stored == 40, "each shared generation is stored by one writer"
    with Store(url, read_only=True) as store:
        assert len(store.keys("r")) == 40 * (writers + 1)
        started = [s for s in store.events("r") if s.event.kind == "run-started"]
        assert len(started) == 1
        for stored_event in store.events("r", arm="a"):
            assert stored_event.seq in (0, 1)


def test_many_processes_write_at_once(tmp_path: Path) -> None:
    write_from_processes(str(tmp_path / "s.sqlite"))


def test_verbs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    url = str(tmp_path / "a.sqlite")
    with Store(url) as store:
        fill(store, "first-run", ["one"])
    out = tmp_path / "run.jsonl"
    assert main(["export", "first", "--store", url, "--output", str(out)]) == 0
    assert json.loads(out.read_text().splitlines()[0])["run"] == "first-run"
    assert main(["import", str(out), "--store", url]) == 2
    assert main(["import", str(out), "--store", url, "--run", "second"]) == 0
    assert main(["store", "info", "--store", url]) == 0
    assert "first-run: recorded" in capsys.readouterr().out
    assert main(["store", "prune", "first", "--store", url]) == 2
    assert main(["store", "prune", "first-run", "--store", url]) == 0
    assert main(["store", "backup", str(tmp_path / "b.sqlite"), "--store", url]) == 0
    with Store(str(tmp_path / "b.sqlite"), read_only=True) as store:
        assert [i.name for i in store.runs()] == ["second"]
