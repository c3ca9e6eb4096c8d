"""What models really write: every habit on react, proof and proof-loop, at every chunk size."""

from __future__ import annotations

import pytest

from verulaw_gate.monitor import Monitor, Verdict, ViolationKind
from verulaw_gate.protocol import load_protocol

PROMPTS = {
    "react": [("question", "Who?")],
    "proof": [("task", "fn f()\n//@ body")],
    "proof-loop": [("task", "fn f()\n//@ body")],
}


def judged(name: str, text: str) -> Verdict:
    """The verdict on one model turn; the same for all ways to cut it in two, and for characters."""
    protocol = load_protocol(name)

    def verdict(chunks: list[str]) -> Verdict:
        monitor = Monitor(protocol)
        monitor.begin(PROMPTS[name])
        for chunk in chunks:
            monitor.feed(chunk)
        return monitor.finish()

    whole = verdict([text])
    for at in range(len(text) + 1):
        assert verdict([text[:at], text[at:]]) == whole
    assert verdict(list(text)) == whole
    return whole


def place(name: str, verdict: Verdict) -> str:
    """The line of the model's text in which the violation lies."""
    monitor = Monitor(load_protocol(name))
    origin = monitor.begin(PROMPTS[name]).count("\n")
    assert verdict.violation is not None
    return str(verdict.violation.line - origin)


ROUND = "[Thought] a\n[Action] b\n[Action Input] c\n"
BLOCK = "[Body]\n{\n}\n"


@pytest.mark.parametrize(
    ("name", "text", "kind", "line"),
    [
        # The environment's answer invented.
        ("react", ROUND + "[Observation] d\n[Final Thought] e\n[Answer] f",
         "environment-content-from-model", 4),
        ("proof-loop", BLOCK + "[Submit]\n[Verus]\nok\n[QED]", "environment-content-from-model", 6),
        ("proof", BLOCK + "[Task]\nagain\n[QED]", "unexpected-state", 4),
        # Several whole cycles in one response.
        ("react", (ROUND + "[Observation]\n") * 2, "environment-content-from-model", 5),
        ("proof-loop", (BLOCK + "[Submit]\n[Verus]\n") * 2, "environment-content-from-model", 6),
        ("proof", (BLOCK + "[QED]\n") * 2, "text-after-termination", 5),
        # A step left out.
        ("react", "[Action] b\n", "unexpected-state", 1),
        ("react", "[Thought] a\n[Observation]", "unexpected-state", 2),
        ("proof-loop", BLOCK + "[Verus]\n", "unexpected-state", 4),
        ("proof", "[QED]", "unexpected-state", 1),
        # A fence or a polite sentence first.
        ("react", "Sure!\n" + ROUND, "text-before-first-marker", 1),
        ("proof", "```rust\n" + BLOCK + "[QED]\n```", "text-before-first-marker", 1),
        ("proof-loop", "\n  \nHere it is:\n" + BLOCK, "text-before-first-marker", 3),
        # Text after the end.
        ("proof", BLOCK + "[QED]\nDone.", "text-after-termination", 5),
        ("proof", BLOCK + "[QED] Done.", "text-after-termination", 4),
        ("react", "[Final Thought] e\n[Answer] f\n[Thought] g", "text-after-termination", 3),
        # The same section twice.
        ("proof", BLOCK + BLOCK + "[QED]", "unexpected-state", 4),
        ("react", "[Thought] a\n[Thought] b\n", "unexpected-state", 2),
        ("proof-loop", "[Plan] a\n[Plan] b\n", "unexpected-state", 2),
    ],
)  # fmt: skip
def test_habits(name: str, text: str, kind: str, line: int) -> None:
    verdict = judged(name, text)
    assert verdict.violation is not None
    assert verdict.violation.kind == kind
    assert place(name, verdict) == str(line)
    assert "[Observation]" not in "".join(step.content for step in verdict.steps)


NEAR = {
    "[Body]": ["**[Body]**", "## [Body]", "[body]", "[ Body ]", "［Body］", "【Body】",
               "__[BODY]__",
               "> [Body]", "- [Body]", "1. [Body]", "### **[body]**:",
               "[Bo dy]", '"[Body]"', "\\[Body\\]", "<Body>", "(Body)", "[[Body]]", "[**Body**]",
               "[Body", "[Body}", "### Body", "**Body**", "Body:"],
    "[Action]": ["**[Action]**", "## [Action]", "[action]", "[ Action ]", "［Action］", "Action:",
                 "**Action:**"],
}  # fmt: skip


@pytest.mark.parametrize("line", NEAR["[Body]"])
@pytest.mark.parametrize("name", ["proof", "proof-loop"])
def test_a_near_miss_of_the_first_marker_is_named(name: str, line: str) -> None:
    verdict = judged(name, f"{line}\n{{\n}}\n[QED]")
    assert verdict.violation is not None
    assert verdict.violation.kind == "text-before-first-marker"
    assert "[Body]" in verdict.violation.message
    assert [hint.meant for hint in verdict.hints] == ["[Body]"]
    assert not [step for step in verdict.steps if step.state == "body"]


