"""Recorded results: served as they were, missed with a remedy, never guessed."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from verulaw_gate.data import corpora_dir
from verulaw_gate.errors import LogError, RecordedMiss
from verulaw_gate.tasks import load_suite, recordings
from verulaw_gate.verus.keys import source_sha256
from verulaw_gate.verus.model import RECORDED_OPTIONS, STRICT_OPTIONS, Outcome, VerusOptions
from verulaw_gate.verus.recorded import RecordedVerifier
from verulaw_gate.verus.runs import Run, from_json, to_json

LOGS = sorted(corpora_dir().glob("*.jsonl"))
EXTERNAL = Path(
    os.environ.get("VERULAW_ATTEMPTS", Path(__file__).resolve().parents[3] / "shared" / "attempts")
)


def attempts(paths):
    for path in paths:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            yield number, json.loads(line)


def check_log(paths):
    verifier = RecordedVerifier()
    for number, attempt in attempts(paths):
        verifier.add_attempt(attempt, line=number)
    count = 0
    for _, attempt in attempts(paths):
        result = verifier.verify(attempt["source"])
        told = attempt["verus"]
        assert result.outcome == told["outcome"]
        assert (result.verified, result.errors) == (told["verified"], told["errors"])
        assert [d.message for d in result.diagnostics] == [
            d["message"] for d in told["diagnostics"]
        ]
        assert result.origin == "recorded"
        if "strict" in attempt:
            strict = verifier.verify(attempt["source"], STRICT_OPTIONS)
            verified = attempt["strict"]["outcome"] == "verified"
            assert (strict.outcome is Outcome.VERIFIED) == verified
        count += 1
    return count


def test_shipped_logs():
    assert check_log(LOGS) == 98


def test_external_logs():
    paths = sorted(EXTERNAL.glob("vericoding*.jsonl"))
    if not paths:
        pytest.skip(f"no vericoding logs in {EXTERNAL} (set VERULAW_ATTEMPTS)")
    assert check_log(paths) > 0


def test_every_recording_of_the_suite_is_served_under_its_own_options():
    suite = load_suite()
    verifier = RecordedVerifier.of(tasks=suite)
    plain = strict = 0
    for task in suite:
        for group in recordings(task).values():
            for recording in (group.plain, group.strict, group.lenient):
                if recording is None or recording.source is None:
                    continue
                result = verifier.verify(recording.source, target=task.target)
                assert result.exit_code == recording.exit_code
                assert result.wall_s is not None
                assert (result.outcome is Outcome.VERIFIED) == (result.exit_code == 0)
                plain += 1
            if group.strict is not None:
                assert group.strict.args != RECORDED_OPTIONS.args
                strict += 1
    assert plain > 0
    assert strict > 0


def test_a_miss_names_the_hash_and_how_to_record_it():
    verifier = RecordedVerifier()
    with pytest.raises(RecordedMiss) as caught:
        verifier.verify("fn x() {}")
    assert source_sha256("fn x() {}") in str(caught.value)
    assert "--output-json" in str(caught.value)
    assert "verulaw-gate record" in caught.value.hint


def run(exit_code=1, stdout="", stderr="", **more):
    return Run(("verus", "candidate.rs", *RECORDED_OPTIONS.args), exit_code, stdout, stderr, **more)


def transcript(name):
    path = Path(__file__).parent / "transcripts" / f"{name}.json"
    first = json.loads(path.read_text(encoding="utf-8"))["runs"][0]
    return run(first["exit_code"], first["stdout"], first["stderr"])


def test_options_are_part_of_the_key():
    verifier = RecordedVerifier()
    verifier.add(source_sha256("x"), RECORDED_OPTIONS, transcript("verified"))
    assert verifier.verify("x").outcome is Outcome.VERIFIED
    reordered = VerusOptions(tuple(reversed(RECORDED_OPTIONS.args)))
    assert verifier.verify("x", reordered).outcome is Outcome.VERIFIED
    with pytest.raises(RecordedMiss, match="other options"):
        verifier.verify("x", STRICT_OPTIONS)


def test_a_definite_outcome_wins_and_two_that_disagree_are_a_miss():
    verifier, key = RecordedVerifier(), source_sha256("x")
    verifier.add(key, RECORDED_OPTIONS, run(-9))
    assert verifier.verify("x").outcome is Outcome.CRASH
    verifier.add(key, RECORDED_OPTIONS, transcript("verified"))
    assert verifier.verify("x").outcome is Outcome.VERIFIED
    verifier.add(key, RECORDED_OPTIONS, transcript("verified"))
    assert verifier.verify("x").outcome is Outcome.VERIFIED
    verifier.add(key, RECORDED_OPTIONS, transcript("postcondition"))
    with pytest.raises(RecordedMiss, match="disagree"):
        verifier.verify("x")


@pytest.mark.parametrize(
    "bad",
    [
        {},
        {"source": "x"},
        {"source": "x", "verus": {}},
        {"source": "x", "verus": {"outcome": "fine"}},
        {"source": "x", "verus": None},
        {"source": "x", "verus": {"outcome": "verified"}, "strict": {}},
        {"source": "x", "verus": {"outcome": "verified", "diagnostics": [1]}},
    ],
)
def test_an_attempt_without_a_usable_result_is_one_error_with_its_line(bad):
    with pytest.raises(LogError) as caught:
        RecordedVerifier().add_attempt(bad, line=7)
    assert caught.value.line == 7


def test_a_folder_of_recordings(tmp_path):
    verifier = RecordedVerifier()
    (tmp_path / "a.json").write_text(to_json(transcript("verified"), source_sha256("x")))
    verifier.add_folder(tmp_path)
    assert verifier.verify("x").verified == 2
    for text in (
        "{",
        "[]",
        '{"argv": []}',
        "\ud800".encode("utf-8", "surrogatepass").decode("latin-1"),
    ):
        (tmp_path / "b.json").write_text(text)
        with pytest.raises(LogError) as caught:
            RecordedVerifier().add_folder(tmp_path)
        assert caught.value.path == str(tmp_path / "b.json")


def test_a_recording_reads_back_as_it_was():
    one = run(0, "out\ud7ff", "é\n", version="1", wall_s=1.5, cpu_s=2.0, truncated=True)
    assert from_json(json.loads(to_json(one, "k"))) == one
