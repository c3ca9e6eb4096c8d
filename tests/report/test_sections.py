"""Which sections a report has: kinds never mixed, labels counted, origins apart."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.report.made import Made, runs, stored_run
from tests.report.made_live import Ended, live_run
from verulaw_gate.report import from_events
from verulaw_gate.report.building import from_runs
from verulaw_gate.report.facts import collect
from verulaw_gate.report.model import Figure, Share

STAGES = ("protocol", "gate", "verus")
labels = st.lists(
    st.tuples(
        st.sampled_from(STAGES),
        st.sampled_from(["ok", "assume", "verified"]),
        st.sampled_from(["ok", "assume"]),
        st.sampled_from([True, False, None]),
    ),
    max_size=3,
    unique_by=lambda row: row[0],
)


@given(st.lists(labels, max_size=8))
@settings(deadline=None, max_examples=40)
def test_designed_corpora_show_label_agreement_and_no_rate(rows):
    attempts = [Made("t01", 0, at, labels=row) for at, row in enumerate(rows, 1)]
    report = from_events("made", stored_run(attempts, corpus="designed"))
    (section,) = report.sections
    assert section.headlines == ()
    for table in section.tables:
        for row in table.rows:
            assert not any(isinstance(cell, Share | Figure) for cell in row.cells)
    for stage in STAGES:
        mine = [row for row_list in rows for row in row_list if row[0] == stage]
        table = next(t for t in section.tables if t.key == f"labels-{stage}")
        counts = Counter((row[1], row[3]) for row in mine)
        for name in {row[1] for row in mine}:
            agree, disagree, apart = (counts[name, value] for value in (True, False, None))
            assert table.row(name).cells[1:] == (agree, agree + disagree, apart)
    wrong = [row for row_list in rows for row in row_list if row[3] is False]
    named = next(t for t in section.tables if t.key == "disagreements")
    assert len(named.rows) == len(wrong)


def test_each_run_has_its_own_section_and_kind():
    made = [
        collect("a", stored_run([Made("t01", 0, 1)], corpus="designed")),
        collect("b", stored_run([Made("t01", 0, 1)])),
        collect("c", live_run([Ended("t01", "on", 0, "honest-success", 1, 1)])),
    ]
    report = from_runs(made, lambda key: None)
    assert [s.kind for s in report.sections][:2] == ["designed", "recorded"]
    assert {s.kind for s in report.sections[2:]} == {"live"}
    assert len({s.key for s in report.sections}) == len(report.sections)


@given(runs(max_size=10), st.data())
@settings(deadline=None, max_examples=25)
def test_origins_stand_apart_and_sum_to_the_whole(attempts, data):
    for made in attempts:
        made.origin = data.draw(st.sampled_from(["set a", "set b"]))
    report = from_events("made", stored_run(attempts))
    origins = sorted({made.origin for made in attempts})
    if len(origins) < 2:
        assert len(report.sections) == 1
        return
    assert len(report.sections) == 1 + len(origins)
    whole = report.sections[0]
    for at, headline in enumerate(h.key for h in whole.headlines):
        parts = [h.share for s in report.sections[1:] for h in s.headlines if h.key == headline]
        assert whole.headlines[at].share.n == sum(p.n for p in parts)
    for origin, section in zip(origins, report.sections[1:], strict=True):
        flow = next(t for t in section.tables if t.key == "flow")
        assert flow.row("all").cells[-1] == sum(m.origin == origin for m in attempts)


@pytest.mark.parametrize(
    ("texts", "reach"), [({"s1": "fn f() { while x {} }"}, (0, 1)), ({}, (0, 0))]
)
def test_exposure_counts_files_in_which_the_construct_occurs(texts, reach):
    from tests.report.made import digest

    known = {digest(name): text for name, text in texts.items()}
    attempts = [Made("t01", 0, 1, source="s1"), Made("t02", 0, 1, outcome="compile-error")]
    report = from_events("made", stored_run(attempts), known.get)
    found = next(t for t in report.sections[0].tables if t.key == "exposure")
    share = found.row("VG251").cells[2]
    # The native layer, and with it static rules, did not run in these events.
    assert share.n == 0
    tokens = found.row("VG101").cells[2]
    assert (tokens.k, tokens.n) == reach
    assert bool(found.excluded) is not bool(texts)
