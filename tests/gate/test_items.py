"""The item reader against Verus's own parser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from unicodedata import is_normalized

import pytest

from verulaw_gate.data import corpora_dir, tasks_dir
from verulaw_gate.gate.context import View
from verulaw_gate.gate.headers import header
from verulaw_gate.gate.native import analyse, available, reason

NAMED = {"fn", "struct", "enum", "union", "trait", "type", "const", "static", "mod", "macro_rules"}
CLAUSES = ("requires", "ensures", "recommends", "decreases")


def sources() -> Iterator[tuple[str, str]]:
    for path in sorted(corpora_dir().glob("*.jsonl")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            yield f"{path.stem}:{number}", json.loads(line)["source"]
    for path in sorted((Path(__file__).parent / "adversarial").glob("*/*.rs")):
        yield path.stem, path.read_bytes().decode()
    for path in sorted(tasks_dir().glob("*/task.rs")):
        yield path.parent.name, path.read_text().replace("//@ body", "{ }")


def test_items_are_those_of_verus() -> None:
    if not available():
        pytest.skip(f"the native layer is the oracle here: {reason()}")
    compared = functions = 0
    for name, text in sources():
        facts = analyse(text)
        if facts.status != "ok":
            continue
        if not is_normalized("NFC", text):
            # Names are compared in normal form here and as they are spelled there.
            continue
        if "verus_erase_ghost" in text:
            # The native layer lists what is in it; Verus proves nothing of it, so it is no item.
            continue
        compared += 1
        view = View(text)
        tokens = view.tokens
        # Foreign functions are no items of their own to the native layer.
        items = [i for i in view.all_items if i.kind in NAMED and i.container != "extern"]
        mine = sorted(
            (i.kind, i.name, tokens.ends[i.last] - (tokens.texts[i.last] == ";")) for i in items
        )
        theirs = sorted(
            (i["kind"], i["name"].removeprefix("r#"), i["at"][1] - (text[i["at"][1] - 1] == ";"))
            for i in facts.items
            if i["kind"] in NAMED
        )
        assert mine == theirs, name
        bodies = {i.name: [] for i in items}
        for item in items:
            if item.kind == "fn":
                functions += 1
                found = header(tokens, item)
                body = item.body and [tokens.starts[item.body[0]], tokens.ends[item.body[1]]]
                bodies[item.name].append((body, [bool(found.clauses.get(c)) for c in CLAUSES]))
        for fact in facts.items:
            if fact["kind"] == "fn":
                clauses = [bool(fact[c]) for c in CLAUSES]  # type: ignore[literal-required]
                assert (fact["body"], clauses) in bodies[fact["name"].removeprefix("r#")], name
    print(f"items of {compared} sources and headers of {functions} functions agree")
    assert compared >= 200
    assert functions >= 500


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("fn f() { } fn g() { }", ["fn f", "fn g"]),
        ("verus! { spec fn a() -> int { 1 } proof fn b(); }", ["verus", "fn a", "fn b"]),
        ("fn f() ensures match x { _ => true } { } struct S;", ["fn f", "struct S"]),
        ("fn f() ensures if a { b } else { c }, { } fn g() { }", ["fn f", "fn g"]),
        ("impl<A> T<A> for S { fn m(&self) { } const C: u8 = 1; }", ["impl", "fn m", "const C"]),
        ("pub(crate) open(crate) spec(checked) fn f() -> int { 1 }", ["fn f"]),
        ("pub broadcast axiom fn f(); broadcast use g; broadcast group h { a, b }",
         ["fn f", "use", "group h"]),
        ('extern "C" fn f() { } extern "C" { fn g(); } extern crate a as b;',
         ["fn f", "extern", "fn g", "extern b"]),
        ("#![a] #[b] #[c] fn f() { } mod m { mod n { type X = u8; } }",
         ["attribute", "fn f", "mod m", "mod n", "type X"]),
        ("const fn f() { } const X: u8 = if a { 1 } else { 2 }; static Y: u8 = { 1 };",
         ["fn f", "const X", "static Y"]),
        ("macro_rules! m { () => { } } a::b! { x } c!(y); state_machine! { M { } }",
         ["macro_rules m", "macro b", "macro c", "macro state_machine"]),
        ("global size_of usize == 8; assume_specification[ f ](x: u8); union U { a: u8 }",
         ["global", "assume_specification", "union U"]),
        ("struct S<const N: usize = { 3 }>; fn f() { }", ["struct S", "fn f"]),
        ("First we need fn f() { }", ["unknown", "fn f"]),
    ],
)  # fmt: skip
def test_items(text: str, items: list[str]) -> None:
    found = [
        i.kind if i.kind in ("impl", "verus", "extern") and i.name != "b" else i.label
        for i in View(text).all_items
    ]
    assert found == items
