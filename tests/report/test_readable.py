"""Reports that can be read: 100 columns, nothing said twice, loops under their own origin."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from tests.report.made import Made, stored_run
from verulaw_gate.record import events as ev
from verulaw_gate.report import RENDERERS, building
from verulaw_gate.report.grid import grid
from verulaw_gate.report.model import Row, Table
from verulaw_gate.report.statistics import Share


@st.composite
def shares(draw: st.DrawFn) -> Share:
    n = draw(st.integers(0, 999))
    return Share(draw(st.integers(0, n)), n)


@given(st.lists(st.tuples(shares(), shares(), shares()), min_size=1, max_size=4))
def test_three_shares_and_a_name_fit_into_a_hundred_columns(rows) -> None:
    """The intervals go below their figures where they must, whole."""
    table = Table(
        key="k",
        title="t",
        columns=("code", "name", "front end refused", "error on the line", "of that kind"),
        rows=tuple(
            Row(str(n), ("VG251", "loop-without-decreases", *r)) for n, r in enumerate(rows)
        ),
        denominator="d",
    )
    lines = grid(table, 98)
    assert max(map(len, lines)) <= 98
    shown = Counter(" ".join(lines).replace(",", " ").split())
    for row in rows:
        for share in row:
            assert shown[f"{share.k}/{share.n}"] >= 1


def test_a_figure_and_its_interval_stay_whole_below_one_another() -> None:
    table = Table(
        key="k", title="t", columns=("name", "a", "b"),
        rows=(Row("r", ("abcdefghijklmn", Share(26, 26), Share(1, 27))),), denominator="d",
    )  # fmt: skip
    lines = grid(table, 48)
    assert [line.split() for line in lines[2:]] == [
        ["abcdefghijklmn", "26/26", "100.0", "%", "1/27", "3.7", "%"],
        ["[87.1,", "100.0]", "[0.7,", "18.3]"],
    ]


def test_a_designed_corpus_says_once_that_it_has_no_rates() -> None:
    from verulaw_gate.experiment.corpora import DesignedCorpus
    from verulaw_gate.tasks import load_suite

    notes = DesignedCorpus(load_suite()[:1]).notes
    made = [Made("t1", 0, 1, labels=[("protocol", "ok", "ok", True)])]
    events = stored_run(made, "designed", notes=notes)
    text = RENDERERS["terminal"](building.from_events("r", events))
    assert text.count("no rates") + text.count("agreement only") == 1


def test_a_loop_of_two_origins_is_counted_under_none() -> None:
    made = [
        Made("t1", 0, 1, origin="a"),
        Made("t1", 0, 2, origin="b"),
        Made("t2", 0, 1, origin="a"),
        Made("t3", 0, 1, origin="b"),
    ]
    rows = stored_run(made)
    for task, executions in (("t1", 50), ("t2", 3), ("t3", 5)):
        end = ev.EpisodeClosed(
            result="censored", censored_by="log-ended", generations=1, executions=executions
        )
        key = ev.Key(task=task, arm="replay", sample=0, generation=0)
        rows.append(ev.Stored(key=key, seq=0, event=end))
    sections = building.from_events("r", rows).sections
    assert [s.title for s in sections[1:]] == ["Recorded: a", "Recorded: b"]
    for section, executions in zip(sections[1:], (3, 5), strict=True):
        endings = next(t for t in section.tables if t.key == "endings")
        costs = next(t for t in section.tables if t.key == "costs")
        assert endings.rows[0].cells[1] == 1
        assert costs.rows[0].cells[2].value == executions
        for table in (endings, costs):
            assert any(text.startswith("1 loops that have") for text in table.excluded)
