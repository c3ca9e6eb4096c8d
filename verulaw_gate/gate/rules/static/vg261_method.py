"""VG261: a method that no type has, or one that Verus has no specification for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from verulaw_gate.findings import Finding
from verulaw_gate.gate.context import Context
from verulaw_gate.gate.native_facts import Facts, Method
from verulaw_gate.gate.near import nearest_in_vstd
from verulaw_gate.gate.rule import LayerName, Rule, RuleDoc
from verulaw_gate.gate.rules.static.std_methods import INHERENT
from verulaw_gate.gate.rules.static.support import GHOST_PLACES, VERSIONS, function_of
from verulaw_gate.gate.vstd_index import vstd_index

CODE = "VG261"
_WORD = re.compile(r"\w+")
GHOST_TYPES = frozenset({"Seq", "Set", "Map", "Multiset"})
SUGGESTIONS = 10
"""Names of one file for which the nearest one is looked for: the search is slow."""
# Methods of traits in the prelude of Rust that every type may have.
UNIVERSAL = frozenset(
    (
        *("clone", "clone_from", "into", "try_into", "eq", "ne", "borrow", "borrow_mut"),
        *("to_owned", "type_id", "as_ref", "as_mut", "cmp", "partial_cmp", "lt", "le", "gt"),
        *("ge", "max", "min"),
    )
)


def run(context: Context) -> Iterator[Finding]:
    """Method calls on receivers whose type declarations fix: ghost collections of vstd, and in
    exec code std types."""
    facts = context.native
    if facts is None or any(item["kind"] in ("macro", "verbatim") for item in facts.items):
        return
    if any("external_fn_specification" in use["path"] + use["args"] for use in facts.attributes):
        # The older way to give a std function its specification: under any name.
        return
    hints: dict[str, str] = {}
    own = _own_methods(facts)
    foreign = any(
        use["path"][:1] not in (["vstd"], ["std"], ["core"], ["alloc"]) for use in facts.uses
    )
    for method in facts.methods:
        if method["unsure"] or method["dead"] or method["name"] in own or foreign:
            continue
        if function_of(facts, method) is None:
            continue
        yield from _judge(context, method, hints)


def _own_methods(facts: Facts) -> frozenset[str]:
    """Methods of the file, and methods that it gives a specification itself."""
    names = {item["name"] for item in facts.items if item["kind"] == "fn"}
    for item in facts.items:
        if item["kind"] == "assume_specification":
            names.update(_WORD.findall(item["name"]))
    return frozenset(names)


def _judge(context: Context, method: Method, hints: dict[str, str]) -> Iterator[Finding]:
    type_ = method["receiver_type"]
    while type_[0] in ("&", "&mut"):
        type_ = type_[1]
    head, name = str(type_[0]), method["name"]
    if head in GHOST_TYPES:
        if name not in vstd_index().words and name not in UNIVERSAL:
            if name not in hints:
                near = nearest_in_vstd(name, 0.75) if len(hints) < SUGGESTIONS else ""
                hints[name] = f"did you mean `{near}`?" if near else "use a method that vstd has"
            hint = hints[name]
            yield context.over(CODE, *method["name_at"], f"`{head}` has no method `{name}`", hint)
    elif method["mode"] == "exec" and not method["closure"]:
        yield from _unspecified(context, method, head, name)
    elif method["mode"] in GHOST_PLACES and head in ("str", "String", "[]"):
        yield from _exec_in_ghost(context, method, head, name)


def _unspecified(context: Context, method: Method, head: str, name: str) -> Iterator[Finding]:
    """A method of std that Verus has no specification for. The first type in the chain of
    dereferences that has the method decides."""
    for owner in {"Vec": ("Vec", "slice"), "[]": ("slice",), "String": ("String", "str")}.get(
        head, (head,)
    ):
        if name in INHERENT.get(owner, frozenset()):
            # Older ways to specify (`ex_push`) are not parsed: their names are enough to be silent.
            known = f"{owner}::{name}" in vstd_index().specified
            if not known and f"ex_{name}" not in vstd_index().words:
                yield context.over(
                    CODE,
                    *method["name_at"],
                    f"`{owner}::{name}` has no specification in Verus",
                    "write a loop over indices, or a method that vstd specifies",
                )
            return


def _exec_in_ghost(context: Context, method: Method, head: str, name: str) -> Iterator[Finding]:
    if name == "as_bytes" and head == "str":
        yield context.over(
            CODE,
            *method["name_at"],
            "`as_bytes` is an exec method and cannot be called in ghost code",
            "compute it in exec code first, or speak of `s@` (a Seq<char>)",
        )


RULE = Rule(
    codes=(CODE,),
    layer=LayerName.STATIC,
    run=run,
    docs={
        CODE: RuleDoc(
            finds="a method on Seq, Set, Map or Multiset that vstd does not have; in exec code a"
            " method of Vec, String, str, slices, Option or Result without a specification",
            why="rustc finds no such method, or Verus does not support it",
            example="fn f(v: Vec<u64>) { let w = v.to_vec(); }",
            remedy="use a method that vstd has (the hint names the nearest), or write a loop",
            versions=VERSIONS,
        )
    },
)
