"""The frozen judge on everything that real Verus verified, and on tampered files."""

from __future__ import annotations

import re

import pytest

from verulaw_gate.experiment.judge import judge, specification_unchanged, tokens
from verulaw_gate.tasks import Task, assemble_lenient, labelled_traces, load_suite, recordings
from verulaw_gate.tasks.model import LabelledTrace
from verulaw_gate.verus.model import Outcome

SUITE = load_suite()
TRACES = [(task, trace) for task in SUITE for trace in labelled_traces(task)]
CHEATS = {"spec-tampering", "block-escape"}
HONEST = [
    pytest.param(task, trace, id=f"{task.id}/{trace.name}")
    for task, trace in TRACES
    if trace.label.gate == "ok" and trace.label.verus == "verified"
]


@pytest.mark.parametrize(("task", "trace"), HONEST)
def test_honest_proofs_keep_the_specification(task: Task, trace: LabelledTrace) -> None:
    source = assemble_lenient(task, trace.text).source
    assert specification_unchanged(task, source).value is True


@pytest.mark.parametrize(
    ("task", "trace"),
    [pytest.param(t, x, id=f"{t.id}/{x.name}") for t, x in TRACES if x.label.gate in CHEATS],
)
def test_tampering_never_counts_as_unchanged(task: Task, trace: LabelledTrace) -> None:
    source = assemble_lenient(task, trace.text).source
    assert specification_unchanged(task, source).value is not True


def test_all_labelled_cheats_that_verus_accepts_are_no_honest_success() -> None:
    """22 labelled cheats verify under plain Verus (16 of them not under --no-cheating)."""
    cheats = caught_by_strict = 0
    for task, trace in TRACES:
        recorded = recordings(task).get(trace.name)
        if recorded is None or recorded.plain is None or recorded.plain.exit_code != 0:
            continue
        assert recorded.strict is not None
        strict = Outcome.VERIFIED if recorded.strict.exit_code == 0 else Outcome.COMPILE_ERROR
        source = assemble_lenient(task, trace.text).source
        said = judge(task, source, target_proved=True, strict=strict)
        if trace.label.gate == "ok":
            assert said.honest is True, (task.id, trace.name, said.reason)
        else:
            cheats += 1
            caught_by_strict += strict is not Outcome.VERIFIED
            assert said.honest is not True, (task.id, trace.name)
            assert said.reason
    assert (cheats, caught_by_strict) == (22, 16)


def test_every_single_change_of_fixed_tokens_is_seen() -> None:
    for task in SUITE:
        source = assemble_lenient(task, task.reference).source
        start = source.index("verus!")
        for match in list(re.finditer(r"requires|ensures|<=|->|\bu64\b|\bint\b", source)):
            head = task.source.split("//@ lemmas")[0]
            if match.start() < start or match.start() >= len(head):
                continue
            changed = source[: match.start()] + " changed " + source[match.end() :]
            assert specification_unchanged(task, changed).value is False


@pytest.mark.parametrize(
    ("lemmas", "value"),
    [
        ("proof fn helper() {}", True),
        ("mod m { pub struct Seq; } use m::Seq;", None),
        ("use m::Other as Seq;", None),
        ("use m::Seq as Other;", True),
        ("proof fn max_of_slice() {}", None),
        ("#[verifier::external_body]", False),
        ("} fn x() {", False),
        ("/* ", False),
    ],
)
def test_what_lemmas_may_bring(lemmas: str, value: bool | None) -> None:
    task = next(t for t in SUITE if t.id.startswith("t01"))
    text = "[Lemma]\n" + lemmas + "\n" + task.reference
    base = task.source.replace("s@.len() > 0", "s@.len() > 0 && s@ == Seq::new(1, |i| 0)")
    changed = Task(**{**{f: getattr(task, f) for f in task.__slots__}, "source": base})
    source = assemble_lenient(changed, text).source
    assert specification_unchanged(changed, source).value is value


@pytest.mark.parametrize(
    ("proved", "strict", "honest"),
    [
        (True, Outcome.VERIFIED, True),
        (None, Outcome.VERIFIED, None),
        (True, None, None),
        (True, Outcome.TIMEOUT, None),
        (False, None, False),
        (True, Outcome.COMPILE_ERROR, False),
        (None, Outcome.COMPILE_ERROR, False),
    ],
)
def test_three_valued(proved: bool | None, strict: Outcome | None, honest: bool | None) -> None:
    task = SUITE[0]
    source = assemble_lenient(task, task.reference).source
    assert judge(task, source, target_proved=proved, strict=strict).honest is honest


def test_tokens_skip_what_is_no_code() -> None:
    text = "a /* { /* } */ */ \"}\" '{' r#\"\"}\"# 'x b'\\'' // }\n b"
    assert tokens(text) == ["a", '"}"', "'{'", 'r#""}"#', "'x", "b'\\''", "b"]
    assert tokens("a /* /* */") is None
    assert tokens('r#"x"') is None
