"""The native layer: total, exact in its places, deterministic, and there when cargo is."""

from __future__ import annotations

import shutil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verulaw_gate.gate import Gate, native
from verulaw_gate.gate.native_facts import Facts

needs_native = pytest.mark.skipif(not native.available(), reason=native.reason() or "available")

WORDS = (
    *("fn", "spec", "proof", "verus!", "struct", "impl", "while", "loop", "let", "ghost", "assert"),
    *("requires", "ensures", "decreases", "forall", "|", "(", ")", "{", "}", "[", "]", ",", ";"),
    *(
        "x",
        "y",
        "f",
        "==",
        "==>",
        "&&&",
        "=~=",
        "@",
        "#[trigger]",
        "!",
        "is",
        "->",
        "0",
        "'a",
        '"s"',
    ),
)
FILE = """use vstd::prelude::*;
verus! {
pub open spec fn double(n: nat) -> nat { n + n }
proof fn lemma(n: nat) ensures double(n) == 2 * n { }
struct P { a: u64, ghost g: int }
impl P { fn get(&self) -> (r: u64) ensures r == self.a { self.a } }
#[verifier::external_body]
fn trusted(v: &mut Vec<u64>) ensures final(v).len() == 1 { while true { v.push(1); } }
}
fn main() {}
"""


def test_with_cargo_the_extension_is_there() -> None:
    """A checkout or an installation on a machine with cargo must have built it."""
    if shutil.which("cargo") is None:
        pytest.skip("cargo is not installed: the pure-Python tool is what there is")
    assert native.available(), native.reason()


@needs_native
def test_the_versions_name_parser_and_verus() -> None:
    versions = native.versions()
    assert versions is not None
    assert versions.verus == "0.2026.06.08"
    assert versions.verus_syn.startswith("0.0.0-2026-05-31")


def test_without_the_extension_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "_native", None)
    monkeypatch.setattr(native, "_REASON", "not built")
    assert not native.available()
    assert native.versions() is None
    facts = native.analyse("fn f() {}")
    assert not facts.analysed
    assert facts.reason == "not built"


@needs_native
@given(st.text(max_size=300))
@settings(max_examples=150, deadline=None)
def test_any_text_has_a_result(text: str) -> None:
    assert native.analyse(text).status in ("ok", "errors", "unanalysed")


@needs_native
@given(st.lists(st.sampled_from(WORDS), max_size=60))
@settings(max_examples=200, deadline=None)
def test_any_tokens_have_a_result(words: list[str]) -> None:
    source = "verus! {" + " ".join(words) + "}"
    facts = native.analyse(source)
    for error in facts.errors:
        start, end = error["at"]
        assert 0 <= start <= end <= len(source)
        assert error["line"] >= 1
        assert error["column"] >= 1


@needs_native
@pytest.mark.parametrize(
    "source",
    [
        "(" * 100_000,
        "(" * 5_000 + ")" * 5_000,
        "verus!{" * 150 + "}" * 150,
        "fn f() {" + "!" * 300_000 + "x}",
        "verus! { fn f() { let x = " + "-" * 5_900 + "3; } }",
        "verus! { fn f() { let x = " + "|a| " * 1_500 + "3; } }",
        "verus! { fn f() { let x = " + "if a { } else " * 1_400 + "{ }; } }",
        "verus! { proof fn f() { assert(" + "a ==> " * 1_900 + "b); } }",
        "verus! { proof fn f() { assert(" + "a && " * 1_900 + "b); } }",
        "verus! { fn f(x: " + "&" * 1_000 + "u8) { } }",
        "verus! { fn f() " + "{" * 190 + "}" * 190 + " }",
        "\ud800",
        "\x00",
        "a" * 3_000_000,
    ],
    ids=range(14),
)
def test_deep_and_long_sources_do_no_harm(source: str) -> None:
    assert native.analyse(source).status in ("ok", "errors", "unanalysed")


@needs_native
def test_a_time_limit_ends_in_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "LIMIT_MS", 0)
    facts = native.analyse(FILE * 1)
    assert facts.status in ("ok", "unanalysed")
    if not facts.analysed:
        assert "0 ms" in facts.reason


@needs_native
def test_same_source_same_facts() -> None:
    assert native.analyse(FILE) == native.analyse(FILE)


