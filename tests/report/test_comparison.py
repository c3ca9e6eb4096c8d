"""Two runs compared: paired, recounted, and refused where there is nothing to compare."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings

from tests.report.made import Made, digest, runs, started, stored_run
from tests.report.made_live import Ended, live_episodes, live_run
from verulaw_gate.errors import UsageError
from verulaw_gate.record import events as ev
from verulaw_gate.report.comparison import compare_runs, obstacles
from verulaw_gate.report.facts import collect
from verulaw_gate.report.model import Report, Table


def facts(name: str, rows: list[ev.Stored]):
    return collect(name, rows)


def table(report: Report, key: str) -> Table:
    return next(t for t in report.sections[0].tables if t.key == key)


@given(runs(max_size=8), runs(max_size=8))
@settings(deadline=None, max_examples=25)
def test_replays_are_paired_by_task_sample_and_number(one, two):
    report = compare_runs(facts("one", stored_run(one)), facts("two", stored_run(two)))
    left = {(a.task, a.sample, a.number): a for a in one}
    right = {(a.task, a.sample, a.number): a for a in two}
    both = set(left) & set(right)
    pairs = table(report, "pairs")
    assert [pairs.row(k).cells[1] for k in ("both", "first", "second")] == [
        len(both),
        len(left) - len(both),
        len(right) - len(both),
    ]
    counts = Counter((left[p].filed, right[p].filed) for p in both)
    filing = table(report, "filing")
    seen = Counter(
        {
            (row.key, column): cell
            for row in filing.rows
            for column, cell in zip(filing.columns[1:-1], row.cells[1:-1], strict=True)
        }
    )
    assert +seen == +counts
    moved = {p for p in both if left[p].filed != right[p].filed}
    assert len(table(report, "changes").rows) == len(moved)
    accepted = table(report, "measures").row("accepted").cells
    tally = Counter((left[p].filed == "accepted", right[p].filed == "accepted") for p in both)
    assert list(accepted[1:]) == [
        tally[True, True],
        tally[True, False],
        tally[False, True],
        tally[False, False],
    ]


@given(live_episodes(), live_episodes())
@settings(deadline=None, max_examples=10)
def test_live_runs_are_paired_by_task_and_sample_in_each_arm(one, two):
    report = compare_runs(facts("one", live_run(one)), facts("two", live_run(two)))
    for arm in ("off", "on"):
        left = {(e.task, e.sample): e for e in one if e.arm == arm}
        right = {(e.task, e.sample): e for e in two if e.arm == arm}
        both = set(left) & set(right)
        tally = Counter(
            tuple(side[p].result == "honest-success" for side in (left, right)) for p in both
        )
        cells = table(report, "solved").row(arm).cells
        assert list(cells[1:7]) == [
            len(left) - len(both),
            len(right) - len(both),
            tally[True, True],
            tally[True, False],
            tally[False, True],
            tally[False, False],
        ]
        cost = table(report, "costs").row(arm).cells[3]
        if both:
            plain = [
                [side[p].generations if side[p].result == "honest-success" else 5 for p in both]
                for side in (left, right)
            ]
            assert cost.value == pytest.approx((sum(plain[1]) - sum(plain[0])) / len(both))
        else:
            assert cost.value is None


ONE = [Made("t01", 0, 1)]


def other(**changes: object):
    return facts("two", stored_run(ONE, **changes))


def mixed_version():
    rows = stored_run(ONE)
    for at, stored in enumerate(rows):
        if stored.event.kind == "verification":
            event = stored.event.model_copy(update={"version": "0.2025"})
            rows[at] = stored.model_copy(update={"event": event})
    return facts("two", rows)


@pytest.mark.parametrize(
    ("second", "why"),
    [
        (lambda: other(corpus="designed"), "corpus kinds are never mixed"),
        (lambda: other(corpus_sha256=digest("x")), "the corpora differ in content"),
        (lambda: other(options=("--rlimit", "1")), "other Verus options"),
        (mixed_version, "Verus versions differ (0.2026.06.08.9a4284b; 0.2025)"),
        (lambda: facts("two", stored_run(ONE)[:-1]), "run two is not complete"),
        (lambda: facts("one", stored_run(ONE)), "they are the same run"),
    ],
)
def test_what_is_not_comparable_is_refused_with_the_reason(second, why):
    with pytest.raises(UsageError) as caught:
        compare_runs(facts("one", stored_run(ONE)), second())
    assert why in str(caught.value)


def test_live_runs_need_the_same_budgets_and_a_shared_arm():
    episodes = [Ended("t01", "off", 0, "honest-success", 1, 1)]
    one = facts("one", live_run(episodes, names=("off",)))
    assert obstacles(one, facts("two", live_run(episodes, names=("off",), generations=9))) == [
        "the budgets differ"
    ]
    two = facts("two", live_run([], names=("on", "cache")))
    assert obstacles(one, two) == ["they have no arm of the same name"]


def test_all_reasons_are_told_at_once():
    second = other(corpus_sha256=digest("x"), options=("--rlimit",))
    assert len(obstacles(facts("one", stored_run(ONE)), second)) == 2


def test_settings_that_differ_are_listed():
    environment = started().environment.model_copy(update={"package": "9"})
    report = compare_runs(facts("one", stored_run(ONE)), other(environment=environment))
    rows = table(report, "settings").rows
    assert [row.cells for row in rows] == [("environment.package", "0", "9")]


def test_labels_of_designed_runs_are_compared_by_name():
    first = Made("t01", 0, 1, labels=[("gate", "ok", "ok", True)])
    second = Made("t01", 0, 1, labels=[("gate", "ok", "assume", False)])
    report = compare_runs(
        facts("one", stored_run([first], corpus="designed")),
        facts("two", stored_run([second], corpus="designed")),
    )
    (row,) = table(report, "label-changes").rows
    assert row.cells == ("t01#1", "gate", "ok", "ok", "assume")
