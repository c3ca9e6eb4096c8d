"""VG402, VG403, VG404: what changed is said, old and new; what is only added is fine."""

from __future__ import annotations

import pytest

from verulaw_gate.gate import Gate
from verulaw_gate.gate.lexer import lex
from verulaw_gate.gate.show import shown
from verulaw_gate.tasks import labelled_traces, load_suite

BASE = """use vstd::prelude::*;
verus! {
pub const MAX: u32 = 10;
enum Light { Red, Green }
spec fn ok(x: u32) -> bool { x < MAX }
trait Area { spec fn area(&self) -> nat; }
impl Area for Light { spec fn area(&self) -> nat { 1 } }
proof fn old_lemma(x: u32) requires ok(x), ensures x < 10, { }
fn f(x: u32) -> (r: u32)
    requires ok(x), x > 0,
    ensures r < x, r >= 0,
{
    let (a, b) = (x - 1, (x,));
    a
}
}
fn main() {}
"""
GATE = Gate(BASE, native=False)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("MAX: u32 = 10", "MAX: u32 = 11", ["const MAX", "10", "11"]),
        ("Red, Green }", "Red, Green, Off }", ["enum Light", "Off"]),
        ("{ x < MAX }", "{ true }", ["body of `spec fn ok`", "x < MAX", "true"]),
        ("-> bool {", "-> (b: bool) {", ["signature of `ok`"]),
        ("ok(x), x > 0,", "ok(x),", ["`requires` of `f`", "x > 0"]),
        ("ok(x), x > 0,", "ok(x), x > 0, x > 5,", ["`requires` of `f`", "x > 5"]),
        ("ensures r < x, r >= 0,", "", ["`ensures` of `f` is removed", "r < x"]),
        ("ensures x < 10,", "ensures x < 11,", ["`ensures` of `old_lemma`", "11"]),
        ("{ 1 } }", "{ 2 } }", ["body of `spec fn area`", "2"]),
        ("fn f(x: u32)", "fn f(x: u64)", ["signature of `f`", "u64"]),
        ("enum Light { Red, Green }\n", "", ["enum Light", "is gone"]),
    ],
)
def test_a_change_is_said_old_and_new(old: str, new: str, said: list[str]) -> None:
    assert old in BASE
    result = GATE.check(BASE.replace(old, new))
    messages = [f.message for f in result.findings if f.code == "VG403"]
    assert not result.accepted
    assert any(all(word in message for word in said) for message in messages), messages


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    a\n", "    assert(a < x);\n    proof { old_lemma(x); }\n    a\n"),
        ("x < 10, { }", "x < 10,\n{\n    assert(ok(x));\n}"),
        ("ensures r < x, r >= 0,", "ensures r < x, /* both */ r >= 0"),
        ("ensures r < x, r >= 0,", "ensures\n        r < x,\n        r >= 0,\n    decreases x,"),
        ("fn f(", "proof fn new_lemma(y: u32) ensures y >= 0, { }\nfn f("),
        ("fn f(", "spec fn more(x: u32) -> bool { ok(x) }\nfn f("),
        ("use vstd::prelude::*;", "use vstd::prelude::*;\nuse vstd::arithmetic::mul::*;"),
        ("Red, Green }", "Red, Green, }"),
        ("    let (a, b)", "    let (a, _b)"),
    ],
)
def test_added_proof_and_layout_are_no_change(old: str, new: str) -> None:
    assert old in BASE
    assert GATE.check(BASE.replace(old, new)).findings == ()


def test_a_changed_clause_is_shown_at_its_place() -> None:
    text = BASE.replace("ensures r < x,", "ensures r < x + 1,")
    (found,) = GATE.check(text).findings
    assert found.span is not None
    assert text[found.span.start : found.span.end] == "ensures r < x + 1, r >= 0,"


def test_a_long_change_is_cut_to_where_it_differs() -> None:
    clauses = ", ".join(f"x + {n} >= {n}" for n in range(60))
    base = BASE.replace("r >= 0,", f"r >= 0, {clauses},")
    (found,) = Gate(base, native=False).check(base.replace("x + 31 >= 31", "x + 31 >= 30")).findings
    assert "31 >= 31, x" in found.message
    assert "31 >= 30, x" in found.message
    assert len(found.message) < 160


@pytest.mark.parametrize(
    "text",
    [
        "forall|i: int, j: int| 0 <= i < j < s.len() ==> s@[i] <= s[j]",
        "fn f<T>(&self, v: &mut Vec<Vec<u8>>) -> (r: Option<T>)",
        "(a && !b) || c == -1",
        "a >= b && c > d && e >> 2 == 3 && f <= g ==> h",
        "let x: Vec<Seq<int>> = y;",
        "x is Some && x !is None",
        "Set::<int>::empty().insert(1)",
        "if x > 0 { 1 } else { (2) }",
    ],
)
def test_tokens_are_shown_as_rust_is_written(text: str) -> None:
    assert shown(lex(text).texts) == text


def test_a_tuple_of_one_is_another_type() -> None:
    base = BASE.replace("-> (r: u32)", "-> (r: (u32,))")
    changed = BASE.replace("-> (r: u32)", "-> (r: (u32))")
    assert [f.code for f in Gate(base, native=False).check(changed).findings] == ["VG403"]


def test_items_in_another_order_are_the_same() -> None:
    line = "spec fn ok(x: u32) -> bool { x < MAX }\n"
    moved = BASE.replace(line, "").replace("fn f(x", line + "fn f(x")
    assert GATE.check(moved).findings == ()


def test_every_task_agrees_with_its_own_reference() -> None:
    for task in load_suite():
        gate = Gate(task, native=False)
        (reference,) = [t for t in labelled_traces(task) if t.name == "reference"]
        assert gate.check(reference.text).findings == (), task.id


@pytest.mark.parametrize(
    "item",
    [
        "struct Light2;",
        "spec fn okay(x: u32) -> bool { true }",
        "proof fn x() { }",
        "proof fn a(r: u32) { }",
        "enum Other { Red, Green }",
        "mod inner { pub fn helper() { } }",
        "trait Fresh { spec fn fresh(&self) -> int; }",
        "impl Light { spec fn bright(&self) -> bool { true } }",
        "struct Own; impl Own { spec fn area(&self) -> nat { 0 } }",
        "use vstd::seq::Seq;",
        "use vstd::pervasive::assert as _;",
        "type Short = u8;",
    ],
)
def test_fresh_names_are_free(item: str) -> None:
    result = GATE.check(BASE.replace("fn f(x", item + "\nfn f(x"))
    assert [f.code for f in result.findings if f.code != "VG309"] == []


@pytest.mark.parametrize(
    "item",
    [
        "struct nat;",
        "type bool = u8;",
        "spec fn ok(x: u32) -> bool { true }",
        "const MAX: u32 = 0;",
        "const x: u32 = 0;",
        "static r: u32 = 0;",
        "enum u32 { A }",
        "use vstd::math::max as ok;",
        "use crate::inner::ok;",
        "use other::{a, b::{ok}};",
        "mod inner { pub spec fn ok(x: u32) -> bool { true } }",
        "impl Light { spec fn area(&self) -> nat { 0 } }",
        "macro_rules! assert { () => { } }",
        "macro_rules! verus { () => { } }",
        "mod builtin { }",
        "mod core { }",
        "union Light { a: u8 }",
        "trait Area { spec fn area(&self) -> nat; }",
    ],
)
def test_names_of_the_base_are_taken(item: str) -> None:
    result = GATE.check(BASE.replace("fn f(x", item + "\nfn f(x"))
    assert "VG404" in {f.code for f in result.findings}, result.findings
