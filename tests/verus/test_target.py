"""Which function is meant by a target, and whether the run proved that one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verulaw_gate.verus.diagnostics import Reading
from verulaw_gate.verus.functions import functions
from verulaw_gate.verus.model import Outcome
from verulaw_gate.verus.target import target_proved

ARGV = ("verus", "candidate.rs", "--output-json", "--error-format=json")
TRUSTED = "#[verifier::external_body] "
TRAIT = "trait T { fn go(&self) -> u8; } struct S{} impl T for S { fn go(&self) -> u8 { 1 } }"
TWO = f"impl S {{ fn push(&self) {{}} }} impl R {{ {TRUSTED}fn push() {{}} }}"
NESTED = f"mod a {{ {TRUSTED}pub proof fn lem() {{}} }} mod b {{ pub proof fn lem() {{}} }}"
SHADOW = f"mod a {{ {TRUSTED}pub proof fn lem() {{}} }} pub proof fn lem() {{}}"
GENERIC = "struct S<T>{t:T} impl<'a, T: Fn(u8) -> u8> S<T> where T: Eq { fn get(&self) {} }"


def ask(source, target, *listed, argv=ARGV, entire=True):
    reading = Reading(
        Outcome.VERIFIED,
        verified=3,
        errors=0,
        functions=tuple(f"candidate::{name}" for name in listed) or None,
        entire_crate=entire,
    )
    whole = f"use vstd::prelude::*;\nverus! {{\n{source}\n}}\n"
    return target_proved(reading, argv, target=target, source=whole)


@pytest.mark.parametrize(
    ("source", "target", "listed", "proved"),
    [
        # What a trait only declares is proved by its implementations.
        (TRAIT, "go", ("T::go", "impl&%0::go"), True),
        (TRAIT, "S::go", ("T::go", "impl&%0::go"), True),
        ("trait T { fn go(&self); } fn f() {}", "go", ("T::go", "f"), False),
        ("trait T { fn go(&self) {} }", "T::go", ("T::go",), True),
        # A path tells functions of one name apart; a name alone that cannot is no answer.
        (TWO, "S::push", ("S::push", "R::push"), True),
        (TWO, "R::push", ("S::push", "R::push"), False),
        (TWO, "push", ("S::push", "R::push"), None),
        (NESTED, "b::lem", ("a::lem", "b::lem"), True),
        (NESTED, "crate::b::lem", ("a::lem", "b::lem"), True),
        (NESTED, "a::lem", ("a::lem", "b::lem"), False),
        (NESTED, "lem", ("a::lem", "b::lem"), None),
        (SHADOW, "lem", ("a::lem", "lem"), True),
        (f"{TRUSTED}fn f() {{}} mod a {{ fn f() {{}} }}", "f", ("f", "a::f"), False),
        # The names of generic types.
        (GENERIC, "S::get", ("impl&%0::get",), True),
        (GENERIC, "S<T>::get", ("impl&%0::get",), True),
        ("mod a { mod b { impl<T> x::Tr<T> for y::S<T> { fn g() {} } } }", "a::b::S::g", (), True),
        # Never by a part of a name.
        ("fn max_of() {}", "of", ("max_of",), False),
        ("fn xmax() {}", "max", ("xmax",), False),
        ("fn max() {}", "xmax", ("max",), False),
        # Not proved at all.
        (f"{TRUSTED}fn f() {{}} fn g() {{}}", "f", ("f", "g"), False),
        ("fn f() { #![verifier::external_body] } fn g() {}", "f", ("f", "g"), False),
        ("axiom fn f() ensures false; fn g() {}", "f", ("f", "g"), False),
        ("uninterp spec fn f() -> bool; fn g() {}", "f", ("f", "g"), False),
        # Not to be told from the text.
        ("macro_rules! m { ($n:ident) => { fn $n() {} } } m!(f);", "f", ("f",), None),
    ],
)
def test_the_function_that_is_meant(source, target, listed, proved):
    assert ask(source, target, *listed) is proved


BOTH = "mod a { fn f() {} mod b { fn h() {} } } fn g() {} struct S{} impl S { fn m() {} }"


@pytest.mark.parametrize(
    ("options", "covers"),
    [
        (["--verify-root"], {"g", "S::m"}),
        (["--verify-module", "a"], {"a::f", "a::b::h"}),
        (["--verify-module=a"], {"a::f", "a::b::h"}),
        (["--verify-only-module", "a"], {"a::f"}),
        (["--verify-root", "--verify-module", "a::b"], {"g", "S::m", "a::b::h"}),
        (["--verify-root", "--verify-function", "g"], {"g"}),
        (["--verify-root", "--verify-function", "S::m"], {"S::m"}),
        (["--verify-root", "--verify-function=S::m"], {"S::m"}),
        (["--verify-root", "--verify-function", "R::m"], set()),
        (["--verify-module", "a", "--verify-function", "*h"], {"a::b::h"}),
        ([], {"a::f", "a::b::h", "g", "S::m"}),
    ],
)
def test_a_part_of_the_crate(options, covers):
    """The options that narrow a run say of which functions it is a proof."""
    every = ("a::f", "a::b::h", "g", "S::m")
    got = {
        target: ask(BOTH, target, *every, argv=(*ARGV, *options), entire=not options)
        for target in every
    }
    assert got == {target: target in covers for target in every}


def test_without_a_source_the_list_alone_decides_and_vstd_is_not_of_it():
    listed = ("vstd::seq::Seq::len", "candidate::f")
    reading = Reading(Outcome.VERIFIED, verified=1, errors=0, functions=listed, entire_crate=True)
    assert target_proved(reading, ARGV, target="f", source=None) is True
    assert target_proved(reading, ARGV, target="len", source=None) is False


names = st.sampled_from(["a", "b", "c"])


@st.composite
def crates(draw, depth=2):
    """A source text and the paths of its functions, known from how it was made."""
    parts, paths = [], []
    for _ in range(draw(st.integers(0, 3))):
        name, kind = draw(names), draw(st.sampled_from(["fn", "mod", "impl", "trait-impl"]))
        if kind == "fn":
            parts.append(
                f"fn {name}<T: Fn(u8) -> u8>(x: [u8; 2]) -> u8 {{ if x {{ 1 }} else {{ 2 }} }}"
            )
            paths.append((name,))
        elif depth and kind == "mod":
            inside, below = draw(crates(depth - 1))
            parts.append(f"pub mod m{name} {{ {inside} }}")
            paths += [(f"m{name}", *path) for path in below]
        elif kind != "mod":
            header = "" if kind == "impl" else "p::Tr<fn(T) -> T> for "
            parts.append(f"impl<T> {header}q::S{name}<T> where T: Copy {{ fn {name}(&self) {{}} }}")
            paths.append((f"S{name}", name))
    return "\n".join(parts), paths


@given(crates())
def test_paths_are_those_of_the_text(made):
    text, paths = made
    assert [p.path for p in functions(f"verus! {{ {text} }}")] == paths
