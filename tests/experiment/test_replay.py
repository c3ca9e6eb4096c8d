"""Replays: every attempt once, whatever kills them; labels, corpora and rates as promised."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from verulaw_gate.data import corpora_dir
from verulaw_gate.errors import LogError, StoreError
from verulaw_gate.experiment.corpora import DesignedCorpus, RecordedCorpus
from verulaw_gate.experiment.replay import ReplaySettings, replay
from verulaw_gate.gate.model import SourceKind
from verulaw_gate.record import Store
from verulaw_gate.record.events import (
    Candidate,
    Disposition,
    EpisodeClosed,
    EpisodeResult,
    Form,
    GateDecision,
    GenerationClosed,
    Judgement,
    LabelAgreement,
    MonitorVerdict,
    Purpose,
    VerificationDone,
    VerusRequest,
)
from verulaw_gate.tasks import load_suite
from verulaw_gate.verus.model import Outcome

LOGS = sorted(corpora_dir().glob("proof-protocol-*.jsonl"))
SUITE = load_suite()
NO_TIMES = ReplaySettings(times=False)
_ROOT = Path(__file__).resolve().parents[2]


def rows() -> list[dict[str, object]]:
    return [json.loads(line) for log in LOGS for line in log.read_text().splitlines()]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Store, str]:
    store = Store(str(tmp_path_factory.mktemp("r") / "s.sqlite"))
    done = replay(store, RecordedCorpus(LOGS, SUITE), NO_TIMES)
    return store, done.run


@pytest.fixture(scope="module")
def designed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Store, str]:
    store = Store(str(tmp_path_factory.mktemp("d") / "s.sqlite"))
    done = replay(store, DesignedCorpus(SUITE), NO_TIMES)
    return store, done.run


def all_events(store: Store, run: str, kind: type) -> list:
    return [s.event for s in store.events(run) if isinstance(s.event, kind)]


def test_every_attempt_is_there_once_with_its_recorded_outcome(recorded) -> None:
    store, run = recorded
    wanted = Counter(row["verus"]["outcome"] for row in rows())
    got = Counter(
        e.outcome.value
        for e in all_events(store, run, VerificationDone)
        if e.purpose is Purpose.MEASURE and e.source_kind is SourceKind.RAW
    )
    assert got == wanted
    closed = all_events(store, run, GenerationClosed)
    assert Counter(e.disposition for e in closed) == {Disposition.RECORDED: 98}
    assert store.run(run).closed.generations == 98


def test_candidates_are_those_of_the_log(recorded) -> None:
    store, run = recorded
    raw = [e for e in all_events(store, run, Candidate) if e.source_kind is SourceKind.RAW]
    texts = Counter(store.text(e.source_sha256) for e in raw)
    assert texts == Counter(row["source"] for row in rows())
    assert {e.extractor for e in raw} == {"lenient-sections"}


def test_the_log_s_refused_cheats_are_cheats(recorded) -> None:
    store, run = recorded
    judged = all_events(store, run, Judgement)
    refused = sum(row.get("strict", {}).get("outcome") == "refused" for row in rows())
    assert (len(judged), sum(j.honest is False for j in judged)) == (52, refused)
    ends = Counter(e.result for e in all_events(store, run, EpisodeClosed))
    assert ends == {EpisodeResult.HONEST_SUCCESS: 50, EpisodeResult.CHEAT: refused}


def test_derived_source_verdicts_are_those_of_a_check_of_the_source(recorded) -> None:
    """Where one check served trace and source, checking the source says the same at the same
    place."""
    from verulaw_gate.gate import Gate
    from verulaw_gate.record.convert import gate_event
    from verulaw_gate.tasks.assemble import assemble_lenient

    store, run = recorded
    gates = {task.id: Gate(task) for task in SUITE}
    by_id = {task.id: task for task in SUITE}
    derived = 0
    for stored in store.events(run):
        event = stored.event
        if not isinstance(event, GateDecision) or event.form is not Form.SOURCE:
            continue
        text = next(
            row["text"]
            for row in rows()
            if assemble_lenient(by_id[row["task"]], row["text"]).source
            == store.text(event.source_sha256)
        )
        assembly = assemble_lenient(by_id[stored.key.task], text)
        direct = gate_event(
            gates[stored.key.task].check_assembly(assembly), Form.SOURCE, extractor=event.extractor
        )
        assert direct.decision == event.decision
        key = [(f.code, f.source_line, f.severity) for f in event.findings]
        assert sorted(key, key=str) == sorted(
            ((f.code, f.source_line, f.severity) for f in direct.findings), key=str
        )
        derived += 1
    assert derived == 98


def test_designed_traces_agree_with_their_labels(designed) -> None:
    store, run = designed
    events = all_events(store, run, LabelAgreement)
    assert len(events) == 3 * 260
    wrong = [(e.stage, e.label, e.observed) for e in events if e.agrees is False]
    assert wrong == []
    unknown = Counter(e.reason for e in events if e.agrees is None)
    print(f"agreement not applicable or open: {dict(unknown)}")
    assert all(unknown)


def test_no_honest_verified_file_is_rejected_by_a_predictive_rule(designed, recorded) -> None:
    """The worst bug there is; the count is printed."""
    from verulaw_gate.codes import PREDICTIVE

    seen = 0
    for store, run in (designed, recorded):
        decisions: dict[tuple, GateDecision] = {}
        for stored in store.events(run):
            key = (stored.key.task, stored.key.sample, stored.key.generation)
            event = stored.event
            if isinstance(event, GateDecision) and event.form is Form.SOURCE:
                decisions[key] = event
            if (
                isinstance(event, VerificationDone)
                and event.outcome is Outcome.VERIFIED
                and event.source_kind is SourceKind.RAW
                and event.purpose is Purpose.MEASURE
            ):
                seen += 1
                assert decisions[key].family not in PREDICTIVE, key
    print(f"0 of {seen} verified files rejected by a predictive rule")
    assert seen > 150


def test_a_violation_stands_where_its_finding_stands(designed) -> None:
    """The monitor counts from the start of the trace, prompt included; events from the text's."""
    store, run = designed
    verdicts: dict[tuple, MonitorVerdict] = {}
    seen = 0
    for stored in store.events(run):
        place, event = (stored.key.task, stored.key.sample), stored.event
        if isinstance(event, MonitorVerdict):
            verdicts[place] = event
        first = verdicts[place].violation if place in verdicts else None
        if (
            first is not None
            and isinstance(event, GateDecision)
            and (event.form, event.source_kind) == (Form.TRACE, SourceKind.RAW)
        ):
            found = next(f for f in event.findings if f.code == first.code)
            assert (found.line, found.column) == (first.line, first.column), place
            seen += 1
    assert seen > 20


