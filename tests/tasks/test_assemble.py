"""Assembled bytes against the recorded hashes, with an independent splitter as the monitor."""

from __future__ import annotations

import hashlib
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verulaw_gate.data import corpora_dir
from verulaw_gate.errors import InputError
from verulaw_gate.monitor.model import Speaker, Step
from verulaw_gate.tasks import (
    assemble,
    assemble_lenient,
    labelled_traces,
    load_suite,
    load_task,
    recordings,
)

SUITE = load_suite()
MARK = re.compile(r"^\[(Lemma|Body|QED)\]", re.M)


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def steps_of(text: str) -> list[Step]:
    marks = list(MARK.finditer(text))
    ends = [m.start() for m in marks[1:]] + [len(text)]
    return [
        Step(m[1].lower(), text[m.end() : e], Speaker.MODEL, m.start(), m.end(), e, 1, 1)
        for m, e in zip(marks, ends, strict=True)
    ]


def test_every_recorded_source_is_reproduced() -> None:
    strict = lenient = 0
    for task in SUITE:
        recorded = recordings(task)
        for trace in labelled_traces(task):
            got = recorded[trace.name]
            for one in (got.plain, got.strict):
                if one is not None:
                    source = assemble(task, steps_of(trace.text)).source
                    assert sha(source) == one.source_sha256, one.path
                    strict += 1
            if got.lenient is not None:
                source = assemble_lenient(task, trace.text).source
                assert source == got.lenient.source
                assert sha(source) == got.lenient.source_sha256
                lenient += 1
    assert (strict, lenient) == (331, 31)


def test_lenient_gives_the_sources_of_the_recorded_loops() -> None:
    tasks = {task.id: task for task in SUITE}
    seen = 0
    for path in sorted(corpora_dir().glob("proof-protocol-*.jsonl")):
        for line in path.read_text().splitlines():
            row = json.loads(line)
            assert assemble_lenient(tasks[row["task"]], row["text"]).source == row["source"]
            seen += 1
    assert seen == 98


def test_pieces_point_at_the_trace() -> None:
    for task in SUITE:
        for trace in labelled_traces(task):
            made = assemble_lenient(task, trace.text)
            for piece in made.pieces:
                text = made.source[piece.source_start : piece.source_end]
                assert trace.text[piece.trace_start :].startswith(text)


@given(st.integers(0, len(SUITE) - 1), st.data())
def test_crlf_makes_no_difference(index: int, data: st.DataObject) -> None:
    task = SUITE[index]
    trace = data.draw(st.sampled_from(labelled_traces(task)))
    crlf = trace.text.replace("\n", "\r\n")
    assert assemble_lenient(task, crlf).source == assemble_lenient(task, trace.text).source


@given(st.text(alphabet="[]LemaBodyQED{}\n\r x\u2028\x0c", max_size=60))
def test_lenient_takes_any_text(text: str) -> None:
    task = SUITE[0]
    made = assemble_lenient(task, text)
    assert made.source.endswith("\n")
    lines = made.source.split("\n")
    assert "//@ body" not in lines
    assert "//@ lemmas" not in lines


def test_strict_wants_one_body() -> None:
    task = load_task("t01")
    with pytest.raises(InputError, match="has 0"):
        assemble(task, steps_of("[QED]"))
    with pytest.raises(InputError, match="has 2"):
        assemble(task, steps_of("[Body]{}\n[Body]{}\n[QED]"))
