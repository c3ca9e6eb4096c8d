"""Repair mends the wrapping of an answer, never its proof text, and keeps the raw decision."""

from __future__ import annotations

import pytest

from verulaw_gate.gate import Decision, Gate, SourceKind
from verulaw_gate.tasks import labelled_traces, load_suite, load_task

TASK = load_task("t01-max-of-slice")
RAW = Gate(TASK)
MENDING = Gate(TASK, repair=True)
GOOD = TASK.reference
BODY = GOOD.split("[Body]\n")[1].split("[QED]")[0]

CASES = {
    "missing end": (GOOD.replace("[QED]\n", ""), "VG006"),
    "missing end, no last line end": (GOOD.replace("[QED]\n", "").rstrip(), "VG006"),
    "prose before": ("Here is the proof:\n\n" + GOOD, "VG001"),
    "prose after": (GOOD + "\nThis completes the proof.\n", "VG005"),
    "fence around all": (f"```\n{GOOD}```\n", "VG102"),
    "fence with a language": (f"```rust\n{GOOD}```", "VG102"),
    "fence around the body": (f"[Body]\n```rust\n{BODY}```\n[QED]\n", "VG102"),
    "tilde fence around the body": (f"[Body]\n~~~\n{BODY}~~~\n[QED]\n", "VG102"),
    "bold marker": (GOOD.replace("[Body]", "**[Body]**"), "VG001"),
    "heading marker": (GOOD.replace("[Body]", "## [Body]"), "VG001"),
    "lower-case markers": (GOOD.replace("[Body]", "[body]").replace("[QED]", "[qed]"), "VG001"),
    "colon": (GOOD.replace("[QED]", "[QED]:"), "VG001"),
    "prose and fence": (f"Sure!\n\n```rust\n{GOOD}```\n\nDone.", "VG001"),
    "CRLF": (("Proof:\n" + GOOD.replace("[QED]\n", "")).replace("\n", "\r\n"), "VG006"),
}


@pytest.mark.parametrize("name", CASES)
def test_the_wrapping_is_mended(name: str) -> None:
    text, code = CASES[name]
    raw = RAW.check(text)
    assert raw.decision is Decision.REJECTED
    result = MENDING.check(text)
    assert result.decision is Decision.ACCEPTED, result.findings
    assert result.source_kind is SourceKind.REPAIRED
    assert code in {repair.code for repair in result.repairs}
    assert result.raw == raw
    assert result.source == RAW.check(GOOD).source


@pytest.mark.parametrize(
    "text",
    [
        GOOD.replace("    m\n}", "    m\n"),
        GOOD.replace("m = s[i];", "m = s[i]);").replace("[QED]\n", ""),
        "[Lemma]\nproof fn a() { }\n",
        "Here is what I would do.\n",
        "",
        "[Body]\n[QED]\n",
        GOOD.replace("    m\n}", "    assume(false);\n    m\n}").replace("[QED]\n", ""),
        GOOD.replace("[QED]", "[Body]\n{\n}\n[QED]"),
    ],
)
def test_proof_text_is_never_touched(text: str) -> None:
    result = MENDING.check(text)
    assert result.decision is Decision.REJECTED
    assert result.repairs == ()
    assert result.raw is None
    assert result == RAW.check(text)


def test_what_is_fine_is_left_alone() -> None:
    result = MENDING.check(GOOD)
    assert result.accepted
    assert result.source_kind is SourceKind.RAW
    assert result.repairs == ()


def test_repair_never_turns_an_acceptance_over() -> None:
    """On the shipped traces: what was accepted stays as it is; what repair lets through carries
    its raw rejection, and every candidate's code is a part of the answer."""
    mended = []
    for task in load_suite():
        raw, mending = Gate(task, native=False), Gate(task, native=False, repair=True)
        for trace in labelled_traces(task):
            before, after = raw.check(trace.text), mending.check(trace.text)
            if before.accepted:
                assert after == before
            elif after.accepted:
                mended.append(f"{task.id}/{trace.name}")
                assert after.raw == before
                assert after.assembly is not None
                for piece in after.assembly.pieces:
                    part = after.assembly.source[piece.source_start : piece.source_end]
                    assert part in trace.text.replace("\r\n", "\n"), trace.name
            else:
                assert after == before
    print(f"repaired shipped traces: {len(mended)}")
    assert len(mended) >= 12


@pytest.mark.parametrize("name", CASES)
def test_a_raw_decision_that_is_there_is_not_made_again(name: str) -> None:
    # A replay has judged the raw text with a gate that does not repair.
    text, _ = CASES[name]
    mended, whole = MENDING.mended(text, RAW.check(text)), MENDING.check(text)
    assert mended.source_kind is SourceKind.REPAIRED
    assert (mended.source, mended.repairs) == (whole.source, whole.repairs)
    assert mended.findings == whole.findings
