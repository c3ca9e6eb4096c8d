"""The streaming checker: same findings as on the whole, and early."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verulaw_gate.findings import Finding
from verulaw_gate.gate import Gate
from verulaw_gate.gate.streaming import VerusContent
from verulaw_gate.monitor import Monitor, run_trace
from verulaw_gate.protocol import ContentKind, State, load_protocol
from verulaw_gate.tasks import labelled_traces, load_suite, load_task

ITEMS = State("lemma", "[Lemma]", content=ContentKind.VERUS_ITEMS)
BLOCK = State("body", "[Body]", content=ContentKind.VERUS_BLOCK)
SUITE = load_suite()

WORDS = [
    "{", "}", "(", ")", "[", "]", "assume(false);", "admit();", "`", "```", "proof fn f()", "{ }",
    "spec fn", "#[verifier::external_body]", "#", "[cfg(any())]", '"', "/*", "*/", "//", "\n", " ",
    "let x = 1;", "First we need", "pub", "axiom fn g();", "unsafe", "::", "admit", "!", "'a",
    "'{'", "macro_rules! m { }", "use a::b;", ";", "r#\"", "struct S;", "#![rlimit(100)]",
]  # fmt: skip
SECTION = st.lists(st.sampled_from(WORDS), max_size=18).map(" ".join)


def whole(state: State, text: str) -> list[Finding]:
    session = VerusContent().start(state)
    assert session is not None
    return [*session.feed(text), *session.finish()]


def keys(findings: list[Finding]) -> set[tuple[str, int, int]]:
    return {(f.code, f.span.start, f.span.line) for f in findings if f.span}


@settings(max_examples=300)
@given(st.sampled_from([ITEMS, BLOCK]), SECTION, st.integers(1, 9))
def test_chunks_do_not_change_the_findings(state: State, text: str, size: int) -> None:
    session = VerusContent().start(state)
    assert session is not None
    found: list[Finding] = []
    for at in range(0, len(text), size):
        found += session.feed(text[at : at + size])
    found += session.finish()
    assert keys(found) == keys(whole(state, text))


@settings(max_examples=300)
@given(st.sampled_from([ITEMS, BLOCK]), SECTION, SECTION)
def test_what_was_said_early_holds_whatever_follows(state: State, text: str, more: str) -> None:
    session = VerusContent().start(state)
    assert session is not None
    early = list(session.feed(text))
    assert {f.code for f in early} <= {f.code for f in whole(state, text + more)}


@pytest.mark.parametrize(
    ("state", "text", "code", "cut"),
    [
        (BLOCK, "{\n    assume(x); and on and on", "VG301", "assume(x"),
        (BLOCK, "{\n    proof { admit(); } and on", "VG302", "admit();"),
        (BLOCK, "{\n    f(x]; and on and on", "VG101", "f(x]"),
        (BLOCK, "{ }\n}\nand on", "VG401", "}\n}"),
        (BLOCK, "{ }\nproof fn more() { and on", "VG401", "{ }\nproof fn"),
        (BLOCK, "```rust\n{ and on", "VG102", "```rust"),
        (ITEMS, "#[verifier::external_body]\nproof fn and on", "VG303", "body]\nproof fn"),
        (ITEMS, "axiom fn law() ensures and on", "VG306", "law()"),
        (ITEMS, "First we need a helper: it says that x is and so on", "VG104", "it says"),
        (ITEMS, "}\n\nfn outside()", "VG401", "}\n"),
    ],
)
def test_it_speaks_early(state: State, text: str, code: str, cut: str) -> None:
    session = VerusContent().start(state)
    assert session is not None
    head = text[: text.index(cut) + len(cut) + 4]
    found = [f for at in range(len(head)) for f in session.feed(head[at])]
    assert code in {f.code for f in found}


def test_on_the_shipped_traces_streaming_says_what_the_gate_says() -> None:
    """Every rejecting finding of the stream is one of the whole gate's codes, and no accepted
    trace is stopped."""
    proof = load_protocol("proof")
    stopped = 0
    for task in SUITE:
        gate = Gate(task, native=False)
        for trace in labelled_traces(task):
            verdict = run_trace(proof, trace.text, checkers=[gate.content_checker()])
            streamed = {f.code for f in verdict.findings if f.severity == "error"}
            result = gate.check(trace.text)
            assert streamed <= {f.code for f in result.findings}, (task.id, trace.name)
            stopped += bool(streamed)
            if result.accepted:
                assert verdict.ok, (task.id, trace.name)
    assert stopped >= 25


def test_a_rejected_section_is_cut_and_can_be_written_anew() -> None:
    gate = Gate(load_task("t01-max-of-slice"))
    monitor = Monitor(load_protocol("proof"), [gate.content_checker()])
    monitor.begin([("task", "")])
    monitor.feed(
        "[Lemma]\nproof fn ok() { }\n[Body]\n{\n    assume(false);\n    more();\n}\n[QED]\n"
    )
    assert monitor.rejected
    assert [f.code for f in monitor.findings] == ["VG301"]
    correction = monitor.correction()
    assert correction is not None
    assert correction.accepted.endswith("[Body]")


def test_settings_hold_in_the_stream() -> None:
    from verulaw_gate.config import Config

    gate = Gate(load_task("t01-max-of-slice"), config=Config(ignore=frozenset({"VG301"})))
    session = gate.content_checker().start(BLOCK)
    assert session is not None
    assert [*session.feed("{ assume(false); }\n"), *session.finish()] == []


def test_a_fence_is_left_to_repair() -> None:
    gate = Gate(load_task("t01-max-of-slice"), repair=True)
    session = gate.content_checker().start(BLOCK)
    assert session is not None
    assert list(session.feed("\n```rust\n{\n    x\n}\n```\n")) == []


def test_other_contents_are_not_looked_at() -> None:
    assert VerusContent().start(State("qed", "[QED]", content=ContentKind.EMPTY)) is None