@pytest.mark.parametrize("line", NEAR["[Body]"])
def test_a_near_miss_inside_content_is_content_and_named_by_what_follows(line: str) -> None:
    verdict = judged("proof", f"[Lemma]\nfn g() {{}}\n{line}\n{{\n}}\n[QED]")
    assert verdict.violation is not None
    assert verdict.violation.kind == "unexpected-state"
    assert "[Body]" in verdict.violation.message
    assert repr(line) in verdict.violation.message
    assert [s.state for s in verdict.steps] == ["task", "lemma"]
    assert line in verdict.steps[1].content


@pytest.mark.parametrize("line", NEAR["[Action]"])
def test_near_misses_in_react(line: str) -> None:
    verdict = judged("react", f"[Thought] a\n{line} b\n[Action Input] c\n")
    assert verdict.violation is not None
    assert verdict.violation.kind == "unexpected-state"
    assert "looks like the marker [Action]" in verdict.violation.message


@pytest.mark.parametrize("tail", [":", "：", "**", " :", ".", "]"])
def test_a_marker_with_a_colon_is_the_marker_and_the_colon_is_told(tail: str) -> None:
    verdict = judged("proof", f"[Body]{tail}\n{{\n}}\n[QED]")
    assert [s.state for s in verdict.steps] == ["task", "body", "qed"]
    assert verdict.steps[1].content.startswith(tail)
    assert [hint.meant for hint in verdict.hints] == ["[Body]"]


def test_a_marker_that_does_not_begin_its_line_is_told() -> None:
    verdict = judged("proof", "[Body]\n{\n} [QED]\n")
    assert verdict.violation is not None
    assert verdict.violation.kind == "missing-termination"
    assert "[QED] does not begin its line" in verdict.violation.message
    # In a line comment it is no marker that anybody meant.
    quiet = judged("proof", "[Body]\n{\n} // [QED]\n[QED]")
    assert quiet.ok
    assert not quiet.hints


@pytest.mark.parametrize("line", ["[Spec]", "[Done]", "[Verus]", "[Proof Sketch]", "[Step 2]"])
def test_a_bracketed_line_that_is_no_marker_is_told_without_a_meaning(line: str) -> None:
    verdict = judged("proof", f"[Body]\n{{\n}}\n{line}\n[QED]")
    assert [(hint.text, hint.meant) for hint in verdict.hints] == [(line, None)]
    assert verdict.ok, "a hint is no violation"


def test_a_misspelt_marker_gets_a_question_and_never_a_meaning() -> None:
    verdict = judged("proof", "[Lemmma]\nfn g() {}\n[Body]\n{\n}\n[QED]")
    assert [hint.meant for hint in verdict.hints] == [None]
    assert "did you mean [Lemma]?" in verdict.hints[0].message


@pytest.mark.parametrize(
    "code",
    [
        "let a = [Body];",
        "[x]",
        "x[0]",
        "#[trigger]",
        "*[a, b]",
        "[1, 2]",
        "- [",
        "[]",
        "body: x,",
        "Body::new()",
        "Body { a: 1 }",
        "(body)",
        "Body",
        "x.Body(1)",
        "Lemma2:",
        "- Body",
    ],
)
def test_ordinary_code_is_no_near_miss(code: str) -> None:
    verdict = judged("proof", f"[Body]\n{{\n{code}\n}}\n[QED]")
    assert verdict.ok
    assert verdict.hints == ()


def test_a_marker_cut_at_every_place_by_a_turn_end_is_content_and_told() -> None:
    protocol = load_protocol("proof")
    marker = "[QED]"
    for at in range(1, len(marker)):
        monitor = Monitor(protocol)
        monitor.begin(PROMPTS["proof"])
        monitor.feed(BLOCK + marker[:at])
        monitor.end_turn()
        monitor.feed(marker[at:])
        verdict = monitor.finish()
        assert verdict.violation is not None
        assert verdict.violation.kind is ViolationKind.MISSING_TERMINATION
        assert verdict.steps[-1].content.endswith(marker)
        if at > 1:
            assert "[QED]" in verdict.violation.message


def test_hints_are_kept_up_to_a_limit() -> None:
    verdict = judged("proof", "[Body]\n{" + "[body]\n" * 3 + "}\n[QED]")
    assert len(verdict.hints) == 2, "the first stands behind a brace"
    monitor = Monitor(load_protocol("proof"))
    monitor.begin(PROMPTS["proof"])
    monitor.feed("[Body]\n" + "[body]\n" * 1_000)
    assert len(monitor.finish().hints) == 100
