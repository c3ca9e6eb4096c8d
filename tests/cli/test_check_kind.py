"""Which Rust files are for us."""

from __future__ import annotations

import pytest

from verulaw_gate.cli.checking.kind import is_verus

OURS = [
    "verus! { }",
    "verus ! ( )",
    "use vstd::prelude::*;",
    "use ::vstd::prelude::*;",
    "verus_impl! { }",
    "#[verus_verify]\nfn f() {}",
    "#[verus_spec(ensures true)]\nfn f() {}",
    "#[verifier::external_body]\nfn f() {}",
    "#[verifier(external_body)]\nfn f() {}",
    "mod m { vstd::prelude::verus! { } }",
]
PLAIN = [
    "fn main() {}",
    "// verus! { }\nfn main() {}",
    '/* use vstd::prelude::*; */ const S: &str = "verus! { }";',
    "struct Verifier; fn verifier() {}",
    "fn f() { quote! { use #vstd::prelude::*; } }",
    "let verus = 1; if verus != 2 {}",
    "#[cfg_attr(verus_keep_ghost, verifier::spec)] fn f() {}",
]


@pytest.mark.parametrize("text", OURS)
def test_ours(text: str) -> None:
    assert is_verus(text)
    assert is_verus("fn main() {}", text)


@pytest.mark.parametrize("text", PLAIN)
def test_plain(text: str) -> None:
    assert not is_verus(text)
    assert not is_verus(text, "fn f() {}")
