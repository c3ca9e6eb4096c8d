"""Diagnostics in one line each, within a budget."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from verulaw_gate.verus.diagnostics import read
from verulaw_gate.verus.feedback import one_line, summary
from verulaw_gate.verus.model import Diagnostic, DiagnosticSpan

FOLDER = Path(__file__).parent / "transcripts"


def lines(name):
    run = json.loads((FOLDER / f"{name}.json").read_text())["runs"][0]
    source = (FOLDER / f"{name}.rs").read_text()
    reading = read(run["argv"], run["exit_code"], run["stdout"], run["stderr"], source=source)
    return [one_line(d) for d in reading.diagnostics]


def test_real_diagnostics():
    assert lines("type-mismatch") == [
        "error[E0308] 8:5 in `f`: mismatched types (expected `u32`, found `u64`; "
        "expected `u32` because of return type at line 5)"
    ]
    assert lines("postcondition") == [
        "error 6:13 in `bigger`: postcondition not satisfied (failed this postcondition; "
        "at the end of the function body at line 8)"
    ]
    assert lines("index-bounds") == [
        "error 6:5 in `first`: precondition not satisfied (failed precondition at "
        "vstd/std_specs/vec.rs:55)"
    ]


def test_every_form_is_one_line():
    for path in sorted(FOLDER.glob("*.rs")):
        for line in lines(path.stem) if path.stem != "not-utf8" else []:
            assert "\n" not in line
            assert "  " not in line


SPANS = st.builds(
    DiagnosticSpan,
    file=st.sampled_from(["candidate.rs", "vstd/seq.rs"]),
    line=st.integers(1, 99),
    column=st.integers(1, 99),
    end_line=st.integers(1, 99),
    end_column=st.integers(1, 99),
    primary=st.booleans(),
    label=st.text(max_size=20),
)
DIAGNOSTICS = st.lists(
    st.builds(
        Diagnostic,
        level=st.sampled_from(["error", "warning", "note", "error: internal compiler error"]),
        message=st.text(max_size=60),
        spans=st.lists(SPANS, max_size=2).map(tuple),
    ),
    max_size=8,
)


@given(DIAGNOSTICS, st.integers(20, 400))
def test_the_budget_holds_and_nothing_is_dropped_in_silence(diagnostics, budget):
    text = summary(diagnostics, max_chars=budget)
    assert len(text) <= budget
    unique = {one_line(d) for d in diagnostics}
    shown = text.split("\n") if text else []
    more = 0
    if shown and shown[-1].startswith("... and ") and shown[-1].endswith(" more"):
        more = int(shown.pop().split()[2])
    assert len(shown) + more == len(unique)


@given(DIAGNOSTICS)
def test_errors_come_first_and_the_shortest_of_them_before_longer_ones(diagnostics):
    shown = summary(diagnostics, max_chars=100_000).split("\n")
    errors = [len(line) for line in shown if line.startswith("error")]
    assert errors == sorted(errors)
    assert shown[: len(errors)] == [line for line in shown if line.startswith("error")]


@given(DIAGNOSTICS, st.randoms())
def test_order_and_repeats_of_the_input_do_not_count(diagnostics, dice):
    other = [*diagnostics, *diagnostics[:2]]
    dice.shuffle(other)
    first = sorted(summary(diagnostics, max_chars=9999).split("\n"))
    assert sorted(summary(other, max_chars=9999).split("\n")) == first
