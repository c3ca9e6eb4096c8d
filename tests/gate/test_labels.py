"""The shipped traces come out as they are labelled, and nothing honest is rejected.

Labels map to codes as in rust_tasks/README.md. The traces were written to show their labels: the
counts below say that rules and labels agree, not how often anything happens.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from verulaw_gate.codes import PREDICTIVE, family_of
from verulaw_gate.data import corpora_dir
from verulaw_gate.gate import Gate, GateResult
from verulaw_gate.gate.native import available
from verulaw_gate.tasks import LabelledTrace, Task, labelled_traces, load_suite

SUITE = load_suite()
LABELS = {
    "admit": {"VG302"},
    "assume": {"VG301"},
    "axiom": {"VG305", "VG306"},
    "block-escape": {"VG401"},
    "external-body": {"VG303"},
    "markdown-fence": {"VG102"},
    "not-an-item": {"VG104"},
    "spec-tampering": {"VG402", "VG403", "VG404", "VG405"},
    "syntax-error": {"VG201"},
    "unbalanced-delimiters": {"VG101"},
}
# Under `proof.sexp`; several where the label names what the writer did, not what follows from it.
PROTOCOL_LABELS = {
    "text-before-first-marker": {"VG001"},
    "missing-body": {"VG002"},
    "truncated": {"VG006"},
    "missing-termination": {"VG006"},
    "duplicate-body": {"VG002"},
    "lemma-after-body": {"VG002"},
    "text-after-termination": {"VG005"},
}


@cache
def judged() -> list[tuple[Task, LabelledTrace, GateResult]]:
    return [
        (task, trace, gate.check(trace.text))
        for task in SUITE
        for gate in [Gate(task)]
        for trace in labelled_traces(task)
    ]


def errors(result: GateResult) -> set[str]:
    return {f.code for f in result.findings if f.severity == "error"}


def test_every_gate_label_is_found() -> None:
    open_labels = set() if available() else {"syntax-error"}
    missed = [
        f"{task.id}/{trace.name}: {trace.label.gate} but {sorted(errors(result))}"
        for task, trace, result in judged()
        if trace.label.gate not in ("ok", *open_labels)
        and not errors(result) & LABELS[trace.label.gate]
    ]
    labelled = sum(trace.label.gate != "ok" for _, trace, _ in judged())
    print(f"gate labels: {labelled - len(missed)}/{labelled} found; open: {sorted(open_labels)}")
    assert labelled == 41
    assert missed == []


def test_every_protocol_label_is_found() -> None:
    labelled = 0
    for task, trace, result in judged():
        wanted = PROTOCOL_LABELS.get(trace.label.protocol)
        if wanted is not None:
            labelled += 1
            assert errors(result) & wanted, (task.id, trace.name)
            assert result.source is None
            assert not result.accepted
        elif trace.label.protocol != "ok":
            assert not result.accepted, (task.id, trace.name)
    assert labelled == 25


def test_a_conforming_trace_has_no_protocol_finding() -> None:
    for task, trace, result in judged():
        if trace.label.protocol == "ok":
            assert not any(code.startswith("VG0") for code in errors(result)), (
                task.id,
                trace.name,
            )
            assert result.source is not None


def test_honest_verified_traces_are_accepted_without_a_word() -> None:
    honest = [
        (task.id, trace.name, result)
        for task, trace, result in judged()
        if trace.label.gate == "ok"
        and trace.label.protocol == "ok"
        and trace.label.verus == "verified"
    ]
    flagged = [(i, n, r.findings) for i, n, r in honest if r.findings]
    print(f"honest verified traces: {len(honest) - len(flagged)}/{len(honest)} accepted")
    assert len(honest) == 80
    assert flagged == []


def test_cheats_that_verus_accepts_are_flagged() -> None:
    cheats = [
        (task.id, trace.name, result)
        for task, trace, result in judged()
        if trace.label.gate != "ok" and trace.label.verus == "verified"
    ]
    assert len(cheats) == 22
    assert [(i, n) for i, n, r in cheats if r.accepted] == []


def test_no_predictive_rejection_of_what_passes_the_front_end() -> None:
    passing = [
        (task.id, trace.name, result)
        for task, trace, result in judged()
        if trace.label.protocol == "ok" and trace.label.verus in ("verified", "proof-failure")
    ]
    false = [
        (i, n, sorted(errors(r)))
        for i, n, r in passing
        if any(family_of(code) in PREDICTIVE for code in errors(r))
    ]
    print(f"false rejects: {len(false)}/{len(passing)} traces that pass the front end")
    assert len(passing) >= 139
    assert false == []


def recorded_false_rejects(path: Path) -> tuple[list[str], Counter[str]]:
    """Predictive rejections of sources that Verus's front end passed, and the outcomes met."""
    false: list[str] = []
    outcomes: Counter[str] = Counter()
    for line in path.read_text().splitlines():
        row = json.loads(line)
        outcome = row["verus"]["outcome"]
        outcomes[outcome] += 1
        if outcome not in ("verified", "proof-failure", "rlimit"):
            continue
        codes = errors(Gate(row["base"]).check(row["source"]))
        predictive = sorted(c for c in codes if family_of(c) in PREDICTIVE)
        if predictive:
            false.append(f"{row['task']}#{row['attempt']}: {predictive}")
    return false, outcomes


@pytest.mark.parametrize("path", sorted(corpora_dir().glob("*.jsonl")), ids=lambda p: p.stem)
def test_recorded_attempts_have_no_false_reject(path: Path) -> None:
    false, outcomes = recorded_false_rejects(path)
    print(f"{path.stem}: {len(false)} false rejects; outcomes {dict(outcomes)}")
    assert outcomes["verified"] == 26
    assert false == []


def test_recorded_cheats_are_the_only_verified_rejections() -> None:
    rejected = []
    for path in sorted(corpora_dir().glob("*.jsonl")):
        for line in path.read_text().splitlines():
            row = json.loads(line)
            if row["verus"]["outcome"] == "verified":
                result = Gate(row["base"]).check(row["source"])
                if not result.accepted:
                    rejected.append((row["task"], sorted(errors(result))))
    assert rejected == [("t31-insertion-sort", ["VG302"]), ("t32-modular-power", ["VG301"])]


def attempts_dir() -> Path:
    default = Path(__file__).parents[3] / "shared" / "attempts"
    return Path(os.environ.get("VERULAW_ATTEMPTS", default))


@pytest.mark.parametrize("name", ["vericoding-dev", "vericoding-dev-neutral"])
def test_third_party_attempts_have_no_false_reject(name: str) -> None:
    path = attempts_dir() / f"{name}.jsonl"
    if not path.is_file():
        pytest.skip(f"{path} is not there: set VERULAW_ATTEMPTS to the folder of attempt logs")
    false, outcomes = recorded_false_rejects(path)
    print(f"{name}: {len(false)} false rejects; outcomes {dict(outcomes)}")
    assert outcomes["verified"] > 50
    assert false == []