def test_designed_runs_have_no_episodes(designed) -> None:
    store, run = designed
    assert all_events(store, run, EpisodeClosed) == []


def test_replaying_again_changes_nothing(recorded, tmp_path: Path) -> None:
    store, run = recorded
    before = list(store.payloads(run))
    again = replay(store, RecordedCorpus(LOGS, SUITE), NO_TIMES)
    assert (again.run, again.new) == (run, 0)
    assert list(store.payloads(run)) == before
    with pytest.raises(StoreError, match="another config"):
        replay(store, RecordedCorpus(LOGS, SUITE), ReplaySettings(times=True), run=run)


def test_loops_closed_from_the_store_end_the_same(
    recorded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from verulaw_gate.experiment import replay as module

    monkeypatch.setattr(module, "_KEPT_LOOPS", 0)
    store, run = recorded
    with Store(str(tmp_path / "s.sqlite")) as other:
        again = replay(other, RecordedCorpus(LOGS, SUITE), NO_TIMES).run
        assert all_events(other, again, EpisodeClosed) == all_events(store, run, EpisodeClosed)


def test_a_log_without_text_or_base_says_what_it_can_not_answer(tmp_path: Path) -> None:
    log = tmp_path / "bare.jsonl"
    source = "use vstd::prelude::*;\nverus! { fn f() { } }\nfn main() {}\n"
    lines = [
        {"schema": "verulaw-gate/attempt/1", "task": "x", "attempt": 1, "source": source},
        {"schema": "verulaw-gate/attempt/1", "task": "x", "attempt": 2, "text": "[Body]\n{}\n"},
        {
            "schema": "verulaw-gate/attempt/1",
            "task": "x",
            "attempt": 3,
            "source": source,
            "verus": {"outcome": "verified"},
            "mood": "good",
        },
    ]
    log.write_text("".join(json.dumps(line) + "\n" for line in lines))
    corpus = RecordedCorpus([log], SUITE)
    notes = " ".join(corpus.notes)
    for sign in ("no raw text", "base", "2 of 3 attempts have no Verus result", "mood (1)"):
        assert sign in notes
    with Store(str(tmp_path / "s.sqlite")) as store:
        run = replay(store, corpus, NO_TIMES).run
        ends = [e.disposition for e in all_events(store, run, GenerationClosed)]
        assert ends == [Disposition.UNSCORED, Disposition.NO_CANDIDATE, Disposition.RECORDED]
        assert [e.ran for e in all_events(store, run, MonitorVerdict)] == [False] * 3
        assert [j.honest for j in all_events(store, run, Judgement)] == [None]
        assert [e.result for e in all_events(store, run, EpisodeClosed)] == [EpisodeResult.UNJUDGED]
        requests = all_events(store, run, VerusRequest)
        assert all(r.reason for r in requests if r.resolution == "unscored")


@pytest.mark.parametrize(
    ("line", "sign"),
    [
        ("{", "not JSON"),
        ("[]", "not an attempt"),
        ('{"schema": "other/1"}', "other/1"),
        ('{"schema": "verulaw-gate/attempt/1", "task": "t", "attempt": 0, "text": ""}', "attempt"),
        ('{"schema": "verulaw-gate/attempt/1", "task": "t", "attempt": 1}', "`text` or `source`"),
        (
            '{"schema": "verulaw-gate/attempt/1", "task": "t", "attempt": 1, "text": "",'
            ' "verus": {"outcome": "fine"}}',
            "verus.outcome",
        ),
        (
            '{"schema": "verulaw-gate/attempt/1", "task": "t", "attempt": 1, "text": "\\ud800"}',
            "surrogate",
        ),
        (
            '{"schema": "verulaw-gate/attempt/1", "task": "t", "attempt": 1, "text": "",'
            ' "seconds": NaN}',
            "seconds",
        ),
    ],
)
def test_a_bad_line_is_one_error_at_its_place(tmp_path: Path, line: str, sign: str) -> None:
    log = tmp_path / "log.jsonl"
    good = '{"schema": "verulaw-gate/attempt/1", "task": "t", "attempt": 9, "text": ""}'
    log.write_text(f"{good}\n\n{line}\n")
    with pytest.raises(LogError, match=sign) as told:
        RecordedCorpus([log])
    assert (told.value.line, told.value.path) == (3, str(log))
    assert told.value.hint


def test_bad_files(tmp_path: Path) -> None:
    empty, latin, twice = (tmp_path / n for n in ("empty", "latin", "twice"))
    empty.write_text("\n")
    latin.write_bytes(b"\xff\n")
    good = '{"schema": "verulaw-gate/attempt/1", "task": "t", "attempt": 1, "text": ""}\n'
    twice.write_text(good * 2)
    for path, sign in (
        (empty, "no attempts"),
        (latin, "not UTF-8"),
        (twice, "second time"),
        (tmp_path, "directory"),
        (tmp_path / "none", "no such file"),
    ):
        with pytest.raises(LogError, match=sign):
            RecordedCorpus([path])


def test_a_log_that_is_named_twice_is_not_counted_twice(tmp_path: Path) -> None:
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(LOGS[0].read_bytes())
    for again in (LOGS[0], copy):
        with pytest.raises(LogError, match="the same log as"):
            RecordedCorpus([LOGS[0], LOGS[1], again])


def test_crlf_and_nul_are_content(tmp_path: Path) -> None:
    row = next(r for r in rows() if r["task"] == "t01-max-of-slice")
    row["text"] = row["text"].replace("\n", "\r\n") + "\x00"
    log = tmp_path / "log.jsonl"
    log.write_text(json.dumps(row) + "\n")
    with Store(str(tmp_path / "s.sqlite")) as store:
        run = replay(store, RecordedCorpus([log], SUITE), NO_TIMES).run
        verdict = all_events(store, run, MonitorVerdict)[0]
        assert verdict.violation is not None
        assert verdict.violation.offset == row["text"].index("\x00")
        generation = next(s.event for s in store.events(run) if s.event.kind == "generation")
        assert store.text(generation.text_sha256) == row["text"]


def _start(log: Path, database: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "verulaw_gate", "replay", str(log), "--no-times"]
    return subprocess.Popen(
        [*command, "--store", str(database), "--run", "killed"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )


def _stored(database: Path) -> int:
    try:
        with Store(str(database), read_only=True) as store:
            return sum(1 for key in store.keys("killed") if key[3])
    except StoreError:
        return 0


@pytest.mark.parametrize("seed", range(4))
def test_killed_and_restarted_ends_the_same(tmp_path: Path, seed: int, recorded) -> None:
    """SIGKILL at seeded points, several times; then the store is what one quiet replay gives."""
    rng = random.Random(seed)
    log, database = tmp_path / "log.jsonl", tmp_path / "s.sqlite"
    log.write_text("".join(line + "\n" for line in LOGS[1].read_text().splitlines()))
    kills, seen = 0, []
    for point in sorted(rng.sample(range(1, 70), 3)):
        process = _start(log, database)
        while process.poll() is None and _stored(database) < point:
            time.sleep(0.01)
        time.sleep(rng.random() * 0.02)
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            kills += 1
        process.wait()
        seen.append(_stored(database))
    assert kills, "every replay ended before it was killed"
    last = _start(log, database)
    _, errors = last.communicate(timeout=300)
    assert last.returncode == 0, errors.decode()
    with Store(str(tmp_path / "quiet.sqlite")) as quiet, Store(str(database)) as store:
        replay(quiet, RecordedCorpus([log], SUITE), NO_TIMES, run="killed")
        wanted = [(k, s, p) for k, s, p in quiet.payloads("killed") if k.task]
        got = [(k, s, p) for k, s, p in store.payloads("killed") if k.task]
        assert got == wanted
        assert store.run("killed").closed == quiet.run("killed").closed
    assert seen == sorted(seen)


def test_vericoding_attempts_if_there(tmp_path: Path) -> None:
    """Third-party logs, never part of this project: no attempt that Verus verified, or of which
    only the proof failed, is rejected by a predictive rule; the notes say what the log lacks."""
    from verulaw_gate.codes import PREDICTIVE

    folder = Path(os.environ.get("VERULAW_ATTEMPTS") or _ROOT.parent / "shared" / "attempts")
    log = folder / "vericoding-dev.jsonl"
    if not log.is_file():
        pytest.skip(f"no vericoding-dev.jsonl in {folder} (set VERULAW_ATTEMPTS)")
    corpus = RecordedCorpus([log], SUITE)
    assert any("how many calls a success takes" in note for note in corpus.notes)
    assert any("nothing can be said of protocols" in note for note in corpus.notes)
    passed = 0
    with Store(str(tmp_path / "s.sqlite")) as store:
        run = replay(store, corpus, NO_TIMES).run
        rejected: dict[tuple, bool] = {}
        for stored in store.events(run):
            place, event = (stored.key.task, stored.key.generation), stored.event
            if isinstance(event, GateDecision):
                rejected[place] = event.family in PREDICTIVE
            if isinstance(event, VerificationDone) and event.outcome in (
                Outcome.VERIFIED,
                Outcome.PROOF_FAILURE,
            ):
                passed += 1
                assert not rejected[place], place
    print(f"0 of {passed} attempts that passed the front end rejected by a predictive rule")
    assert passed == 227


def test_a_base_with_holes_needs_no_task_of_the_suite(tmp_path: Path) -> None:
    """The same attempts under names that the suite does not know: same verdicts, same judge."""
    log = tmp_path / "log.jsonl"
    renamed = [{**row, "task": "x-" + row["task"]} for row in rows()[:27]]
    log.write_text("".join(json.dumps(row) + "\n" for row in renamed))
    with Store(str(tmp_path / "s.sqlite")) as store:
        ours = replay(store, RecordedCorpus([log]), NO_TIMES).run
        suite = replay(store, RecordedCorpus([LOGS[0]], SUITE), NO_TIMES).run

        def verdicts(run: str) -> list:
            return [
                (s.key.task.removeprefix("x-"), s.event.honest)
                for s in store.events(run)
                if isinstance(s.event, Judgement)
            ]

        # What executable code an annotate task fixes is not in a base.
        annotate = {t.id for t in SUITE if t.kind == "annotate"}
        known = [v for v in verdicts(suite) if v[0] not in annotate]
        assert [v for v in verdicts(ours) if v[0] not in annotate] == known
        assert len(known) > 15
        assert all(honest for _, honest in known)


def test_a_verus_program_takes_the_place_of_the_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A stand-in program that accepts every file and lists a function of another name: results
    are executions, and the frozen judge believes none of them."""
    from verulaw_gate.cli.main import main

    log, url = tmp_path / "log.jsonl", str(tmp_path / "s.sqlite")
    log.write_text("".join(line + "\n" for line in LOGS[0].read_text().splitlines()[:2]))
    program = _ROOT / "tests" / "standins" / "faulty_verus.py"
    monkeypatch.setenv("VERULAW_VERUS", str(program))
    command = ["replay", str(log), "--verifier", "verus", "--store", url, "--run", "v"]
    assert main(command) == 0
    assert "2 generations (recorded)" in capsys.readouterr().out
    with Store(url) as store:
        resolutions = Counter(e.resolution for e in all_events(store, "v", VerusRequest))
        assert resolutions == {"execution": 4}
        ends = all_events(store, "v", EpisodeClosed)
        assert [(e.result, e.executions) for e in ends] == [(EpisodeResult.CHEAT, 1)] * 2
    assert main(["replay", str(log), "--store", url, "--verus", "x"]) == 2
    assert "--verifier verus" in capsys.readouterr().err
