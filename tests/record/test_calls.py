"""The log of calls: what goes in comes out; the estimate of false rejects counts what it says."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verulaw_gate.errors import StoreError
from verulaw_gate.record.calls import Action, Audit, Call, CallLog
from verulaw_gate.record.calls_summary import render, summarise
from verulaw_gate.verus.model import Outcome
from verulaw_gate.verus.receipt import Receipt, read

times = st.none() | st.floats(0, 100)
audits = st.none() | st.builds(
    Audit,
    outcome=st.sampled_from([str(o) for o in Outcome]),
    front_end=st.none() | st.just("vir"),
    exit_code=st.none() | st.integers(-9, 2),
    wall_s=times,
    options=st.just(("--output-json",)),
)
calls = st.builds(
    Call,
    at=st.just("2031-01-01T00:00:00.000+00:00"),
    path=st.text(max_size=8),
    source_sha256=st.sampled_from(["a" * 64, "b" * 64, "c" * 64]),
    options=st.lists(st.text(max_size=5)).map(tuple),
    base=st.just("revision HEAD"),
    action=st.sampled_from(Action),
    family=st.none() | st.sampled_from(["trust", "static"]),
    predictive=st.booleans(),
    findings=st.lists(
        st.tuples(st.sampled_from(["VG301", "VG251"]), st.sampled_from(["error", "warning"]))
    ).map(tuple),
    not_run=st.just(("native",)),
    gate_version=st.just("0.1.0"),
    verus_version=st.just("1"),
    verus=st.none() | st.just("/opt/verus"),
    exit_code=st.none() | st.integers(-15, 2),
    gate_s=times,
    wall_s=times,
    audit_share=st.floats(0, 1),
    audit=audits,
)


@settings(max_examples=30, deadline=None)
@given(st.lists(calls, max_size=6))
def test_calls_come_back_as_they_were_stored(tmp_path_factory, given_calls: list[Call]) -> None:
    with CallLog(str(tmp_path_factory.mktemp("store") / "s.sqlite")) as log:
        for call in given_calls:
            log.add(call)
        assert list(log.calls()) == given_calls


@given(st.lists(calls, max_size=12))
def test_the_estimate_counts_sources_that_verus_was_asked_about(given_calls: list[Call]) -> None:
    found = summarise(given_calls)
    asked: dict[str, str] = {}
    for call in given_calls:
        if call.action == "rejected" and call.predictive and call.audit is not None:
            asked[call.source_sha256] = call.audit.outcome
    decided = [
        o for o in asked.values() if o in ("verified", "proof-failure", "rlimit", "compile-error")
    ]
    assert found.false_rejects == (sum(o != "compile-error" for o in decided), len(decided))
    assert len(found.names) == found.false_rejects[0]
    assert sum(found.actions.values()) == found.calls == len(given_calls)
    assert sum(found.families.values()) == found.audited[1] == found.actions["rejected"]
    text = render(found)
    if not decided:
        assert "each source once: no data (n = 0)" in text


def test_receipts_come_back_once_each(tmp_path: Path) -> None:
    receipt = Receipt("a" * 64, ("--x",), "1", None, None, Outcome.VERIFIED, 3, 0, "results")
    with CallLog(str(tmp_path / "s.sqlite")) as log:
        log.add_receipts([receipt])
        log.add_receipts([receipt])
        assert log.receipts("a" * 64) == (receipt,)
        assert log.receipts("b" * 64) == ()
    assert read(receipt.to_json() + "\n\n" + receipt.to_json()) == (receipt, receipt)


@pytest.mark.parametrize(
    ("made_by", "message"),
    [
        ("create table person(x)", "belongs to another program"),
        ("update verulaw_meta set value = '99' where key = 'schema'", "has schema 99"),
        (None, "no records"),
    ],
)
def test_reading_looks_at_whose_database_it_is(
    tmp_path: Path, made_by: str | None, message: str
) -> None:
    path = tmp_path / "s.sqlite"
    if made_by is None:
        path.touch()
    else:
        if "verulaw_meta" in made_by:
            CallLog(str(path)).close()
        with sqlite3.connect(path) as connection:
            connection.execute(made_by)
    before = path.read_bytes()
    with pytest.raises(StoreError, match=message) as told:
        CallLog(str(path), read_only=True)
    assert told.value.hint
    assert str(told.value.path) == str(path)
    assert path.read_bytes() == before
