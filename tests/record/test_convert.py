"""Places of findings in traces and in the files made of them."""

from __future__ import annotations

import pytest

from verulaw_gate.findings import Finding
from verulaw_gate.record.convert import MAX_MESSAGE, finding_rows, shown, source_offset
from verulaw_gate.record.events import Form
from verulaw_gate.spans import LineIndex
from verulaw_gate.tasks import assemble_lenient, labelled_traces, load_suite

SUITE = load_suite()


@pytest.mark.parametrize("task", SUITE, ids=lambda t: t.id)
def test_every_character_of_a_section_is_found_in_the_source(task: object) -> None:
    for trace in labelled_traces(task):
        made = assemble_lenient(task, trace.text)
        inside = 0
        for piece in made.pieces:
            for step in range(0, piece.source_end - piece.source_start, 7):
                at = source_offset(piece.trace_start + step, made)
                assert at is not None
                assert made.source[at] == trace.text[piece.trace_start + step]
                inside += 1
        assert inside
        assert source_offset(len(trace.text) + 1, made) is None


def test_rows_name_the_line_in_the_candidate() -> None:
    task = SUITE[0]
    made = assemble_lenient(task, task.reference)
    offset = task.reference.index("while")
    span = LineIndex(task.reference).span(offset, offset + 5)
    row = finding_rows([Finding("VG301", "m", span)], form=Form.TRACE, assembly=made)[0]
    assert made.source.splitlines()[row.source_line - 1].strip().startswith("while")
    assert row.line == task.reference.count("\n", 0, offset) + 1
    alone = finding_rows([Finding("VG301", "m", span)], form=Form.TRACE)[0]
    assert alone.source_line is None
    whole = finding_rows([Finding("VG301", "m")], form=Form.SOURCE)[0]
    assert (whole.line, whole.column, whole.source_line) == (None, None, None)


def test_messages_are_cut_and_can_be_stored() -> None:
    assert len(shown("x" * 1000)) == MAX_MESSAGE
    assert shown("a\ud800b") == "a?b"
