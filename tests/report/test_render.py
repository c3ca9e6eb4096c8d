"""Four formats of one report: same figures, nothing cut, nothing loaded, nothing unescaped."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.report.made import Made, runs, stored_run
from tests.report.made_live import Ended, live_run
from verulaw_gate.report import RENDERERS, formatting, from_events
from verulaw_gate.report.grid import grid
from verulaw_gate.report.model import Figure, Plot, Row, Series, Share, Table
from verulaw_gate.report.statistics import Interval
from verulaw_gate.report.svg import step_plot

NASTY = "<script>alert('x')</script> | `a` *b* [c](d) & \"e\"\nnext"


def nasty_report():
    attempts = [
        Made("t<b>|01", 0, 1, outcome="proof-failure", message=NASTY),
        Made("t02", 0, 1, source_codes=("VG101",)),
    ]
    return from_events("made", stored_run(attempts, corpus_name=NASTY, notes=(NASTY,)))


@pytest.mark.parametrize("name", sorted(RENDERERS))
def test_every_format_is_the_same_byte_for_byte(name):
    first, second = (RENDERERS[name](nasty_report()) for _ in range(2))
    assert first == second
    assert first.endswith("\n")


@given(runs(max_size=6))
@settings(deadline=None, max_examples=15)
def test_every_format_shows_every_headline_with_its_k_and_n(attempts):
    report = from_events("made", stored_run(attempts))
    texts = {name: render(report) for name, render in RENDERERS.items()}
    data = json.loads(texts["json"])
    plain = re.sub(r"<[^>]*>", "", texts["html"])
    for headline in report.sections[0].headlines:
        share = headline.share
        assert f"{share.k}/{share.n}" in texts["terminal"]
        assert f"{share.k}/{share.n}" in texts["markdown"]
        assert f"{share.k}/{share.n}" in plain
        stored = data["sections"][0]["headlines"][headline.key]
        assert (stored["k"], stored["n"]) == (share.k, share.n)
        assert stored["value"] == share.value


@given(runs(max_size=6))
@settings(deadline=None, max_examples=15)
def test_json_has_every_table_row_and_cell(attempts):
    report = from_events("made", stored_run(attempts))
    data = json.loads(RENDERERS["json"](report))
    for table in report.sections[0].tables:
        stored = data["sections"][0]["tables"][table.key]
        assert list(stored["rows"]) == [row.key for row in table.rows]
        for row in table.rows:
            assert len(stored["rows"][row.key]) == len(row.cells)


class Seen(HTMLParser):
    """Tags, and every address that an attribute names."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.addresses: list[str] = []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.addresses += [v for k, v in attributes if k in ("src", "href", "action", "data")]


def test_html_loads_nothing_and_escapes_everything():
    text = RENDERERS["html"](nasty_report())
    seen = Seen()
    seen.feed(text)
    assert "script" not in seen.tags
    assert "img" not in seen.tags
    assert all(a.startswith("#") or a == "data:," for a in seen.addresses)
    assert "default-src 'none'" in text
    assert "url(" not in text
    assert "@import" not in text
    assert "<script>" not in text
    assert "&lt;script&gt;" in text


def test_markdown_keeps_its_columns_whatever_the_text():
    text = RENDERERS["markdown"](nasty_report())
    blocks = re.findall(r"(?m)(?:^\|.*\n)+", text)
    assert blocks
    for block in blocks:
        bars = {len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}
        assert len(bars) == 1, block
    assert "<script>" not in text.replace("\\<", "")


def test_terminal_text_is_plain_and_within_its_width():
    text = RENDERERS["terminal"](nasty_report())
    assert "\x1b" not in text
    assert all(line == line.rstrip() for line in text.split("\n"))
    assert max(len(line) for line in text.splitlines()) <= 120


cells = st.one_of(
    st.text("ab \n|", max_size=30),
    st.integers(-5, 10**6),
    st.builds(Share, st.just(3), st.integers(3, 99)),
    st.none(),
)


@given(
    st.lists(st.lists(cells, min_size=3, max_size=3), min_size=1, max_size=4),
    st.integers(20, 120),
)
def test_a_grid_cuts_nothing_off(rows, width):
    table = Table(
        "t",
        "title",
        ("first name", "x", "a rather long heading here"),
        tuple(Row(str(at), tuple(row)) for at, row in enumerate(rows)),
        "all",
    )
    shown = "".join("\n".join(grid(table, width)).split())
    for row in rows:
        for value in row:
            for word in formatting.cell(value).split():
                if not isinstance(value, str):
                    assert word in shown
    letters = sum(
        len("".join(formatting.cell(v).replace("-", "").split())) for row in rows for v in row
    )
    heading = len("firstname") + 1 + len("aratherlongheadinghere")
    total = [c for c in shown if c != "-"]
    assert len(total) == letters + heading


def test_no_data_is_never_zero():
    assert formatting.share(Share(0, 0)) == "0/0 no data"
    assert formatting.figure(Figure(None, "s")) == "no data"
    assert formatting.share(Share(0, 4)).startswith("0/4 0.0 % [0.0, ")
    assert formatting.figure(Figure(-0.0, "%", digits=1)) == "0.0 %"
    half = Interval(-0.25, 0.5, "x")
    assert formatting.figure(Figure(0.125, "%", half, 1)) == "12.5 % [-25.0, 50.0]"


def test_a_plot_steps_where_the_shares_step():
    plot = Plot("p", "a & b", "k", "share", (Series("<on>", ((0, 0.0), (2, 0.5))),), 4.0)
    drawn = step_plot(plot)
    assert "a &amp; b" in drawn
    assert "&lt;on&gt;" in drawn
    # 52 + 518/2 to the right, half of 240 down from 14.
    assert "M52.0 254.0H311.0V134.0H570.0" in drawn


def test_live_reports_draw_their_curves():
    episodes = [Ended("t01", arm, 0, "honest-success", 2, 2) for arm in ("off", "on")]
    text = RENDERERS["html"](from_events("made", live_run(episodes)))
    assert text.count('class="plot"') == 2


def test_tables_refuse_rows_that_do_not_fit():
    with pytest.raises(ValueError, match="does not fit"):
        Table("t", "t", ("a",), (Row("x", (1, 2)),), "all")
    with pytest.raises(ValueError, match="one key"):
        Table("t", "t", ("a",), (Row("x", (1,)), Row("x", (2,))), "all")
