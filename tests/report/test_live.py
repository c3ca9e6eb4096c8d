"""Arms, contrasts, corrections and plans of live runs, against direct averages."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings

from tests.report.made_live import Ended, live_episodes, live_run
from verulaw_gate.record import events as ev
from verulaw_gate.report import from_events
from verulaw_gate.report.model import Section, Table

quick = settings(deadline=None, max_examples=12)


def section_of(events: list[ev.Stored]) -> Section:
    return from_events("made", events).sections[0]


def table(section: Section, key: str) -> Table:
    return next(t for t in section.tables if t.key == key)


@given(live_episodes(unjudged=True))
@quick
def test_every_episode_is_in_one_ending(episodes):
    found = table(section_of(live_run(episodes)), "endings")
    for arm in ("off", "on"):
        group = [e for e in episodes if e.arm == arm]
        counts = Counter(e.result for e in group)
        cells = found.row(arm).cells
        assert cells[1] == len(group)
        assert cells[2] == len({e.task for e in group})
        judged = len(group) - counts["unjudged"]
        assert (cells[3].k, cells[3].n) == (counts["honest-success"], judged)
        assert (cells[4].k, cells[4].n) == (counts["cheat"], judged)
        assert cells[5] == counts["unjudged"]
        assert (cells[6].k, cells[6].n) == (counts["censored"], len(group))


def plain_mean(group: list[Ended], cost: str) -> float | None:
    """Without an honest success an episode counts as the whole budget of 5."""
    if not group:
        return None
    values = [getattr(e, cost) if e.result == "honest-success" else 5 for e in group]
    return sum(values) / len(values)


@given(live_episodes())
@quick
def test_restricted_means_are_plain_means_with_failures_at_the_budget(episodes):
    section = section_of(live_run(episodes))
    found = table(section, "endpoints")
    for arm in ("off", "on"):
        group = [e for e in episodes if e.arm == arm]
        for at, cost in ((2, "executions"), (3, "generations")):
            expected = plain_mean(group, cost)
            value = found.row(arm).cells[at].value
            assert value == (None if expected is None else pytest.approx(expected))


@given(live_episodes())
@quick
def test_solved_within_k_is_the_plain_share(episodes):
    section = section_of(live_run(episodes))
    for cost in ("executions", "generations"):
        found = table(section, f"solved-within-{cost}")
        arms = [a for a in ("off", "on") if any(e.arm == a for e in episodes)]
        assert len(found.rows) == 5 * len(arms)
        for k, arm, figure in (row.cells for row in found.rows):
            group = [e for e in episodes if e.arm == arm]
            solved = [e for e in group if e.result == "honest-success" and getattr(e, cost) <= k]
            assert figure.value == pytest.approx(len(solved) / len(group))
            assert figure.n == len(group)


@given(live_episodes())
@quick
def test_mcnemar_pairs_first_samples_by_task(episodes):
    found = table(section_of(live_run(episodes)), "mcnemar").row("on").cells
    first = {(e.task, e.arm): e for e in episodes if e.sample == 0}
    tasks = [t for t in ("t01", "t02", "t03", "t04", "t05") if (t, "on") in first]
    tasks = [t for t in tasks if (t, "off") in first]
    counts = Counter(
        tuple(first[t, arm].result == "honest-success" for arm in ("off", "on")) for t in tasks
    )
    assert found[1] == len(tasks)
    assert list(found[2:]) == [
        counts[True, True],
        counts[False, True],
        counts[True, False],
        counts[False, False],
    ]


def test_contrasts_are_paired_by_task_and_have_no_test_without_a_plan():
    episodes = [
        Ended("t01", "off", 0, "honest-success", 3, 3),
        Ended("t01", "on", 0, "honest-success", 2, 1),
        Ended("t02", "off", 0, "honest-success", 5, 5),
        Ended("t02", "on", 0, "honest-success", 4, 2),
        Ended("t03", "on", 0, "censored", 5, 0, "generations"),
    ]
    found = table(section_of(live_run(episodes)), "contrasts")
    cells = found.row("on").cells
    assert cells[1] == 2
    assert cells[2].value == pytest.approx(-2.5)
    assert cells[3].value == pytest.approx(-1.0)
    assert not any("p =" in note for note in found.notes)


def test_an_arm_that_sends_nothing_is_not_cheap():
    """Ended by the budget of generations with no execution: no success at any cost."""
    episodes = [
        Ended("t01", "off", 0, "honest-success", 4, 4),
        Ended("t01", "on", 0, "censored", 5, 0, "generations"),
    ]
    found = table(section_of(live_run(episodes)), "endpoints")
    assert found.row("on").cells[2].value == 5.0
    assert found.row("off").cells[2].value == 4.0


def test_a_cheat_is_not_a_success():
    episodes = [Ended("t01", "off", 0, "cheat", 1, 1), Ended("t01", "on", 0, "cheat", 1, 1)]
    section = section_of(live_run(episodes))
    assert table(section, "endpoints").row("off").cells[2].value == 5.0
    assert table(section, "endings").row("off").cells[3].k == 0


PLAN = {
    "hypothesis": "gating lowers executions",
    "primary_endpoint": "executions",
    "baseline": "off",
    "arm": "on",
    "difference": -1.0,
    "sd": 1.5,
}


def test_the_primary_comparison_and_only_it_has_a_test():
    episodes = [
        Ended(f"t{i:02}", arm, 0, "honest-success", cost, cost)
        for i in range(8)
        for arm, cost in (("off", 3), ("on", 1))
    ]
    section = section_of(live_run(episodes, config={"plan": PLAN}, plan_sha256="f" * 64))
    sentences = [n for t in section.tables for n in t.notes if "p =" in n]
    assert len(sentences) == 1
    assert "8 tasks, mean difference -2.000" in sentences[0]
    # All 2^8 relabellings; only the two extreme ones are as far out.
    assert f"p = {2 / 256:.4f}" in sentences[0]
    assert ("plan", "sha256 " + "f" * 64) in section.facts


def test_solved_as_primary_is_mcnemar_per_task():
    episodes = [
        Ended(f"t{i:02}", arm, 0, result, 5, 5, "generations" if result == "censored" else None)
        for i in range(6)
        for arm, result in (("off", "censored"), ("on", "honest-success"))
    ]
    plan = PLAN | {"primary_endpoint": "solved"}
    section = section_of(live_run(episodes, config={"plan": plan}, plan_sha256="f" * 64))
    notes = [n for t in section.tables for n in t.notes if "p =" in n]
    assert len(notes) == 1
    assert f"p = {2 / 64:.4f}" in notes[0]


def test_an_unplanned_run_says_so():
    section = section_of(live_run([Ended("t01", "off", 0, "honest-success", 1, 1)]))
    assert ("plan", "none registered before the run: exploratory, intervals only") in section.facts


def test_deviations_are_named():
    other = ev.Environment(package="0", python="3", platform="x", machine="z")
    extra = [ev.Stored(key=ev.Key(), seq=5, event=ev.RunResumed(environment=other))]
    episodes = [
        Ended("t01", "off", 0, "honest-success", 1, 1),
        Ended("t01", "stray", 0, "honest-success", 1, 1),
    ]
    config = {"samples": 2, "tasks": ["t01", "t02"]}
    found = table(section_of(live_run(episodes, config=config, extra=extra)), "deviations")
    text = "\n".join(str(row.cells) for row in found.rows)
    assert "stray" in text
    assert "arm off: 1 of 4" in text
    assert "arm on: 0 of 4" in text
    assert "machine y -> z" in text
    assert len(found.rows) == 4


def test_no_deviation_is_an_empty_table():
    episodes = [Ended("t01", arm, 0, "honest-success", 1, 1) for arm in ("off", "on")]
    config = {"samples": 1, "tasks": ["t01"]}
    assert table(section_of(live_run(episodes, config=config)), "deviations").rows == ()


def correction(number: int, ordinal: int, *, of: int | None = None, **seen: bool | None):
    key = ev.Key(task="t01", arm="on", sample=0, generation=number)
    event: ev.Event = ev.CorrectionIssued(ordinal=ordinal, cause="VG002", mode="prefix")
    if of is not None:
        event = ev.CorrectionOutcome(of_generation=of, of_ordinal=ordinal, **seen)
    return ev.Stored(key=key, seq=50 + 10 * (of is not None) + ordinal, event=event)


def test_corrections_are_followed_and_what_was_not_observed_is_no_failure():
    extra = [
        correction(1, 0),
        correction(1, 1),
        correction(2, 0),
        correction(1, 0, of=1, next_state_legal=True, run_complete=False),
        correction(2, 1, of=1, next_state_legal=True, run_complete=True, verified=True),
    ]
    episodes = [Ended("t01", "on", 0, "honest-success", 2, 1)]
    found = table(section_of(live_run(episodes, extra=extra)), "corrections").row("prefix").cells
    assert found[1] == 3
    assert [(c.k, c.n) for c in found[2:]] == [(2, 2), (1, 2), (1, 1)]


def test_silent_arms_get_their_own_section_and_no_savings():
    episodes = [
        Ended("t01", "shadow-off", 0, "honest-success", 1, 1),
        Ended("t01", "on", 0, "honest-success", 1, 1),
    ]
    report = from_events("made", live_run(episodes, names=("shadow-off", "on")))
    assert [s.key for s in report.sections] == ["made", "made-shadow-off"]
    assert all(s.kind == "live" for s in report.sections)
    assert all(t.key != "savings" for s in report.sections for t in s.tables)


def test_logs_that_end_before_success_are_censored_not_failed():
    """One loop of two is cut by the end of its log after one generation: nothing is known of it
    past 1, so with one success at 2 the curve is 1 up to 2 and then 0."""
    episodes = [
        Ended("t01", "off", 0, "censored", 1, 1, "log-ended"),
        Ended("t02", "off", 0, "honest-success", 2, 2),
    ]
    section = section_of(live_run(episodes, names=("off",)))
    cell = table(section, "endpoints").row("off").cells[3]
    assert cell.value == pytest.approx(2.0)
    rows = table(section, "solved-within-generations").rows
    assert [r.cells[2].value for r in rows[:2]] == [0.0, 1.0]


def test_every_generation_of_an_arm_has_one_disposition():
    episodes = [
        Ended("t01", "off", 0, "honest-success", 3, 3),
        Ended("t01", "on", 0, "censored", 5, 2, "generations"),
    ]
    section = section_of(live_run(episodes))
    flow = table(section, "arm-flow")
    assert flow.row("off").cells[-1] == 3
    assert flow.row("on").cells[-1] == 5
    assert flow.row("all").cells[-1] == 8
    requests = table(section, "arm-requests").row("on").cells
    assert requests[1] == 5
    assert sum(requests[3:]) == 5
    streams = table(section, "streams").row("on").cells
    assert (streams[1].k, streams[1].n) == (0, 5)
    assert (streams[3].value, streams[4].value) == (0, 5 * 40)


def test_episodes_of_an_arm_without_generations_are_no_data():
    section = section_of(live_run([], names=("off", "on")))
    for row in table(section, "streams").rows:
        assert row.cells[2].value is None
        assert row.cells[3].value is None
    assert table(section, "arm-flow").row("all").cells[-1] == 0


def test_the_open_question_as_primary_is_tested_once():
    plan = {"hypothesis": "rejected traces fail", "primary_endpoint": "protocol-rejection"}
    episodes = [
        Ended("t01", arm, 0, "censored", 5, 5, "generations")
        for arm in ("on", "cache", "off", "shadow-off")
    ]
    rows = live_run(
        episodes,
        names=("on", "cache", "off", "shadow-off"),
        config={"plan": plan},
        plan_sha256="f" * 64,
    )
    report = from_events("made", rows)
    said = [
        section.key
        for section in report.sections
        for found in section.tables
        for note in found.notes
        if note.startswith("primary comparison")
    ]
    assert said == ["made-off"]


def test_mean_costs_say_of_how_many_and_what_was_not_measured():
    episodes = [Ended(f"t{i}", "off", 0, "honest-success", 1 + i, 1 + i) for i in range(4)]
    found = table(section_of(live_run(episodes, names=("off",))), "costs")
    cell = found.row("Verus executions/off").cells[2]
    assert (cell.value, cell.n) == (2.5, 4)
    assert cell.interval.low <= 2.5 <= cell.interval.high
    assert "money" in found.excluded[0]
    assert all(not row.key.startswith("money") for row in found.rows)


@pytest.mark.parametrize("endpoint", ["executions", "solved"])
def test_half_a_run_is_not_tested(endpoint):
    episodes = [
        Ended(f"t{i:02}", arm, 0, "honest-success", cost, cost)
        for i in range(8)
        for arm, cost in (("off", 3), ("on", 1))
    ]
    plan = PLAN | {"primary_endpoint": endpoint}
    rows = live_run(episodes, config={"plan": plan}, plan_sha256="f" * 64)[:-1]
    found = table(section_of(rows), "contrasts")
    assert any("withheld until the run is complete" in note for note in found.notes)
    assert not any("p =" in note for note in found.notes)


def test_a_plan_without_a_hash_was_not_registered():
    episodes = [Ended("t01", arm, 0, "honest-success", 1, 1) for arm in ("off", "on")]
    section = section_of(live_run(episodes, config={"plan": PLAN}))
    assert not any("primary comparison," in n for t in section.tables for n in t.notes)
