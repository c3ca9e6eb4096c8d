"""Proof erased: whatever proof is added, the executable code that is left stays the same."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verulaw_gate.gate import Gate
from verulaw_gate.gate.erase import executable
from verulaw_gate.gate.lexer import Tokens, lex
from verulaw_gate.tasks import TaskKind, labelled_traces, load_suite

ANNOTATE = [task for task in load_suite() if task.kind is TaskKind.ANNOTATE]
BODIES = [task.exec_body for task in ANNOTATE if task.exec_body] + [
    "{ let x = f(a, b); if x > 3 { g(x); } else { h(); } match x { 0 => 1, _ => { y() } } }",
    "{ for k in 0..n { v[k] = w[k]; } loop { if done() { break; } } }",
    "{ 'outer: while a && (b || c) { continue 'outer; } return S { a: 1, b: [1, 2] }; }",
]
PROOF = [
    "assert(x > 0);",
    "assert(x > 0) by { lemma(x); }",
    "assert(x > 0) by { lemma(x); };",
    "assert(x * y >= 0) by (nonlinear_arith) requires x >= 0, y >= 0;",
    "assert(x & 1 == 0) by (bit_vector);",
    "assert(x >= 0) by (nonlinear_arith) requires x >= 1 { lemma(x); }",
    "assert forall|i: int| 0 <= i < n implies f(i) by { lemma(i); }",
    "assert forall|i: int, j: int| #![trigger f(i, j)] i < j implies f(i, j) by { };",
    "proof { lemma(x); if a { b(); } }",
    "proof { let y = 3; };",
    "let ghost y = x as int;",
    "let ghost mut old_v = v@;",
    "let tracked t = token;",
    "let g: Ghost<int> = Ghost(x as int);",
    "let g = Tracked(t);",
    "broadcast use vstd::seq::group_seq_axioms;",
    "reveal(f);",
    "reveal_with_fuel(f, 3);",
    "hide(f);",
    "calc! { (==) a; { lemma(); } b; }",
    "assert_seqs_equal!(a, b);",
    "assert_by_contradiction!(a == b, { lemma(); });",
    "#[verifier::loop_isolation(false)]",
]
CLAUSES = [
    "invariant x >= 0,",
    "invariant forall|i: int| 0 <= i < n ==> f(i), decreases n - x,",
    "invariant x == (S { a: 1 }).a, decreases n",
    "invariant match x { 0 => a, _ => b }, if x > 0 { a } else { b }, decreases n,",
    "invariant_except_break a, ensures b, decreases n,",
    "decreases n - i",
]


def erased(text: str) -> list[str]:
    tokens = lex(text)
    return [tokens.texts[at] for at in executable(tokens, 0, len(tokens))]


def statement_places(tokens: Tokens) -> list[int]:
    """Where a statement can be put: behind `;` and behind `{` and `}` of blocks."""
    places = []
    depth = 0
    for text, end in zip(tokens.texts, tokens.ends, strict=True):
        depth += (text in ("(", "[")) - (text in (")", "]"))
        if depth == 0 and text == ";":
            places.append(end)
    return places


def loop_bodies(tokens: Tokens) -> list[int]:
    """The start of the block of each loop."""
    places = []
    for at, text in enumerate(tokens.texts):
        if text in ("while", "loop", "for"):
            brace = at
            while tokens.texts[brace] != "{":
                brace = max(brace, tokens.partner[brace]) + 1
            places.append(tokens.starts[brace])
    return places


@settings(max_examples=300)
@given(st.sampled_from(BODIES), st.data())
def test_added_proof_is_erased(body: str, data: st.DataObject) -> None:
    tokens = lex(body)
    inserts: dict[int, str] = {}
    places = statement_places(tokens)
    for place in data.draw(st.lists(st.sampled_from(places), max_size=4, unique=True)):
        inserts[place] = " ".join(data.draw(st.lists(st.sampled_from(PROOF), max_size=3)))
    for place in loop_bodies(tokens):
        if data.draw(st.booleans()):
            inserts[place] = f"\n{data.draw(st.sampled_from(CLAUSES))}\n"
    changed = body
    for place in sorted(inserts, reverse=True):
        changed = f"{changed[:place]} {inserts[place]} {changed[place:]}"
    assert erased(changed) == erased(body)


@settings(max_examples=200)
@given(st.sampled_from(BODIES), st.data())
def test_a_changed_token_is_not(body: str, data: st.DataObject) -> None:
    tokens = lex(body)
    kept = executable(tokens, 0, len(tokens))
    words = [at for at in kept if tokens.texts[at].isidentifier() or tokens.texts[at].isdigit()]
    at = data.draw(st.sampled_from(words))
    changed = body[: tokens.starts[at]] + "other" + body[tokens.ends[at] :]
    assert erased(changed) != erased(body)


@pytest.mark.parametrize("task", ANNOTATE, ids=lambda t: t.id)
def test_conforming_traces_of_annotate_tasks_keep_the_code(task) -> None:
    gate = Gate(task, native=False)
    checked = 0
    for trace in labelled_traces(task):
        result = gate.check(trace.text)
        if trace.label.protocol == "ok" and trace.label.verus == "verified":
            checked += 1
            assert "VG405" not in {f.code for f in result.findings}, trace.name
    assert checked >= 2


@pytest.mark.parametrize(
    "change",
    [
        ("while i < n\n", "while i <= n\n"),
        ("s += i as u64;", "s += i as u64; s += 0;"),
        ("s += i as u64;", ""),
        ("    s\n}", "    0\n}"),
        ("let mut s: u64 = 0;", "let mut s: u64 = 1;"),
        ("i += 1;\n        s += i as u64;", "s += i as u64;\n        i += 1;"),
        ("    s\n}", "    return s;\n}"),
        ("        i += 1;", "        if i > 5 { break; }\n        i += 1;"),
        ("        i += 1;", "        assert!(i < 7);\n        i += 1;"),
        ("    s\n}", "    proof_of(s)\n}"),
    ],
)
def test_other_code_is_named_old_and_new(change: tuple[str, str]) -> None:
    task = next(t for t in ANNOTATE if t.target == "sum_to")
    assert task.exec_body is not None
    gate = Gate(task, native=False)
    assert gate.check(f"[Body]\n{task.exec_body}[QED]\n").findings == ()
    body = task.exec_body.replace(*change)
    assert body != task.exec_body
    (finding,) = gate.check(f"[Body]\n{body}[QED]\n").findings
    assert finding.code == "VG405"
    assert " was `" in finding.message
    assert " is `" in finding.message
