"""Is a Rust file for us? A repository has plain Rust beside its proofs."""

from __future__ import annotations

import re

# A text in which none of these stands holds no Verus code: most plain files need no more.
_SIGNS = re.compile(
    r"verus\w*\s*!|verus_verify|verus_spec|verifier|vstd|builtin",
)
_MACROS = frozenset({"verus", "verus_", "verus_impl", "verus_trait_impl"})
_ATTRIBUTES = frozenset({"verus_verify", "verus_spec"})
_CRATES = frozenset({"vstd", "builtin", "builtin_macros", "verus_builtin", "verus_builtin_macros"})


def is_verus(text: str, base: str | None = None) -> bool:
    """Whether a Rust file holds Verus code: a `verus!` macro, an attribute of Verus, or a `use` of
    its library. So does one whose base did: code that was moved out of `verus!{}` must not go
    unseen."""
    return _holds(text) or (base is not None and _holds(base))


def _holds(text: str) -> bool:
    if _SIGNS.search(text) is None:
        return False
    from verulaw_gate.gate.lexer import lex

    words = ["", "", *lex(text).texts, "", ""]
    for at in range(2, len(words) - 2):
        word = words[at]
        if word in _MACROS and words[at + 1] == "!":
            return True
        if word in _ATTRIBUTES:
            return True
        if word == "verifier" and words[at - 1] == "[" and words[at + 1] in ("::", "("):
            return True
        before = words[at - 2] if words[at - 1] == "::" else words[at - 1]
        if word in _CRATES and before == "use":
            return True
    return False
