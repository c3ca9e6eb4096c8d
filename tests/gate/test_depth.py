"""Long and deep sources: a result, never an exception, whatever recursion it takes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from verulaw_gate.gate import Gate

KINDS: dict[str, Callable[[int], str]] = {
    "conjunction": lambda n: " && ".join(f"s[x] > {k}" for k in range(n)),
    "bulleted": lambda n: " ".join(f"&&& s[x] > {k}" for k in range(n)),
    "negation": lambda n: "!" * n + "(s[x] > 0)",
    "choice": lambda n: (
        " else ".join(f"if x == {k} {{ true }}" for k in range(n)) + " else {false}"
    ),
    "methods": lambda n: "s" + ".push(x)" * n + ".len() > 0",
    "sum": lambda n: " + ".join("x" for _ in range(n)) + " > 0",
    "references": lambda n: "&" + " &" * n + "x == s[x]",
    "brackets": lambda n: "(" * n + "s[x] > 0" + ")" * n,
}


@pytest.mark.parametrize("count", [90, 190, 400, 1500])
@pytest.mark.parametrize("kind", KINDS)
def test_a_quantifier_of_any_size_is_judged(kind: str, count: int) -> None:
    body = KINDS[kind](count)
    source = (
        "use vstd::prelude::*;\nverus! {\n"
        f"spec fn f(s: Seq<int>) -> bool {{ forall|x: int| {body} }}\n"
        f"proof fn g(s: Seq<int>, x: int) {{ assert({body}); }}\n"
        "}\nfn main() {}\n"
    )
    Gate().check_source(source)
    Gate(source).check_source(source + "\n")


@pytest.mark.parametrize("count", [90, 190, 400, 1500])
def test_types_of_any_depth_are_judged(count: int) -> None:
    deep, references = "Vec<" * count + "u8" + ">" * count, "& " * count + "u8"
    source = (
        "use vstd::prelude::*;\nverus! {\n"
        f"spec fn f(a: {deep}) -> {references} {{ a }}\n"
        f"spec fn g(a: {references}) -> {deep} {{ a }}\n"
        "}\nfn main() {}\n"
    )
    Gate().check_source(source)
