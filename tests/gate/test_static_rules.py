"""What the snippets cannot say: rules against a base, hints and fixes, total behaviour."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verulaw_gate.gate import native
from verulaw_gate.gate.context import Context, View
from verulaw_gate.gate.native_facts import Facts
from verulaw_gate.gate.rules.static import RULES
from verulaw_gate.gate.rules.static.type_clash import clash, comparable, show

needs_native = pytest.mark.skipif(not native.available(), reason=native.reason() or "available")
HEAD = "use vstd::prelude::*;\nverus! {\n"


def codes(source: str, base: str | None = None) -> list[str]:
    view = None if base is None else View(base)
    context = Context(source, base=view, native=native.analyse(source))
    return [finding.code for rule in RULES for finding in rule.run(context)]


@needs_native
def test_a_main_that_the_base_has_must_stay() -> None:
    with_main = HEAD + "fn f() {}\n}\nfn main() {}\n"
    without = HEAD + "fn f() {}\n}\n"
    assert codes(without, base=with_main) == ["VG258"]
    assert codes(with_main, base=with_main) == []
    assert codes(without, base=without) == []
    # Without a base nobody knows whether it is to be a library.
    assert codes(without) == []


@needs_native
def test_hints_name_the_mend_and_the_place() -> None:
    source = HEAD + "fn f(n: u64) {\n let mut i: u64 = 0;\n while i < n { i = i + 1; }\n}\n}\n"
    context = Context(source, native=native.analyse(source))
    (finding,) = [f for rule in RULES for f in rule.run(context)]
    assert finding.code == "VG251"
    assert finding.hint == "add `decreases n - i` before the body of the loop at line 5"
    assert finding.span is not None
    assert (finding.span.line, finding.span.column) == (5, 2)
    (edit,) = finding.fix
    assert edit.text.strip() == "decreases n - i,"


def test_without_facts_no_rule_says_anything() -> None:
    for facts in (None, Facts("unanalysed", "not there")):
        context = Context("fn f() { while true {} }", native=facts)
        assert [f for rule in RULES for f in rule.run(context)] == []


TYPES = st.recursive(
    st.sampled_from(
        ["int", "nat", "u64", "usize", "bool", "char", "str", "{integer}", "?", "()"]
    ).map(lambda name: [name]),
    lambda inner: st.one_of(
        st.tuples(st.sampled_from(["&", "&mut", "Vec", "Seq", "Option", "[]", "Box"]), inner).map(
            list
        ),
        st.tuples(st.just("(,)"), inner, inner).map(list),
    ),
    max_leaves=4,
)


@given(TYPES, st.booleans())
def test_a_type_agrees_with_itself_and_with_the_unknown(type_: list, ghost: bool) -> None:
    if "{integer}" not in str(type_):
        assert not clash(type_, type_, ghost)
    assert not clash(["?"], type_, ghost)
    assert not clash(type_, ["?"], ghost)
    assert comparable(type_, type_)
    assert show(type_)


@given(TYPES, TYPES)
def test_what_exec_code_allows_ghost_code_allows(want: list, got: list) -> None:
    """The only difference of the two is that ghost literals may be int and nat."""
    if clash(want, got, ghost=True):
        assert clash(want, got, ghost=False)


@pytest.mark.parametrize(
    ("want", "got", "ghost", "wrong"),
    [
        (["int"], ["usize"], True, True),
        (["int"], ["{integer}"], True, False),
        (["int"], ["{integer}"], False, True),
        (["u64"], ["{integer}"], False, False),
        (["&", ["[]", ["u64"]]], ["&", ["Vec", ["u64"]]], False, False),
        (["&", ["[]", ["u64"]]], ["&", ["Vec", ["u32"]]], False, True),
        (["&", ["u64"]], ["&mut", ["u64"]], False, False),
        (["&mut", ["u64"]], ["&", ["u64"]], False, True),
        (["&", ["u64"]], ["&", ["Box", ["u64"]]], False, False),
        (["Option", ["u64"]], ["Result", ["u64"], ["?"]], False, True),
        (["Option", ["?"]], ["Option", ["u64"]], False, False),
        (["Vec", ["u64"]], ["&", ["Vec", ["u64"]]], False, True),
        (["u64"], ["!"], False, False),
    ],
)
def test_coercions_of_rust(want: list, got: list, ghost: bool, wrong: bool) -> None:
    assert clash(want, got, ghost) is wrong


PIECES = st.sampled_from(
    [
        "spec fn s(x: int) -> bool { x > 3 }",
        "proof fn p(x: int) requires s(x) { assert(s(x)); }",
        "fn e(v: &Vec<u64>) -> usize { v.len() }",
        "fn w() { let mut i: u64 = 0; while i < 3 decreases 3 - i { i = i + 1; } }",
        "struct S { n: u64 }",
        "impl S { fn get(&self) -> (r: u64) ensures r == self.n { self.n } }",
        "fn m(x: &mut u64) ensures *final(x) == 1 { *x = 1; }",
        "proof fn q(t: Seq<int>) { assert(forall|k: int| 0 <= k < t.len() ==> t[k] == t[k]); }",
        "spec fn o(n: nat) -> nat decreases n { if n == 0 { 0 } else { o((n - 1) as nat) } }",
    ]
)


@needs_native
@given(st.lists(PIECES, unique=True, max_size=6))
@settings(max_examples=60, deadline=None)
def test_good_items_stay_good_in_any_order(pieces: list[str]) -> None:
    """Items that pass alone pass together: rules look at names, and names may not get mixed up.
    Pieces that speak of others come with them."""
    text = "\n".join(pieces)
    needs = "" if "spec fn s(" in text else "spec fn s(x: int) -> bool { x > 3 }\n"
    needs += "" if "struct S" in text else "struct S { n: u64 }\n"
    assert codes(HEAD + needs + text + "\n}\nfn main() {}\n") == []
