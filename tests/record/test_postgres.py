"""The store on a real PostgreSQL server, which scripts/with_postgres.sh starts."""

from __future__ import annotations

import os
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from verulaw_gate.cli.main import main
from verulaw_gate.errors import StoreError
from verulaw_gate.record import Key, Store, sha256_of, upkeep
from verulaw_gate.record.events import Disposition, Generation, GenerationClosed
from verulaw_gate.record.transfer import export_lines, import_run

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "experiment")]
from test_upkeep import STARTED, fill, write_from_processes  # noqa: E402

SERVER = os.environ.get("VERULAW_POSTGRES", "")
pytestmark = [
    pytest.mark.postgres,
    pytest.mark.skipif(
        not SERVER,
        reason="no PostgreSQL server: VERULAW_POSTGRES is not set (use scripts/with_postgres.sh)",
    ),
]


@pytest.fixture
def url() -> Iterator[str]:
    """A database of its own on the server."""
    import psycopg

    name = f"t{uuid.uuid4().hex}"
    with psycopg.connect(SERVER, autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}")
    yield SERVER.rpartition("/")[0] + "/" + name
    with psycopg.connect(SERVER, autocommit=True) as admin:
        admin.execute(f"DROP DATABASE {name} WITH (FORCE)")


def test_once_or_not_at_all(url: str) -> None:
    with Store(url) as store:
        store.start_run("r", STARTED)
        events = [
            Generation(text_sha256=sha256_of("a\0b"), origin="\0"),
            GenerationClosed(disposition=Disposition.RECORDED),
        ]
        key = Key(task="t\0ä", arm="a", generation=1)
        with pytest.raises(StoreError):
            store.append("r", key, events)
        key = Key(task="tä", arm="a", generation=1)
        assert store.append("r", key, events, {sha256_of("a\0b"): "a\0b"})
        assert not store.append("r", key, events)
        assert store.text(sha256_of("a\0b")) == "a\0b"
        assert [s.event for s in store.events("r") if s.key.task] == events
        assert not store.start_run("r", STARTED)


def test_many_processes_write_at_once(url: str) -> None:
    write_from_processes(url)


def test_transfer_between_kinds_of_store_is_exact(url: str, tmp_path: Path) -> None:
    texts = ["one", "two\0", "ü\u2028"]
    with Store(url) as server, Store(str(tmp_path / "s.sqlite")) as file:
        fill(server, "r", texts)
        fill(server, "other", ["two\0"])
        lines = list(export_lines(server, "r"))
        import_run(file, lines)
        assert list(export_lines(file, "r")) == lines
        import_run(server, export_lines(file, "r"), run="back")
        assert list(server.payloads("back")) == list(server.payloads("r"))
        assert upkeep.delete_run(server, "r") == 8
        assert upkeep.delete_run(server, "back") == 8
        assert server.text(sha256_of("one")) is None
        assert server.text(sha256_of("two\0")) == "two\0"
        upkeep.shrink(server)
        assert upkeep.sizes(server) == {"runs": 1, "events": 4, "texts": 1}
        with pytest.raises(StoreError, match="backed up by its server"):
            upkeep.backup(server, tmp_path / "b")


def test_read_only_writes_nothing(url: str) -> None:
    with Store(url) as store:
        fill(store, "r", ["one"])
    with Store(url, read_only=True) as reader:
        assert reader.run("r").closed is not None
        with pytest.raises(StoreError, match="read-only"):
            fill(reader, "q", [])


def test_older_is_upgraded_and_newer_refused(url: str) -> None:
    import psycopg

    with Store(url) as store:
        fill(store, "r", ["one"])
    with psycopg.connect(url, autocommit=True) as db:
        db.execute("DROP TABLE verulaw_calls, verulaw_receipts")
        db.execute("UPDATE verulaw_meta SET value='1' WHERE key='schema'")
    with pytest.raises(StoreError, match="older schema 1"):
        Store(url, read_only=True)
    with Store(url) as store:
        assert store.run("r").name == "r"
    with psycopg.connect(url, autocommit=True) as db:
        assert db.execute("SELECT count(*) FROM verulaw_receipts").fetchone() == (0,)
        db.execute("UPDATE verulaw_meta SET value='99' WHERE key='schema'")
    for read_only in (True, False):
        with pytest.raises(StoreError, match="schema 99"):
            Store(url, read_only=read_only)


def test_no_server_is_one_clear_error_without_the_password() -> None:
    with pytest.raises(StoreError) as told:
        Store("postgresql://me:secret@127.0.0.1:1/none")
    assert "secret" not in str(told.value) + told.value.hint
    assert told.value.hint


def test_replay_and_report_are_those_of_sqlite(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from verulaw_gate.data import corpora_dir

    logs = [str(p) for p in sorted(corpora_dir().glob("proof-protocol-a.jsonl"))]
    file = str(tmp_path / "s.sqlite")
    for store in (url, file):
        command = ["replay", *logs, "--no-times", "--run", "r", "--store", store]
        assert main(command) == 0
    capsys.readouterr()
    with Store(url, read_only=True) as server, Store(file, read_only=True) as local:
        assert [p for p in server.payloads("r") if p[0].task] == [
            p for p in local.payloads("r") if p[0].task
        ]
    reports = []
    for store in (url, file):
        assert main(["report", "r", "--store", store]) == 0
        reports.append(capsys.readouterr().out)
    assert reports[0] == reports[1]


def test_runners_on_one_server(url: str, tmp_path: Path) -> None:
    """Two runners with two worker processes each on one server: everything once."""
    from test_runner import PLAN, content, quiet, start

    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN[: PLAN.index('[[arms]]\nname = "chance"')])
    both = [start(plan, url, "processes") for _ in range(2)]
    for process in both:
        _, errors = process.communicate(timeout=300)
        assert process.returncode == 0, errors.decode()
    assert content(url) == quiet(plan, tmp_path)


def test_an_import_never_mixes_with_a_run_that_is_there(url: str) -> None:
    with Store(url) as store:
        fill(store, "r", ["one"])
        fill(store, "other", ["two", "three"])
        before = list(store.payloads("r"))
        lines = list(export_lines(store, "other"))
        with pytest.raises(StoreError, match="already"):
            import_run(store, lines, run="r")
        assert list(store.payloads("r")) == before


def test_the_order_of_an_export_is_that_of_any_server(tmp_path: Path) -> None:
    """A server that sorts by a language's rules gives the same bytes as SQLite."""
    import psycopg

    from verulaw_gate.record import Key
    from verulaw_gate.record.events import Disposition, GenerationClosed

    name = f"t{uuid.uuid4().hex}"
    with psycopg.connect(SERVER, autocommit=True) as admin:
        try:
            admin.execute(
                f"CREATE DATABASE {name} LOCALE_PROVIDER icu ICU_LOCALE 'en-US' TEMPLATE template0"
            )
        except psycopg.Error as problem:
            pytest.skip(f"this server has no ICU locales: {problem}")
    try:
        found = []
        for where in (SERVER.rpartition("/")[0] + "/" + name, str(tmp_path / "s.sqlite")):
            with Store(where) as store:
                store.start_run("r", STARTED)
                for task in ("b", "B", "a-b", "ab", "ä", "a b", "_a", "A"):
                    key = Key(task=task, arm="a", generation=1)
                    store.append("r", key, [GenerationClosed(disposition=Disposition.RECORDED)])
                found.append(list(export_lines(store, "r")))
        assert found[0] == found[1]
    finally:
        with psycopg.connect(SERVER, autocommit=True) as admin:
            admin.execute(f"DROP DATABASE {name} WITH (FORCE)")
