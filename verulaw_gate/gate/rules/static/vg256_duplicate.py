"""VG256: two names that collide in one scope."""

from __future__ import annotations

import re
from collections.abc import Iterator

from verulaw_gate.findings import Finding
from verulaw_gate.gate.context import Context
from verulaw_gate.gate.native_facts import Facts, Item
from verulaw_gate.gate.rule import LayerName, Rule, RuleDoc
from verulaw_gate.gate.rules.static.support import VERSIONS

CODE = "VG256"
TYPES = frozenset({"struct", "enum", "union", "type", "trait", "mod", "trait_alias"})
VALUES = frozenset({"fn", "const", "static"})
# `Ghost(x): Ghost<int>`: the macro renames the parameter and binds `x` in the body.
WRAPPED = re.compile(r"\w+\s*\(")


def run(context: Context) -> Iterator[Finding]:
    """A result named like a parameter, two parameters of one name, two items of one name."""
    facts = context.native
    if facts is None:
        return
    for item in facts.items:
        if item["kind"] == "fn" and not item["cfg"]:
            yield from _signature(context, item)
    yield from _items(context, facts)


def _signature(context: Context, item: Item) -> Iterator[Finding]:
    # A parameter behind a cfg may not be there, and both sides of an or-pattern bind its names.
    words = context.text[slice(*item["signature"])] if item["signature"] else "|"
    certain = "|" not in words and "cfg" not in words
    seen: set[str] = set()
    for param in item["params"]:
        if WRAPPED.match(context.text, *param["at"]):
            continue
        for name, at in param["names"]:
            if name in seen and name and certain:
                yield context.over(
                    CODE,
                    *at,
                    f"`{name}` is bound twice in the parameters of `{item['name']}`",
                    f"rename one of the parameters `{name}`",
                )
            seen.add(name)
    result = item["ret"]
    if result is None or not item["verus"]:
        return
    for name, at in result["names"]:
        if name in seen and name != "self":
            yield context.over(
                CODE,
                *at,
                f"the result is named `{name}` like a parameter of `{item['name']}`",
                f"name the result otherwise, for example `(res: {result['type']})`",
            )


def _items(context: Context, facts: Facts) -> Iterator[Finding]:
    first: dict[tuple[int, str, str], Item] = {}
    for item in facts.items:
        if item["cfg"] or not item["name"] or item["name"] == "_":
            continue
        space = "type" if item["kind"] in TYPES else "value" if item["kind"] in VALUES else ""
        if not space or _member_of_trait_impl(facts, item):
            continue
        key = (item["parent"], space, item["name"])
        if key in first:
            yield context.over(
                CODE,
                *item["name_at"],
                f"`{item['name']}` is defined twice here",
                "rename or remove one of the two definitions"
                f" (the first is at line {context.lines.position(first[key]['name_at'][0])[0]})",
            )
        else:
            first[key] = item


def _member_of_trait_impl(facts: Facts, item: Item) -> bool:
    parent = item["parent"]
    return parent >= 0 and facts.items[parent]["kind"] in ("fn", "extern")


RULE = Rule(
    codes=(CODE,),
    layer=LayerName.STATIC,
    run=run,
    docs={
        CODE: RuleDoc(
            finds="a named result that is called like a parameter, two parameters or two items of"
            " one name in one scope",
            why="Rust and Verus refuse both: the name would have two meanings",
            example="spec fn f(r: int) -> (r: bool) { true }",
            remedy="rename one of the two",
            versions=VERSIONS,
        )
    },
)
