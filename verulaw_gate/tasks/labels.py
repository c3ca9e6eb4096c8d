"""The closed sets of label values of designed traces.

Labels speak of one stage each on its own: where the protocol label is not `ok`, a gate label
`ok` means not applicable. `unknown` for Verus: the protocol is broken (then `verus_lenient/` says
what Verus makes of the text), or Verus gives an error outside the named classes (the note says
which). `proof-failure` includes an exceeded rlimit.
"""

from __future__ import annotations

PROTOCOL_LABELS = frozenset(
    {
        "ok",
        "text-before-first-marker",
        "missing-body",
        "truncated",
        "missing-termination",
        "duplicate-body",
        "lemma-after-body",
        "text-after-termination",
        "unknown-marker",
        "environment-state-from-model",
    }
)
GATE_LABELS = frozenset(
    {
        "ok",
        "spec-tampering",
        "admit",
        "assume",
        "axiom",
        "external-body",
        "syntax-error",
        "block-escape",
        "markdown-fence",
        "unbalanced-delimiters",
        "not-an-item",
    }
)
VERUS_LABELS = frozenset(
    {
        "verified",
        "proof-failure",
        "syntax-error",
        "unresolved-name",
        "type-error",
        "mode-error",
        "unknown",
    }
)
FIELDS: dict[str, frozenset[str]] = {
    "expect_protocol": PROTOCOL_LABELS,
    "expect_gate": GATE_LABELS,
    "expect_verus": VERUS_LABELS,
}
