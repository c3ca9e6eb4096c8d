"""VG403 where nothing of the base is changed: what an addition makes it say besides."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator

from verulaw_gate.findings import Finding
from verulaw_gate.gate.context import Context, View
from verulaw_gate.gate.headers import CLAUSES, attributes
from verulaw_gate.gate.items import Item
from verulaw_gate.gate.show import changed

_HEADER_FUNCTIONS = CLAUSES | {
    "decreases_when",
    "opens_invariants_any",
    "opens_invariants_none",
    "opens_invariant_mask",
    "no_unwind_when",
}
_HEADER_NAMES = _HEADER_FUNCTIONS | {f"r#{name}" for name in _HEADER_FUNCTIONS}
KEEP = "leave the given specification as it is; add lemmas and proof"
_VERUS = frozenset({"verifier", "verus"})
# Said by the trust rules, in their family.
_TRUST_WORDS = ("external", "cfg", "exec_allows_no_decreases_clause", "assume_termination")


def found(context: Context) -> Iterator[Finding]:
    """All of them. The context has a base."""
    yield from _header_functions(context)
    yield from _file_attributes(context)
    yield from _promises(context)
    yield from _invariants(context)


def _header_functions(context: Context) -> Iterable[Finding]:
    """Clauses written as calls of Verus's own header functions, which the keywords stand for:
    `verus_builtin::r#requires([false])` at the head of a body is a requires clause."""
    assert context.base is not None
    texts = context.tokens.texts
    for at in [at for at, text in enumerate(texts) if text in _HEADER_NAMES]:
        text = texts[at]
        if text[:2] == "r#" or (at > 0 and texts[at - 1] == "::"):
            if (texts[at - 1], text) in itertools.pairwise(context.base.tokens.texts):
                continue
            name = text.removeprefix("r#")
            message = f"`{name}` as a function adds a clause to the function that it stands in"
            yield context.at("VG403", at, at, message, KEEP)


def _file_attributes(context: Context) -> Iterable[Finding]:
    """Inner attributes of the file or a module that change what specifications in it say."""
    assert context.base is not None
    known = Counter(meaning for _, meaning in _inner(context.base))
    for item, meaning in _inner(context.view):
        known[meaning] -= 1
        if known[meaning] < 0:
            what = "the attributes of the file"
            if item.path:
                what = f"the attributes of `{item.path[-1]}`"
            message = changed(what, (), flat([meaning[1]]))
            yield context.at("VG403", item.first, item.last, message, KEEP)


def _promises(context: Context) -> Iterable[Finding]:
    """Functions without a body, added to a trait of the base: all who use it may rely on them."""
    assert context.base is not None
    traits = {item.key for item in context.base.all_items if item.kind == "trait"}
    known = {item.key for item in context.base.all_items if item.container == "trait"}
    for item in context.view.all_items:
        added = item.container == "trait" and item.path in traits and item.key not in known
        if added and item.kind == "fn" and item.body is None:
            message = f"`{item.path[-1]}` of the base got the function `{item.name}` to promise"
            yield context.at("VG403", item.head, item.last, message, KEEP)


def _invariants(context: Context) -> Iterable[Finding]:
    """Type invariants that are added to a type of the base: whoever is given a value of the type
    may rely on them, and where the base makes no value nobody has to prove them."""
    assert context.base is not None
    texts = context.tokens.texts
    if "type_invariant" not in texts:
        return
    known = {item.key for item in context.base.all_items}
    kinds = ("struct", "enum", "union")
    types = {item.name for item in context.base.all_items if item.kind in kinds}
    for item in context.view.all_items:
        if item.kind != "fn" or "type_invariant" not in texts[item.first : item.head]:
            continue
        stop = item.body[0] if item.body else item.last
        about = {*" ".join(item.path[-1:]).split(), *texts[item.keyword : stop]}
        if item.key not in known and about & types:
            name = min(about & types)
            message = f"`{name}` of the base got a type invariant: `{item.name}`"
            yield context.at("VG403", item.first, item.keyword + 1, message, KEEP)


def _inner(view: View) -> Iterator[tuple[Item, tuple[tuple[str, ...], tuple[str, ...]]]]:
    for item in view.all_items:
        if item.kind == "attribute":
            for attribute in attributes(view.tokens, item.first, item.last + 1):
                if attribute[0] in _VERUS and not of_trust(attribute):
                    yield item, (item.path, attribute)


def of_trust(attribute: tuple[str, ...]) -> bool:
    """Whether an attribute is for the trust rules to speak of."""
    name = next((text for text in attribute if text not in ("verifier", "::")), "")
    return name.startswith(_TRUST_WORDS)


def flat(attributes: list[tuple[str, ...]]) -> tuple[str, ...]:
    """Attributes as they are written."""
    return tuple(text for a in attributes for text in ("#[", *a, "]"))
