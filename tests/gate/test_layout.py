"""Layout is not code: comments, white space and literals never change what a rule says."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verulaw_gate.gate import Gate, normal_form, normal_hash
from verulaw_gate.gate.lexer import lex

SUITE = Path(__file__).parent / "adversarial"
BASES = {path.stem: path.read_text() for path in (SUITE / "bases").iterdir()}
GATES = {name: Gate(text, native=False) for name, text in BASES.items()}
FILES = sorted(
    path
    for path in [*SUITE.glob("cheats/*.rs"), *SUITE.glob("innocent/*.rs")]
    if "`" not in lex(path.read_bytes().decode()).texts and "shebang" not in path.stem
)
FORBIDDEN = (
    "assume(false);", "admit();", "vstd::pervasive::admit()", "#[verifier::external_body]",
    "#[verifier(external)]", "assume_specification[f](x: u8);", "axiom fn a();", "unsafe { }",
    "macro_rules! m { }", 'include!("x");', "extern crate x;", "#[cfg(any())]", "} } ) ]", "{ ( [",
    "```", "#![verifier::exec_allows_no_decreases_clause]", "struct half;", "mod vstd { }",
    "type u32 = u8;", "loop { }", "#[verifier::rlimit(9999)]", "proof_from_false()",
)  # fmt: skip
TRIVIA = st.sampled_from([" ", "\n", "\t", "\r\n", " // assume(false) }\n", " /* admit(); { */ "])


def gate_of(path: Path) -> Gate:
    text = path.read_bytes().decode()
    return next(
        gate for name, gate in GATES.items() if f"// base: {name}\n" in text.replace("\r", "")
    )


def codes(gate: Gate, text: str) -> list[str]:
    return sorted(f.code for f in gate.check(text).findings)


@settings(max_examples=150)
@given(st.sampled_from(FILES), st.data())
def test_trivia_between_tokens_changes_no_code(path: Path, data: st.DataObject) -> None:
    text = path.read_bytes().decode()
    tokens = lex(text)
    places = data.draw(st.lists(st.sampled_from(tokens.starts), max_size=6, unique=True))
    changed = text
    for place in sorted(places, reverse=True):
        changed = changed[:place] + data.draw(TRIVIA) + changed[place:]
    gate = gate_of(path)
    assert codes(gate, changed) == codes(gate, text)


@settings(max_examples=150)
@given(st.sampled_from(FORBIDDEN), st.sampled_from(sorted(BASES)), st.integers(0, 10**6))
def test_forbidden_words_in_comments_are_no_code(word: str, base: str, where: int) -> None:
    text = BASES[base]
    tokens = lex(text)
    place = tokens.starts[where % len(tokens)]
    for trivia in (f"/* {word} */", f"/* /* {word} */ */", f"// {word}\n", f"/** {word} */"):
        assert codes(GATES[base], text[:place] + trivia + text[place:]) == []


@settings(max_examples=100)
@given(st.lists(st.sampled_from(FORBIDDEN), min_size=1, max_size=4).map(" ".join))
def test_forbidden_words_in_literals_are_no_code(words: str) -> None:
    plain = words.replace('"', "")
    for literal in (f'"{plain}"', f'r"{plain}"', f'r##"{words}"##', f'b"{plain}"', f'c"{plain}"'):
        text = BASES["halve"].replace(
            "    x / 2\n}\n\n} //", f"    let s = {literal};\n    x / 2\n}}\n\n}} //"
        )
        assert literal in text
        assert codes(GATES["halve"], text) == []


@settings(max_examples=100)
@given(st.sampled_from(FILES), st.data())
def test_the_normal_form_ignores_layout_and_nothing_else(path: Path, data: st.DataObject) -> None:
    text = path.read_bytes().decode()
    tokens = lex(text)
    # Behind brackets, commas, semicolons and words nothing can be torn apart.
    safe = [
        start
        for start, before in zip(tokens.starts[1:], tokens.texts, strict=False)
        if before in "()[]{},;" or before.isidentifier()
    ]
    place = data.draw(st.sampled_from(safe))
    assert normal_hash(text[:place] + data.draw(TRIVIA) + text[place:]) == normal_hash(text)
    at = data.draw(st.integers(0, len(tokens) - 1))
    dropped = text[: tokens.starts[at]] + " " + text[tokens.ends[at] :]
    assert normal_hash(dropped) != normal_hash(text)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("a && b", "a & & b"),
        ("a == b", "a = = b"),
        ('"a b"', '"a  b"'),
        ('"a // b"', '"a // c"'),
        ("'a' b", "'a 'b"),
        ('r#"a"#', '"a"'),
        ("ab", "a b"),
        ("x.0 .1", "x.0.1"),
        ("/* a", "/* a */"),
    ],
)
def test_different_programs_have_different_normal_forms(a: str, b: str) -> None:
    assert normal_form(a) != normal_form(b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("f(x,y)", "f ( x ,\n y ) // why"),
        ("a==b", "a /* is */ == b"),
        ("/// doc\nfn f(){}", "fn f ( ) { }"),
        ("Vec<u8>", "Vec < u8 >"),
        ("a\r\nb", "a\nb"),
    ],
)
def test_equal_programs_have_one_normal_form(a: str, b: str) -> None:
    assert normal_form(a) == normal_form(b)
    assert normal_hash(a) == normal_hash(b)