@needs_native
def test_items_say_what_stands_in_the_file() -> None:
    facts = native.analyse(FILE)
    items = {item["name"]: item for item in facts.items if item["name"]}
    assert facts.status == "ok"
    assert [b["name"] for b in facts.blocks] == ["verus"]
    assert items["double"]["mode"] == "spec"
    assert items["double"]["publish"] == "open"
    assert items["double"]["vis"] == "pub"
    assert items["lemma"]["mode"] == "proof"
    assert [FILE[a:b] for a, b in items["lemma"]["ensures"]] == ["double(n) == 2 * n"]
    assert items["main"]["verus"] is False
    assert items["trusted"]["external"] == "external_body"
    assert items["P"]["fields"][1] == {"name": "g", "type": "int", "mode": "ghost"}
    assert items["get"]["params"][0]["type"] == "&Self"
    assert items["get"]["ret"] is not None
    assert facts.items[items["get"]["parent"]]["self_type"] == "P"
    assert items["trusted"]["params"][0]["mut_ref"] is True
    start, end = items["double"]["signature"] or (0, 0)
    assert FILE[start:end] == "pub open spec fn double(n: nat) -> nat"


def names_stand_where_they_say(source: str, facts: Facts) -> None:
    for item in facts.items:
        if item["kind"] in ("fn", "struct"):
            start, end = item["name_at"]
            assert source[start:end] == item["name"]
    for call in facts.calls:
        start, end = call["callee"]
        assert source[start:end].replace(" ", "") == "::".join(call["path"])


@needs_native
@given(
    st.text(
        alphabet=st.characters(blacklist_characters="*/\r\n", blacklist_categories=("Cs", "Cc")),
        max_size=20,
    ),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["", "\ufeff", "#!/usr/bin/env run\n"]),
)
@settings(max_examples=100, deadline=None)
def test_places_are_characters_whatever_stands_before(text: str, end: str, head: str) -> None:
    source = head + "/* " + text + " */" + end + FILE.replace("\n", end)
    facts = native.analyse(source)
    assert facts.status == "ok"
    names_stand_where_they_say(source, facts)


@needs_native
@pytest.mark.parametrize(
    "head", ["verus!", "vstd::prelude::verus!", "builtin_macros::verus!", "::vstd::prelude::verus!"]
)
def test_any_path_of_the_macro_is_parsed(head: str) -> None:
    facts = native.analyse(head + " { fn f() { let = 3; } }")
    assert [error["message"] for error in facts.errors]


@needs_native
def test_members_of_verus_impl_are_parsed() -> None:
    source = "struct S; impl S { verus_impl! { spec fn f() -> int { 1 } } }"
    facts = native.analyse(source)
    assert [(i["name"], i["verus"]) for i in facts.items if i["kind"] == "fn"] == [("f", True)]
    assert native.analyse(source.replace("-> int", "->")).errors


@needs_native
def test_modes_of_places() -> None:
    source = """verus! {
fn f(x: u64) requires a(x), ensures b(x) {
    c(x);
    proof { d(x); }
    assert(e(x)) by { g(x); }
    let ghost y = h(x);
    let z = Ghost(i(x));
    let k = |u: u64| j(u);
    return;
    l(x);
}
}"""
    modes = {
        c["path"][0]: (c["mode"], c["dead"], c["closure"]) for c in native.analyse(source).calls
    }
    plain = (False, False)
    assert modes["a"] == modes["b"] == modes["e"] == ("spec", *plain)
    assert modes["c"] == ("exec", *plain)
    assert modes["d"] == modes["g"] == ("proof", *plain)
    assert modes["h"] == modes["i"] == ("ghost", *plain)
    assert modes["j"] == ("exec", False, True)
    assert modes["l"] == ("exec", True, False)


def test_a_name_spelled_in_two_normal_forms_is_one_name() -> None:
    composed = "use vstd::prelude::*;\nverus! { spec fn gr\u00f6\u00dfe() -> int { 1 }\n"
    both = composed + "proof fn f() ensures gro\u0308\u00dfe() == 1 { } }\nfn main() {}\n"
    result = Gate().check(both)
    assert result.findings == ()
    layers = {layer.name: layer for layer in result.layers}
    assert not layers["native"].ran
    assert "normal form" in layers["native"].reason or not native.available()
