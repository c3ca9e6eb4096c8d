"""VG258, the part about signatures and the file as a whole."""

from __future__ import annotations

from collections.abc import Iterator

from verulaw_gate.findings import Edit, Finding
from verulaw_gate.gate.context import Context
from verulaw_gate.gate.native_facts import Facts, Item

CODE = "VG258"


def signatures(context: Context, facts: Facts) -> Iterator[Finding]:
    """What the macro says of signatures, a `verus!` without its import, a lost main."""
    for item in facts.items:
        if item["kind"] == "fn" and item["verus"] and not item["cfg"]:
            yield from _modifiers(context, facts, item)
    yield from _import(context, facts)
    yield from _main(context, facts)


def _modifiers(context: Context, facts: Facts, item: Item) -> Iterator[Finding]:
    parent = facts.items[item["parent"]] if item["parent"] >= 0 else None
    in_trait = parent is not None and parent["kind"] == "trait"
    start, end = item["name_at"]
    body = item["body"] is not None
    if item["mode"] == "spec" and item["vis"] and not item["publish"] and body:
        assert item["signature"] is not None
        after = item["signature"][0] + len(item["vis"])
        yield context.over(
            CODE,
            start,
            end,
            f"`{item['name']}` is a non-private spec fn: its body must be open or closed",
            f"write `{item['vis']} open spec fn {item['name']}` (callers may see the body)",
            (Edit(after, after, " open"),),
        )
    if item["mode"] != "spec" and item["publish"]:
        yield context.over(
            CODE,
            start,
            end,
            f"`{item['publish']}` on `{item['name']}`: only spec fns can have it",
            f"remove `{item['publish']}`",
        )
    if item["is_broadcast"] and item["mode"] not in ("proof", "axiom"):
        yield context.over(
            CODE,
            start,
            end,
            f"`broadcast` on `{item['name']}`: only proof fns can have it",
            "remove `broadcast` or make it a proof fn",
        )
    if item["mode"] == "proof" and not body and not in_trait and not item["external"]:
        yield context.over(
            CODE,
            start,
            end,
            f"the proof fn `{item['name']}` has no body",
            "give it a body that proves the ensures clause",
        )


def _import(context: Context, facts: Facts) -> Iterator[Finding]:
    """`verus!` by its bare name, and nothing at all that could bring the name in."""
    if not facts.blocks or facts.uses:
        return
    if any(item["kind"] in ("macro_rules", "macro", "extern_crate") for item in facts.items):
        return
    if any(use["on"] == "file" and use["path"] != "allow" for use in facts.attributes):
        return
    for macro in facts.macros:
        if macro["item"] and macro["path"] == ["verus"] and macro["parent"] < 0:
            start = macro["at"][0]
            yield context.over(
                CODE,
                start,
                start + len("verus"),
                "nothing imports the macro `verus!`",
                "put `use vstd::prelude::*;` at the top of the file",
                (Edit(0, 0, "use vstd::prelude::*;\n\n"),),
            )
            return


def _main(context: Context, facts: Facts) -> Iterator[Finding]:
    """A main that the base has and the candidate has not. Without a base it is not known whether
    the file is to be a library."""
    if context.base is None or facts.status != "ok":
        return
    if not any(i.kind == "fn" and i.name == "main" for i in context.base.items):
        return
    if any(item["name"] == "main" or item["kind"] in ("macro", "verbatim") for item in facts.items):
        return
    if any(use["name"] in ("main", "") and use["path"][:1] != ["vstd"] for use in facts.uses):
        return
    yield context.whole(CODE, "the file has no fn main any more", "keep `fn main() {}`")
