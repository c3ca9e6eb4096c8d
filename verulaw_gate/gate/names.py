"""Which names the fixed text uses: an added item of such a name can change what it means."""

from __future__ import annotations

from dataclasses import dataclass

from verulaw_gate.gate.context import View
from verulaw_gate.gate.headers import is_spec
from verulaw_gate.gate.items import Item
from verulaw_gate.gate.lexer import Kind

# Names that proof code and the macros themselves rest on, whatever the fixed text says.
CRATES = frozenset(
    [
        "vstd",
        "builtin",
        "verus_builtin",
        "verus_builtin_macros",
        "builtin_macros",
        "core",
        "std",
        "alloc",
    ]
)
# Macros of vstd that are all proof. `assert_eq!` and `assert_ne!` are executable.
PROOF_MACROS = frozenset(
    [
        "calc",
        "proof",
        "proof_decl",
        "assert_by",
        "assert_by_contradiction",
        "assert_forall_by",
        "assert_seqs_equal",
        "assert_sets_equal",
        "assert_maps_equal",
        "assert_multisets_equal",
        "assert_bitvector_by",
        "assert_bit_vector",
        "assert_nonlinear_by",
    ]
)
MACROS = PROOF_MACROS | frozenset(
    [
        "verus",
        "assert",
        "assume",
        "requires",
        "ensures",
        "invariant",
        "decreases",
    ]
)
# Operators that Verus turns into method calls.
SUGAR = {
    "@": "view",
    "[": "spec_index",
    "+": "spec_add",
    "-": "spec_sub",
    "*": "spec_mul",
    "/": "spec_euclidean_or_real_div",
    "%": "spec_euclidean_mod",
    "<": "spec_lt",
    "<=": "spec_le",
    ">": "spec_gt",
    "has": "spec_has",
    "is": "is_variant",
    "==": "spec_eq",
    "!=": "spec_eq",
    "=~=": "ext_equal",
}


@dataclass(frozen=True, slots=True)
class Uses:
    """`free`: names that an item can stand for. `any`: all names, binders too: a constant or a
    unit struct of a binder's name changes a pattern. `methods`: names after a dot, and those that
    operators stand for. `macros`: names before `!`."""

    free: frozenset[str]
    any: frozenset[str]
    methods: frozenset[str]
    macros: frozenset[str]


def uses(view: View, *, bodies: bool) -> Uses:
    """The names that a text uses. Without `bodies` those of proof and executable bodies are left
    out: a candidate may rewrite them."""
    free: set[str] = set()
    every: set[str] = set()
    methods: set[str] = set()
    macros: set[str] = set()
    for item in view.all_items:
        if item.children or item.kind == "verus":
            # Its children speak for themselves; its own header is all that is left.
            stop = item.body[0] if item.body else item.last + 1
        elif not bodies and item.kind == "fn" and item.body and not is_spec(view.tokens, item):
            stop = item.body[0]
        else:
            stop = item.last + 1
        _collect(view, item, stop, free, every, methods, macros)
    return Uses(frozenset(free), frozenset(every), frozenset(methods), frozenset(macros))


def _collect(
    view: View,
    item: Item,
    stop: int,
    free: set[str],
    every: set[str],
    methods: set[str],
    macros: set[str],
) -> None:
    texts, kinds = view.tokens.texts, view.tokens.kinds
    bound: set[str] = set()
    used: set[str] = set()
    for at in range(item.first, stop):
        text = texts[at]
        if text in SUGAR:
            methods.add(SUGAR[text])
        if kinds[at] != Kind.WORD:
            continue
        name = text.removeprefix("r#")
        before = texts[at - 1] if at else ""
        after = texts[at + 1] if at + 1 < len(texts) else ""
        if before == ".":
            methods.add(name)
            continue
        every.add(name)
        if after == "!" and at + 2 < len(texts) and kinds[at + 2] == Kind.OPEN:
            macros.add(name)
        elif (
            after == ":"
            or before in ("let", "mut", "ghost", "tracked")
            or ((before == "|" or after == "|") and name[:1].islower())
        ):
            bound.add(name)
        else:
            used.add(name)
    free |= used - bound
