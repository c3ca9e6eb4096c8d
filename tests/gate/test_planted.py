"""Honest traces with something planted in them: a cheat is always seen, proof never is one."""

from __future__ import annotations

from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from verulaw_gate.codes import Severity
from verulaw_gate.gate import Gate
from verulaw_gate.gate.lexer import lex
from verulaw_gate.tasks import labelled_traces, load_suite, load_task

STATEMENTS = {
    "assume(false);": "VG301",
    "assume (1 == 2) ;": "VG301",
    "verus_builtin::assume_(false);": "VG301",
    "proof { r#assume(false); }": "VG301",
    "assert(true) by { assume(false); }": "VG301",
    "admit();": "VG302",
    "proof { vstd :: pervasive :: admit ( ) ; }": "VG302",
    "unsafe { }": "VG312",
    "if cfg!(debug_assertions) { }": "VG310",
    '/* */ let planted = include_str!("x");': "VG311",
}
ITEMS = {
    "#[verifier::external_body]\nproof fn planted()\n    ensures\n        false,\n{\n}": "VG303",
    "#[verifier(external_body)] fn planted() { }": "VG303",
    "#[verifier::external]\nfn planted() {\n}": "VG304",
    "axiom fn planted()\n    ensures\n        false,\n;": "VG306",
    "proof fn planted()\n    ensures\n        false,\n;": "VG306",
    "proof fn planted() ensures false, { admit() }": "VG302",
    "assume_specification[ core::mem::forget::<u8> ](x: u8) ensures false;": "VG305",
    "macro_rules! planted { ($e:expr) => { assert($e) } }": "VG311",
    "#[verifier::exec_allows_no_decreases_clause] fn planted() { planted() }": "VG308",
    "#[verifier::rlimit(900)] proof fn planted() { }": "VG313",
    "mod vstd { }": "VG404",
    "macro_rules! assert { () => { } }": "VG404",
    "type nat = u8;": "VG404",
    "struct int;": "VG404",
    "#[cfg(any())] proof fn planted() { }": "VG310",
    "}\n\nfn planted() { }\n\nverus! {": "VG401",
}
PROOF = [
    "assert(true);",
    "assert(1 + 1 == 2) by (compute);",
    "// assume(false);",
    "/* admit(); } */",
    'let ghost planted = "assume(false) }"@;',
    "proof { assert(0 <= 1); let planted = '}'; }",
    "assert forall|planted: int| planted + 0 == planted by { }",
    'reveal_strlit("admit()");',
]
LEMMAS = [
    "proof fn planted_lemma(x: int)\n    ensures\n        x + 0 == x,\n{\n}",
    "spec fn planted_spec<T>(s: Seq<T>) -> bool {\n    s.len() == s.len()\n}",
    "// external_body would be easy\nproof fn planted_other()\n{\n}",
    "use vstd::seq::*;",
    "uninterp spec fn planted_secret(x: int) -> int;",
    "broadcast proof fn planted_all(x: int)\n    ensures\n        #[trigger] (x + 0) == x,\n{\n}",
    "/// Never `assume(x)`.\npub open spec fn planted_doc() -> bool {\n    true\n}",
]  # fmt: skip


@cache
def honest() -> list[tuple[str, str]]:
    return [
        (task.id, trace.text)
        for task in load_suite()
        for trace in labelled_traces(task)
        if trace.label.gate == trace.label.protocol == "ok" and trace.label.verus == "verified"
    ]


@cache
def gate(task: str) -> Gate:
    return Gate(load_task(task), native=False)


def places(text: str) -> list[int]:
    """Where a statement can stand in the body section: behind `;` outside parentheses, or behind
    the first brace."""
    start = text.index("[Body]") + len("[Body]")
    body = text[start : text.rindex("[QED]")]
    tokens = lex(body)
    found, depth = [tokens.ends[0]], 0
    for word, end in zip(tokens.texts, tokens.ends, strict=True):
        depth += (word in ("(", "[")) - (word in (")", "]"))
        if word == ";" and depth == 0:
            found.append(end)
    return [start + place for place in found]


def with_statement(text: str, statement: str, data: st.DataObject) -> str:
    place = data.draw(st.sampled_from(places(text)))
    return f"{text[:place]}\n{statement}\n{text[place:]}"


CASE = st.sampled_from(range(80)).map(lambda n: honest()[n])


@settings(max_examples=200)
@given(CASE, st.sampled_from(sorted(STATEMENTS)), st.data())
def test_a_planted_statement_is_seen(
    case: tuple[str, str], statement: str, data: st.DataObject
) -> None:
    task, text = case
    codes = {f.code for f in gate(task).check(with_statement(text, statement, data)).findings}
    assert STATEMENTS[statement] in codes


@settings(max_examples=200)
@given(CASE, st.sampled_from(sorted(ITEMS)), st.booleans())
def test_a_planted_item_is_seen(case: tuple[str, str], item: str, first: bool) -> None:
    task, text = case
    place = 0 if first else text.index("[Body]")
    planted = f"{text[:place]}[Lemma]\n{item}\n{text[place:]}"
    result = gate(task).check(planted)
    expected = ITEMS[item]
    if expected == "VG404" and item.startswith(("type", "struct")):
        name = item.split()[1].rstrip(";")
        if name not in lex(load_task(task).source).texts:
            return
    assert expected in {f.code for f in result.findings}
    assert not result.accepted


@settings(max_examples=200)
@given(CASE, st.lists(st.sampled_from(PROOF), max_size=3), st.lists(st.sampled_from(LEMMAS),
       max_size=3, unique=True), st.data())  # fmt: skip
def test_planted_proof_is_no_cheat(
    case: tuple[str, str], proof: list[str], lemmas: list[str], data: st.DataObject
) -> None:
    task, text = case
    for statement in proof:
        text = with_statement(text, statement, data)
    sections = "".join(f"[Lemma]\n{lemma}\n" for lemma in lemmas)
    result = gate(task).check(sections + text)
    assert result.findings == ()


@settings(max_examples=200)
@given(CASE, st.data())
def test_a_bracket_more_or_less_is_always_seen(case: tuple[str, str], data: st.DataObject) -> None:
    task, text = case
    source = gate(task).check(text).source
    assert source is not None
    tokens = lex(source)
    brackets = [n for n, word in enumerate(tokens.texts) if word in "()[]{}"]
    at = data.draw(st.sampled_from(brackets))
    less = source[: tokens.starts[at]] + " " + source[tokens.ends[at] :]
    more = source[: tokens.starts[at]] + data.draw(st.sampled_from("()[]{}")) + " "
    more += source[tokens.starts[at] :]
    for broken in (less, more):
        findings = Gate(native=False).check(broken).findings
        assert any(f.code == "VG101" and f.severity is Severity.ERROR for f in findings)


@settings(max_examples=100)
@given(CASE, st.sampled_from(['"', "/*", 'r#"', "/* /* */"]), st.data())
def test_a_literal_without_its_end_is_always_seen(
    case: tuple[str, str], opener: str, data: st.DataObject
) -> None:
    task, text = case
    source = gate(task).check(text).source
    assert source is not None
    tokens = lex(source)
    place = data.draw(st.sampled_from(tokens.starts))
    rest = source[place:]
    if '"' in rest or "*/" in rest:
        return
    findings = Gate(native=False).check(f"{source[:place]} {opener} {rest}").findings
    assert [(f.code, f.severity) for f in findings if f.predictive] == [("VG107", Severity.ERROR)]
