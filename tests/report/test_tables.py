"""Every table of a recorded run recounted from the plain description of its attempts."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings

from tests.report.made import PREDICTIVE, Made, runs, stored_run
from verulaw_gate.report import from_events
from verulaw_gate.report.checks import Checks, ConsistencyError, cross
from verulaw_gate.report.model import Figure, Section, Share, Table

RESULTS = ("front-end failure", "proof failure", "verified", "undecided", "no result")
DECIDED = RESULTS[:3]
FRONT_END_PASSED = ("verified", "proof-failure", "rlimit", "not-verified")
given_run = given(runs())
patient = settings(deadline=None, max_examples=40)


def section_of(attempts: list[Made]) -> Section:
    return from_events("made", stored_run(attempts)).sections[0]


def table(section: Section, key: str) -> Table:
    return next(t for t in section.tables if t.key == key)


def share(attempts: list[Made], wanted) -> tuple[int, int]:
    return sum(1 for a in attempts if wanted(a)), len(attempts)


def pair(value: Share) -> tuple[int, int]:
    return value.k, value.n


@given_run
@patient
def test_flow_counts_every_generation_in_one_cell(attempts):
    flow = table(section_of(attempts), "flow")
    counts = Counter((a.filed, a.result) for a in attempts)
    seen: Counter[tuple[str, str]] = Counter()
    for row in flow.rows:
        if row.key == "all":
            continue
        for name, cell in zip(RESULTS, row.cells[1:-1], strict=True):
            seen[row.key, name] += cell
        assert sum(row.cells[1:-1]) == row.cells[-1]
    assert +seen == +counts
    assert flow.row("all").cells[-1] == len(attempts)
    for at in range(1, 7):
        assert flow.row("all").cells[at] == sum(r.cells[at] for r in flow.rows if r.key != "all")


@given_run
@patient
def test_stages_each_sum_to_all(attempts):
    sums: Counter[str] = Counter()
    for row in table(section_of(attempts), "stages").rows:
        sums[row.cells[0]] += row.cells[2]
    assert set(sums.values()) <= {len(attempts)}
    assert len(sums) == (3 if attempts else 0)


@given_run
@patient
def test_false_confidence_is_what_monitor_and_gate_let_through(attempts):
    section = section_of(attempts)
    for key, has_text in (("false-confidence", True), ("false-confidence-gate-only", False)):
        population = [
            a
            for a in attempts
            if a.filed == "accepted" and a.has_text is has_text and a.result in DECIDED
        ]
        expected = share(population, lambda a: a.result != "verified")
        found = [h for h in section.headlines if h.key == key]
        if found:
            assert pair(found[0].share) == expected
        else:
            assert expected == (0, 0)
    listed = sum(r.cells[2] for r in table(section, "false-confidence").rows if r.key != "all")
    everyone = [a for a in attempts if a.filed == "accepted" and a.result in DECIDED]
    assert listed == sum(a.result != "verified" for a in everyone)


def speaks_of_the_file(made: Made) -> tuple[str, ...]:
    """Rejecting codes that are about the file that Verus judged."""
    codes = made.source_codes if made.judged and made.source else ()
    if made.has_text and made.judged and made.filed != "protocol":
        codes += made.trace_codes
    return codes


def is_predictive(made: Made) -> bool:
    return any(code[:4] in ("VG10", "VG20", "VG25") for code in speaks_of_the_file(made))


@given_run
@patient
def test_false_rejects_are_all_named_and_their_bound_has_the_right_n(attempts):
    section = section_of(attempts)
    passed = [a for a in attempts if a.source and a.outcome in FRONT_END_PASSED]
    exposed = [a for a in passed if a.filed != "not judged"]
    wrong = [a for a in passed if is_predictive(a)]
    headline = next(h for h in section.headlines if h.key == "false-rejects")
    assert pair(headline.share) == (len(wrong), len(exposed))
    names = {f"replay/{a.task}/{a.sample}/{a.number}" for a in wrong}
    assert {row.key for row in table(section, "false-rejects").rows} == names


@given_run
@patient
def test_predictive_rows_are_filings_and_the_share_is_of_decided(attempts):
    found = table(section_of(attempts), "predictive")
    for family in PREDICTIVE:
        group = [a for a in attempts if a.filed == family]
        check_result_row(found.row(family).cells, group, "front-end failure")
    hit = [a for a in attempts if a.filed in PREDICTIVE]
    check_result_row(found.row("predictive").cells, hit, "front-end failure")
    rest = [a for a in attempts if a.filed not in PREDICTIVE]
    check_result_row(found.row("other").cells, rest, "front-end failure")
    check_result_row(found.row("all").cells, attempts, "front-end failure")


def check_result_row(cells, group: list[Made], *counted: str) -> None:
    counts = Counter(a.result for a in group)
    assert list(cells[1:6]) == [counts[name] for name in RESULTS]
    assert cells[6] == len(group)
    decided = sum(counts[name] for name in DECIDED)
    assert pair(cells[7]) == (sum(counts[name] for name in counted), decided)


@given_run
@patient
def test_protocol_rows_hold_only_what_has_text(attempts):
    found = table(section_of(attempts), "protocol")
    texts = [a for a in attempts if a.has_text]
    failed = ("front-end failure", "proof failure")
    check_result_row(found.row("all").cells, texts, *failed)
    check_result_row(found.row("rejected").cells, [a for a in texts if a.violation], *failed)
    check_result_row(found.row("conforming").cells, [a for a in texts if not a.violation], *failed)
    for kind in {a.violation for a in texts if a.violation}:
        group = [a for a in texts if a.violation == kind]
        check_result_row(found.row(f"kind/{kind}").cells, group, *failed)
    assert any(
        text.startswith(f"{len(attempts) - len(texts)} generations that the monitor did not read")
        for text in found.excluded
    ) or len(attempts) == len(texts)


@given_run
@patient
def test_the_judge_table_counts_verified_files_once(attempts):
    section = section_of(attempts)
    verified = [a for a in attempts if a.result == "verified"]
    cheats = [a for a in verified if a.honest is False]
    headline = next(h for h in section.headlines if h.key == "cheats-caught")
    caught = [a for a in cheats if {"integrity", "trust"} & a.families]
    assert pair(headline.share) == (len(caught), len(cheats))
    found = table(section, "judge")
    for name, value in (("honest", True), ("cheat", False), ("not known", None)):
        group = [a for a in verified if a.honest is value]
        cells = found.row(name).cells
        assert cells[1] == len(group)
        assert cells[2].k + cells[3] + cells[4] == len(group)


def repeated(attempts: list[Made]) -> set[int]:
    """Attempts (by identity) whose file their loop had before."""
    again = set()
    for made in attempts:
        for other in attempts:
            earlier = (other.task, other.sample) == (made.task, made.sample)
            if earlier and other.number < made.number and other.source == made.source:
                again.add(id(made))
    return again


@given_run
@patient
def test_savings_are_of_recorded_executions_and_measured_seconds(attempts):
    section = section_of(attempts)
    again = repeated([a for a in attempts if a.source])
    ran = [a for a in attempts if a.source and a.outcome is not None]
    gone = [a for a in ran if a.filed not in ("accepted", "not judged") or id(a) in again]
    headline = next(h for h in section.headlines if h.key == "executions-saved")
    assert pair(headline.share) == (len(gone), len(ran))
    lost = [a for a in gone if a.result == "verified"]
    proofs = [a for a in lost if a.honest is not False]
    told = f"{len(lost)} of them had verified, {len(proofs)} not known to be a cheat"
    assert (told if lost else "None of them had verified.") in headline.sentence
    assert ("has to get that again" in headline.sentence) == bool(proofs)
    found = table(section, "savings")
    for key, group in (("saved", gone), ("all", ran)):
        cells = found.row(key).cells
        times = [a.wall_s for a in group if a.wall_s is not None]
        assert pair(cells[1]) == (len(group), len(ran))
        assert cells[2].value == (pytest.approx(sum(times)) if times else None)
        assert cells[2].n == len(times)
        assert cells[3] == sum(a.result == "verified" for a in group)


@given_run
@patient
def test_confirmation_has_each_code_and_line_once_and_of_decided_files(attempts):
    found = table(section_of(attempts), "confirmation")
    expected: dict[str, list[int]] = {}
    for made in attempts:
        if made.result not in DECIDED or not made.judged:
            continue
        if made.source is not None:
            codes = made.source_codes
        elif made.has_text and made.filed != "protocol":
            codes = made.trace_codes
        else:
            codes = ()
        for code in codes:
            if code[:4] not in ("VG10", "VG20", "VG25"):
                continue
            tally = expected.setdefault(code, [0, 0, 0, 0])
            failed = made.result == "front-end failure"
            on_line = failed and made.error_line is not None and made.error_line == made.line
            tally[0] += 1
            tally[1] += failed
            tally[2] += on_line
            tally[3] += on_line and code == "VG251"
    seen = {
        row.key: [row.cells[2].n, row.cells[2].k, row.cells[3].k, row.cells[4].k]
        for row in found.rows
    }
    assert seen == expected


@given_run
@patient
def test_reuse_counts_requests_and_repeats(attempts):
    found = table(section_of(attempts), "reuse")
    files = [a for a in attempts if a.source]
    known = sum(a.outcome is not None for a in files)
    assert pair(found.row("request/recorded").cells[1]) == (known, len(files))
    assert pair(found.row("request/unscored").cells[1]) == (len(files) - known, len(files))
    assert pair(found.row("repeats").cells[1]) == (len(repeated(files)), len(files))


@given_run
@settings(deadline=None, max_examples=25)
def test_order_of_events_changes_nothing(attempts):
    events = stored_run(attempts)
    assert from_events("made", reversed(events)) == from_events("made", events)


def firsts(attempts: list[Made]) -> list[Made]:
    """Attempt 1 of the first loop of each task."""
    found = []
    for task in sorted({a.task for a in attempts}):
        ones = [a for a in attempts if a.task == task and a.number == 1]
        found += sorted(ones, key=lambda a: a.sample)[:1]
    return found


@given_run
@patient
def test_rates_with_and_without_dependence_have_their_own_denominators(attempts):
    found = table(section_of(attempts), "dependence")
    for column, group in ((1, attempts), (2, firsts(attempts))):
        decided = [a for a in group if a.result in DECIDED]
        expected = share(decided, lambda a: a.result == "verified")
        assert pair(found.row("verified").cells[column]) == expected
        through = [a for a in decided if a.filed == "accepted"]
        expected = share(through, lambda a: a.result != "verified")
        assert pair(found.row("false-confidence").cells[column]) == expected
    for row in found.rows:
        assert row.cells[3].value == row.cells[1].value


@given_run
@patient
def test_association_compares_rejected_with_conforming_raw_texts(attempts):
    found = table(section_of(attempts), "protocol-association")
    for key, group in (("first", firsts([a for a in attempts if a.has_text])), ("all", attempts)):
        texts = [a for a in group if a.has_text and a.result in DECIDED]
        cells = found.row(key).cells
        hit = share([a for a in texts if a.violation], lambda a: a.result != "verified")
        rest = share([a for a in texts if not a.violation], lambda a: a.result != "verified")
        assert pair(cells[1]) == hit
        assert pair(cells[2]) == rest
        if hit[1] and rest[1]:
            assert cells[3].value == pytest.approx(hit[0] / hit[1] - rest[0] / rest[1])
        else:
            assert cells[3].value is None
    assert not any("p =" in note for note in found.notes)


@given_run
@patient
def test_trust_codes_count_each_generation_once_in_the_last_row(attempts):
    found = table(section_of(attempts), "trust-codes")
    hit = [a for a in attempts if {"integrity", "trust"} & a.families]
    if not hit:
        assert found.rows == ()
        return
    cells = found.row("any").cells
    verified = [a for a in hit if a.result == "verified"]
    assert cells[2] == len(hit)
    assert cells[3] == len(verified)
    assert cells[4] == sum(a.strict == "compile-error" for a in verified)
    assert cells[5] == sum(a.strict == "verified" for a in verified)
    assert cells[6] == sum(a.strict is None for a in verified)
    assert cells[3] + cells[7] + cells[8] == len(hit)
    assert cells[4] + cells[5] + cells[6] == len(verified)


def test_findings_on_a_rejected_trace_are_not_about_the_file_that_was_cut_from_it():
    """The trace broke its protocol and has a predictive finding; the lenient file has none and
    verifies: a protocol rejection, no false reject."""
    made = Made("t01", 0, 1, violation="unexpected-state", trace_codes=("VG104",))
    section = section_of([made])
    assert table(section, "false-rejects").rows == ()
    also = Made("t01", 0, 1, violation="unexpected-state", source_codes=("VG101",))
    (row,) = table(section_of([also]), "false-rejects").rows
    assert row.cells[1:] == ("protocol", "VG101", "verified")


def test_a_result_that_differs_between_tries_is_in_no_rate():
    section = section_of([Made("t01", 0, 1, unstable=True), Made("t02", 0, 1)])
    assert table(section, "flow").row("accepted").cells[3:5] == (1, 1)
    headline = next(h for h in section.headlines if h.key == "false-confidence")
    assert (headline.share.k, headline.share.n) == (0, 1)
    assert any("unstable" in note for note in table(section, "flow").notes)


def test_net_savings_take_off_all_gate_time_and_need_all_of_it():
    """Two rejected executions of 2 s; three generations judged in 0.25 s each."""
    attempts = [
        Made("t01", 0, 1, wall_s=2.0, gate_s=0.25, source="s1", source_codes=("VG301",)),
        Made("t02", 0, 1, wall_s=2.0, gate_s=0.25, source="s2", source_codes=("VG301",)),
        Made("t03", 0, 1, wall_s=9.0, gate_s=0.25, source="s3"),
    ]
    notes = table(section_of(attempts), "savings").notes
    assert notes[0] == ("gate and monitor took 0.750 s on 3 of 3 generations; net saving 3.2 s")
    attempts[2].gate_s = None
    notes = table(section_of(attempts), "savings").notes
    assert notes[0] == "gate and monitor took 0.500 s on 2 of 3 generations"


def test_a_log_that_begins_later_has_no_first_attempt():
    attempts = [Made("t01", 0, 2), Made("t02", 0, 1)]
    found = table(section_of(attempts), "dependence")
    assert found.row("verified").cells[1].n == 2
    assert found.row("verified").cells[2].n == 1


def test_an_empty_run_says_no_data_and_no_zero_rate():
    section = section_of([])
    for headline in section.headlines:
        assert headline.share.n == 0
        assert headline.share.value is None
    for found in section.tables:
        for row in found.rows:
            for cell in row.cells:
                if isinstance(cell, Figure):
                    assert cell.value is None


def test_a_run_cut_short_is_said(tmp_path):
    events = stored_run([Made("t01", 0, 1)])[:-1]
    report = from_events("made", events)
    assert any("not complete" in warning for warning in report.warnings)
    half = [e for e in events if e.event.kind != "generation-closed"]
    assert "0 generations" in from_events("made", half).warnings[0]


def test_a_run_that_lost_generations_is_said():
    events = stored_run([Made("t01", 0, 1), Made("t01", 0, 2)])
    report = from_events("made", [e for e in events if e.key.generation != 2])
    assert any("closed with 2 generations, 1 are stored" in w for w in report.warnings)


def test_a_layer_that_never_ran_is_said_at_the_top():
    report = from_events("made", stored_run([Made("t01", 0, 1)]))
    assert any("layer native did not run (not installed)" in w for w in report.warnings)
    assert not any("layer tokens" in w for w in report.warnings)


def test_layers_count_the_decisions_in_which_they_ran():
    attempts = [Made("t01", 0, 1), Made("t02", 0, 1, has_text=False), Made("t03", 0, 1)]
    found = table(section_of(attempts), "layers")
    # Two traces and three files were judged.
    assert found.row("tokens").cells == ("tokens", 5, 5, "")
    assert found.row("native").cells == ("native", 0, 5, "not installed (5)")


def test_verus_versions_that_mix_are_said():
    events = stored_run([Made("t01", 0, 1), Made("t02", 0, 1)])
    for at, stored in enumerate(events):
        if stored.event.kind == "verification" and stored.key.task == "t02":
            other = stored.event.model_copy(update={"version": "other"})
            events[at] = stored.model_copy(update={"event": other})
    assert any("mixes results" in w for w in from_events("made", events).warnings)


def test_parts_that_do_not_add_up_stop_the_report():
    checks = Checks()
    checks.partition("all", 3, {"a": 1, "b": 2})
    assert checks.done == ["all: 3 = 1 a + 2 b"]
    with pytest.raises(ConsistencyError, match="all: 3 is not 1 a \\+ 1 b"):
        checks.partition("all", 3, {"a": 1, "b": 1})
    with pytest.raises(ConsistencyError):
        checks.partition("all", 0, {"a": 1, "b": -1})
    with pytest.raises(ConsistencyError):
        checks.equal("all", 1, 2)
    with pytest.raises(ConsistencyError, match="no cell for"):
        cross(
            "all",
            [1, 2],
            ["odd"],
            ["x"],
            lambda i: "odd" if i % 2 else "even",
            lambda i: "x",
            checks,
        )


def test_a_report_that_files_a_generation_nowhere_is_not_printed(monkeypatch):
    from verulaw_gate.report import flow

    monkeypatch.setattr(flow, "filed", lambda facts: "elsewhere")
    with pytest.raises(ConsistencyError):
        section_of([Made("t01", 0, 1)])
