"""What the model is told: the format from the protocol alone, feedback within its budget."""

from __future__ import annotations

import pytest

from verulaw_gate.agent.explain import explain
from verulaw_gate.agent.feedback import gate_feedback, protocol_feedback, verus_feedback
from verulaw_gate.agent.model import CHARACTERS_PER_TOKEN
from verulaw_gate.agent.prompting import continued, task_prompt, task_text
from verulaw_gate.agent.text import clean, split_pair, visible
from verulaw_gate.errors import RecordedMiss, UsageError
from verulaw_gate.findings import Finding
from verulaw_gate.gate import Gate
from verulaw_gate.monitor import run_trace
from verulaw_gate.protocol import compile_protocol, load_protocol, parse_protocol, shipped
from verulaw_gate.spans import LineIndex
from verulaw_gate.tasks import assemble, assemble_lenient, labelled_traces, load_suite
from verulaw_gate.verus import Outcome, RecordedVerifier

SUITE = load_suite()
PROOF = load_protocol("proof")
VERIFIER = RecordedVerifier.of(SUITE)


@pytest.mark.parametrize("name", shipped())
def test_every_protocol_explains_itself(name):
    """Every marker is there, environment states are marked as such, and the lines of what may
    follow are those of the automaton."""
    protocol = load_protocol(name)
    text = explain(protocol)
    lines = text.split("\n")
    automaton = compile_protocol(protocol)
    for state in protocol.states:
        (line,) = [x for x in lines if x.startswith(f"- {state.text} ")]
        assert ("Never write its content" in line) == state.env_input
        follows = {
            successor
            for _, via, target in automaton.edges()
            if via == state.name
            for successor in automaton.legal_next(target)
        }
        (after,) = [x for x in lines if x.startswith(f"- after {state.text}: ")]
        listed = after.removeprefix(f"- after {state.text}: ").split(" or ")
        markers = {protocol.state(n).text for n in follows}
        assert set(listed) - {"the end of the answer"} == markers
    assert explain(protocol) == text


def test_bounds_and_properties_in_words():
    protocol = parse_protocol(
        """(define p (:states (a (:text "[A]") (:max-chars 9)) (b (:text "[B]") (:one-of "x" "y"))
        (c (:text "[C]") (:content json)))
        (:behavior (next (until_2_3 a b) (or a c) (always b))))"""
    )
    text = explain(protocol)
    assert "at most 9 characters" in text
    assert "one of: x, y" in text
    assert "one JSON value" in text
    assert "2 to 3 times [A], then [B]" in text
    assert "either [A] or [C]" in text
    assert "any number of times [B]" in text


def test_the_task_prompt_has_the_fixed_file_and_never_the_reference():
    for task in SUITE:
        prompt = task_prompt(task, PROOF)
        text = prompt.messages[0].content
        assert task.source.rstrip("\n") in text
        assert task.statement in text
        whole = prompt.system + text
        assert task.reference.strip() not in whole
        if task.exec_body is not None:
            assert task.exec_body.strip() in text
    example = task_prompt(SUITE[0], PROOF, examples=[SUITE[1]])
    assert [str(m.role) for m in example.messages] == ["user", "assistant", "user"]
    assert example.messages[1].content == SUITE[1].reference.strip()
    with pytest.raises(UsageError, match="its own example"):
        task_prompt(SUITE[0], PROOF, examples=[SUITE[0]])
    assert task_text(SUITE[0]) in example.messages[2].content
    assert len(continued(example, " \n", "again").messages) == 4
    assert len(continued(example, "x", "again").messages) == 5


def failing():
    for task in SUITE:
        for trace in labelled_traces(task):
            verdict = run_trace(PROOF, trace.text)
            if not verdict.ok:
                continue
            assembly = assemble(task, verdict.steps)
            try:
                result = VERIFIER.verify(assembly.source, target=task.target)
            except RecordedMiss:
                continue  # a trace that the recorded harness cut in another way
            if result.outcome is not Outcome.VERIFIED:
                yield task, trace, assembly, result


def test_verus_feedback_names_places_in_the_models_own_sections():
    """Every place "in your [Body], line N" quotes that very line of the model's own text."""
    checked = 0
    for task, trace, assembly, result in failing():
        said = verus_feedback(result, assembly, task.target, tokens=5000)
        lines = said.split("\n")
        assert said == verus_feedback(result, assembly, task.target, tokens=5000)
        for at, line in enumerate(lines):
            if "in your [Body], line " not in line or at + 1 >= len(lines):
                continue
            number = int(line.split("in your [Body], line ")[1].rstrip(":"))
            verdict = run_trace(PROOF, trace.text)
            body = next(s for s in verdict.steps if s.state == "body").content.strip("\n")
            own = " ".join(body.split("\n")[number - 1].split())
            assert lines[at + 1].strip() == f"`{own}`", (task.id, trace.name)
            checked += 1
    assert checked > 50


@pytest.mark.parametrize("tokens", [1, 40, 100, 400, 5000])
def test_feedback_keeps_to_its_budget_and_says_what_is_missing(tokens):
    """At least the first error; beyond that never more than the budget and a closing line."""
    cut = 0
    for task, _, assembly, result in failing():
        said = verus_feedback(result, assembly, task.target, tokens=tokens)
        whole = verus_feedback(result, assembly, task.target, tokens=10**6)
        missing = "not shown)" in said
        cut += missing
        entries = [x for x in whole.split("\n") if x[:1].isdigit()]
        shown = [x for x in said.split("\n") if x[:1].isdigit()]
        assert shown == entries[: len(shown)]
        assert missing == (len(shown) < len(entries))
        if len(shown) > 1:
            assert len(said) <= tokens * CHARACTERS_PER_TOKEN + 40
    assert cut > 0 or tokens > 100


def test_gate_feedback_with_and_without_remedies():
    gate = Gate(SUITE[0])
    trace = next(t for t in labelled_traces(SUITE[0]) if t.name == "gate-assume-tail")
    result = gate.check(trace.text)
    said = gate_feedback(result.findings, trace.text, tokens=500)
    assert "assume" in said
    assert "Remedy:" in said
    assert "Remedy:" not in gate_feedback(result.findings, trace.text, with_fix=False, tokens=500)
    many = [Finding("VG301", "m", LineIndex("x\n" * 99).span(2 * n, 2 * n + 1)) for n in range(99)]
    assert "more findings not shown" in gate_feedback(many, "x\n" * 99, tokens=50)


def test_protocol_feedback():
    verdict = run_trace(PROOF, "[Lemma]\nfn a() { }\n[QED]\n")
    said = protocol_feedback(verdict, PROOF)
    assert "line 3" in said
    assert "Expected there: [Lemma] or [Body]." in said
    verdict = run_trace(PROOF, "**[Body]**\n{ }\n[QED]\n")
    assert "looks like a marker" in protocol_feedback(verdict, PROOF)
    with pytest.raises(ValueError, match="nothing"):
        protocol_feedback(run_trace(PROOF, "[Body]\n{ }\n[QED]\n"), PROOF)


def test_texts():
    assert clean("a\ud83d\ude00b\udc00") == "a\N{GRINNING FACE}b\ufffd"
    assert split_pair("ab\ud83d") == ("ab", "\ud83d")
    assert split_pair("") == ("", "")
    assert visible("a\x1b[2J\u202eb\n") == "a\\u{1b}[2J\\u{202e}b\n"
    assert assemble_lenient(SUITE[0], "x").source
