"""Where functions are and what Verus checks of them: by hand-written files and a generator that
knows the answer."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from verulaw_gate.data import tasks_dir
from verulaw_gate.tasks import load_suite
from verulaw_gate.verus.functions import function_at, functions


def names(source):
    return [p.name for p in functions(source)]


def one(source, name):
    return next(p for p in functions(source) if p.name == name)


NOISE = [
    "// fn comment() {\n",
    "/* fn block() { /* nested } */ { */\n",
    'const S: &str = "fn string() { \\" {";\n',
    'const R: &str = r#"fn raw() { " {"#;\n',
    "const C: char = '{';\n",
    "const Q: char = '\\'';\n",
    "const U: char = '\\u{7b}';\n",
    "const B: u8 = b'{';\n",
    "struct T<'a> { f: fn(&'a u8) -> u8, }\n",
    "type F = fn(u8) -> bool;\n",
    '#[doc = "fn attribute() {"]\n',
    "use std::{fmt, io};\n",
]


@st.composite
def files(draw):
    """A file of functions among noise, with the place of each."""
    lines, places = [], []
    for number in range(draw(st.integers(0, 5))):
        for noise in draw(st.lists(st.sampled_from(NOISE), max_size=3)):
            lines.append(noise)
        mode = draw(st.sampled_from(["", "proof ", "spec ", "pub open spec ", "pub(crate) exec "]))
        clauses = draw(
            st.sampled_from(
                [
                    "",
                    "    ensures match x { 0 => true, _ => { x > 0 } },\n",
                    "    requires ({ let y = x; y }) > 0, decreases x,\n",
                ]
            )
        )
        body = draw(st.sampled_from(["", "    if x { y } else { z }\n", "    let c = '}';\n"]))
        start = sum(text.count("\n") for text in lines) + 1
        lines.append(f"{mode}fn f{number}(x: u8) -> (r: u8)\n{clauses}{{\n{body}}}\n")
        end = sum(text.count("\n") for text in lines)
        places.append((f"f{number}", start, end))
    return "verus! {\n" + "".join(lines) + "}\n", [(n, a + 1, b + 1) for n, a, b in places]


@given(files())
def test_generated_functions_are_found_where_they_were_written(case):
    source, places = case
    found = functions(source)
    assert [(p.name, p.first_line, p.last_line) for p in found] == places
    assert all(p.inside_verus and p.has_body and not p.trusted for p in found)
    for name, first, last in places:
        for line in range(first, last + 1):
            assert function_at(found, line) == name


@given(st.text())
def test_any_text_is_scanned(source):
    functions(source)


@given(st.text(alphabet="fn (){};'\"\\/*#![]xr verus!\n", max_size=80))
def test_any_text_of_awkward_characters_is_scanned(source):
    functions(source)


def test_text_that_repeats_itself_is_read_once():
    """A scanner that looks ahead from each of these would not end."""
    for text in ('\\"', '"', "'", "/*", 'r#"', "{", "fn f(", "#["):
        functions(text * 30_000)


def test_an_open_string_or_comment_hides_the_rest():
    assert names('fn a() {} "fn b() {} ') == ["a"]
    assert names("fn a() {} /* fn b() {} ") == ["a"]
    assert names('fn a() {} r#"fn b() {} "') == ["a"]


def test_nested_functions_and_the_code_after_them():
    source = "fn outer() {\n  fn inner() {\n  }\n  let x = 1;\n}\nfn next() {\n}\n"
    found = functions(source)
    assert [function_at(found, n) for n in range(1, 9)] == [
        *("outer", "inner", "inner", "outer", "outer", "next", "next"),
        None,
    ]


def test_what_is_not_a_body():
    source = (
        "verus! { trait T { fn a(); proof fn b() ensures match 1 { _ => true } ; "
        "fn c() {} } uninterp spec fn d(); fn e() ensures true { } broadcast use { x, y }; }"
    )
    assert {p.name: p.has_body for p in functions(source)} == {
        "a": False,
        "b": False,
        "c": True,
        "d": False,
        "e": True,
    }


def test_what_verus_does_not_check():
    source = """
fn outside() {}
#[verus_spec(ensures true)]
fn by_attribute() {}
verus! {
#[verifier::external_body]
fn body() {}
#[verifier(external_body)]
fn old_form() {}
axiom fn ax() ensures true;
#[verifier::external]
impl X { fn in_impl() {} }
impl X { fn fine() {} }
#[verifier::loop_isolation(false)]
fn isolated() {}
mod m { #![verifier::external] fn in_mod() {} }
}
"""
    found = {p.name: (p.inside_verus, p.trusted) for p in functions(source)}
    assert found == {
        "outside": (False, False),
        "by_attribute": (True, False),
        "body": (True, True),
        "old_form": (True, True),
        "ax": (True, True),
        "in_impl": (True, True),
        "fine": (True, False),
        "isolated": (True, False),
        "in_mod": (True, True),
    }


def test_raw_identifiers_and_lifetimes():
    assert names(
        "fn r#match<'a>(x: &'a u8) {} fn b<'b>() { 'l: loop { break 'l; } } fn c() {}"
    ) == [
        "match",
        "b",
        "c",
    ]


def test_every_function_that_real_verus_lists_is_found():
    """Verus's own list (`func-details`) is the oracle, over all recorded results that hold their
    source; a function of a trait or a type may have any path, so last names are compared."""
    checked = 0
    for path in sorted(tasks_dir().glob("*/verus_lenient/*.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        listed = {
            f.rsplit("::", 1)[-1]
            for f in json.loads(data["stdout"])["func-details"]
            if f.startswith("candidate::") and "%" not in f.rsplit("::", 1)[-1]
        }
        found = set(names(data["source"]))
        # Verus makes accessors of enum fields.
        listed = {name for name in listed if not name.startswith("arrow_")}
        assert listed <= found, path
        checked += len(listed)
    assert checked > 20


def test_every_target_of_the_suite_is_found_once_with_a_body():
    suite = load_suite()
    assert suite
    for task in suite:
        path = Path(str(task.path)) / "task.rs"
        body = path.read_text(encoding="utf-8").replace("//@ body", "{ }")
        places = [p for p in functions(body) if p.name == task.target]
        assert len(places) == 1, task.id
        assert places[0].inside_verus
        assert places[0].has_body
        assert not places[0].trusted
