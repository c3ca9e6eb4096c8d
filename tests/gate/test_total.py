"""Any text in, a decision out: nothing a model can write makes the gate fail."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verulaw_gate.codes import Family
from verulaw_gate.gate import Gate
from verulaw_gate.gate.items import parse_items, walk
from verulaw_gate.gate.lexer import lex
from verulaw_gate.tasks import Task, load_task

TASK = load_task("t22-ring-buffer-push")
ANNOTATE = load_task("t05-gauss-sum")
TEXT = (
    "fn f struct enum union trait impl mod use type const static extern macro_rules macro "
    "global assume_specification group pub open closed uninterp broadcast proof spec exec "
    "tracked ghost axiom default unsafe async auto crate requires ensures decreases "
    "recommends returns invariant while for in loop if else match let mut as is by "
    "assert assume admit calc reveal hide forall exists verus vstd self super S T Set "
    "u32 view len push cfg cfg_attr external_body verifier rlimit test path half Ring "
    "sum_to tri loop_isolation Ghost Tracked false true 0 1_000 10.5 { } ( ) [ ] < > ; , "
    "#! <= >= ==> <==> =~= $ ~ \\ 'a 'x' \ufeff \u202e \u3164 [Lemma] [Body] [QED] "
)
WORDS = [*TEXT.split(), "\ud800"]
GLUE = st.sampled_from(["", " ", "\n", "\r\n"])


@st.composite
def soup(draw: st.DrawFn) -> str:
    words = draw(st.lists(st.sampled_from(WORDS), max_size=40))
    return "".join(word + draw(GLUE) for word in words)


@settings(max_examples=400)
@given(soup())
def test_a_file_always_gets_a_decision(text: str) -> None:
    for gate in (Gate(native=False), Gate(TASK, native=False), Gate(ANNOTATE, native=False)):
        assert gate.check_source(text).source == text


@settings(max_examples=300)
@given(soup(), soup())
def test_any_base_will_do(base: str, text: str) -> None:
    result = Gate(base, native=False).check(text)
    assert result.layers[0].ran


@settings(max_examples=300)
@given(soup(), soup(), st.sampled_from([TASK, ANNOTATE]), st.booleans())
def test_a_trace_always_gets_a_decision(lemma: str, body: str, task: Task, repair: bool) -> None:
    gate = Gate(task, native=False, repair=repair)
    for text in (f"[Lemma]\n{lemma}\n[Body]\n{body}\n[QED]\n", lemma + body):
        result = gate.check(text)
        for finding in result.findings:
            if finding.span is not None and not result.repairs:
                assert 0 <= finding.span.start <= finding.span.end <= len(text)


@settings(max_examples=300)
@given(soup())
def test_items_cover_the_tokens_in_order(text: str) -> None:
    tokens = lex(text)
    items = parse_items(tokens)
    at = 0
    for item in items:
        assert item.first == at
        assert item.first <= item.head
        assert item.last >= item.first
        at = item.last + 1
    assert at >= len(tokens)
    for item in walk(items):
        assert all(item.first <= c.first <= c.last <= max(item.last, c.last) for c in item.children)


@settings(max_examples=400)
@given(soup(), soup())
def test_a_text_adds_nothing_to_itself(text: str, more: str) -> None:
    remark = more.replace("\n", " ").replace("\u202e", "")
    for same in (text, f"{text}\n// {remark}"):
        families = {f.family for f in Gate(text, native=False).check(same).findings}
        assert families & {Family.TRUST, Family.INTEGRITY} == set()


@pytest.mark.parametrize("text", ["", "\x00", "\ufeff", "\n" * 1000, "{" * 5000, "}" * 5000])
def test_odd_texts(text: str) -> None:
    Gate(TASK).check_source(text)
    Gate(TASK).check(text)
    Gate("fn f() { }").check(text)


def test_deep_nesting_is_no_recursion() -> None:
    for opener in ("mod a { ", "verus! { ", "impl T { ", "use a::{ ", "fn f() { ", "( "):
        deep = opener * 20_000
        closers = {"{": "}", "(": ")"}[opener.strip()[-1]] * 20_000
        for text in (deep, deep + closers):
            assert Gate("fn f() { }", native=False).check(text).source == text


SUITE = Path(__file__).parent / "adversarial"
FILES = [p.read_bytes().decode() for p in sorted(SUITE.glob("*/*.rs"))]
BASES = {path.stem: Gate(path.read_text(), native=False) for path in (SUITE / "bases").iterdir()}


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """A real file with tokens gone, repeated, put in, or cut off before or behind."""
    text = draw(st.sampled_from(FILES))
    for _ in range(draw(st.integers(1, 4))):
        tokens = lex(text)
        if not len(tokens):
            break
        at = draw(st.integers(0, len(tokens) - 1))
        start, end = tokens.starts[at], tokens.ends[at]
        more = draw(st.sampled_from([tokens.texts[at], '"', "/*", "\u0301", *WORDS]))
        text = draw(
            st.sampled_from(
                [
                    text[:start] + text[end:],
                    f"{text[:start]} {more} {text[start:]}",
                    text[:start],
                    text[start:],
                ]
            )
        )
    return text


@settings(max_examples=300)
@given(damaged(), st.sampled_from(sorted(BASES)))
def test_a_damaged_file_gets_a_decision(text: str, base: str) -> None:
    for gate in (Gate(native=False), BASES[base]):
        assert gate.check(text).source == text
