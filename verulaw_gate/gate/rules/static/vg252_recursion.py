"""VG252: a recursive function without a decreases clause."""

from __future__ import annotations

from collections.abc import Iterator

from verulaw_gate.findings import Finding
from verulaw_gate.gate.context import Context
from verulaw_gate.gate.native_facts import At, Facts, Item, Place
from verulaw_gate.gate.rule import LayerName, Rule, RuleDoc
from verulaw_gate.gate.rules.static.support import (
    EXEC_MODES,
    VERSIONS,
    Functions,
    function_of,
    inside,
    mentions,
)

CODE = "VG252"


def run(context: Context) -> Iterator[Finding]:
    """Functions on a cycle of certain calls that have no decreases clause of any form."""
    facts = context.native
    if facts is None:
        return
    edges = _edges(facts)
    for start in sorted(edges):
        item = facts.items[start]
        if not _reaches(edges, start) or _exempt(facts, item):
            continue
        assert item["signature"] is not None
        mutual = start not in edges[start]
        yield context.over(
            CODE,
            *item["signature"],
            f"`{item['name']}` is {'mutually ' if mutual else ''}recursive and has no decreases"
            " clause",
            f"add `decreases {_measure(item)}` to the signature of `{item['name']}`"
            " (what shrinks with every call)",
        )


def _edges(facts: Facts) -> dict[int, set[int]]:
    edges: dict[int, set[int]] = {}
    functions: Functions | None = None
    places: list[tuple[Place, At, list[str]]] = [
        (call, call["at"], call["path"]) for call in facts.calls if not call["local"]
    ]
    places += [(m, m["at"], ["self", m["name"]]) for m in facts.methods if m["on_self"]]
    for place, at, path in places:
        caller = function_of(facts, place)
        if caller is None or place["dead"] or place["unsure"]:
            continue
        if caller["body"] is None or not inside(at, caller["body"]):
            continue
        functions = functions or Functions(facts)
        if path[0] == "self" and len(path) == 2 and "receiver" in place:
            callee = functions.own_method(path[1], caller)
        else:
            callee = functions.called(path, caller)
        if callee is not None and _same_world(caller, callee):
            edges.setdefault(caller["id"], set()).add(callee["id"])
    return edges


def _same_world(caller: Item, callee: Item) -> bool:
    """A cycle stays in one mode; a call across modes is another rule's matter."""
    return _mode(caller) == _mode(callee)


def _mode(item: Item) -> str:
    return "exec" if item["mode"] in EXEC_MODES else item["mode"]


def _reaches(edges: dict[int, set[int]], start: int) -> bool:
    seen: set[int] = set()
    ahead = list(edges.get(start, ()))
    while ahead:
        at = ahead.pop()
        if at == start:
            return True
        if at not in seen:
            seen.add(at)
            ahead.extend(edges.get(at, ()))
    return False


def _exempt(facts: Facts, item: Item) -> bool:
    if item["decreases"]:
        return True
    body = item["body"]
    if body is not None and any(inside(call["at"], body) for call in facts.decreases_calls):
        return True
    parent = item["parent"]
    if parent >= 0 and (facts.items[parent]["of_trait"] or facts.items[parent]["kind"] == "trait"):
        return True
    return mentions(facts, item, "decreases", "termination")


def _measure(item: Item) -> str:
    numbers = [p["name"] for p in item["params"] if p["type"] in ("nat", "usize", "u64", "u32")]
    sequences = [
        p["name"] for p in item["params"] if p["type"].startswith(("Seq<", "&[", "&Vec<", "Vec<"))
    ]
    if len(numbers) == 1:
        return numbers[0]
    if len(sequences) == 1 and not numbers:
        return f"{sequences[0]}.len()"
    return ".."


RULE = Rule(
    codes=(CODE,),
    layer=LayerName.STATIC,
    run=run,
    docs={
        CODE: RuleDoc(
            finds="a function that calls itself, directly or through others of the file, and has"
            " no `decreases` clause",
            why="Verus asks for a termination measure of every recursive function",
            example="spec fn f(n: nat) -> nat { if n == 0 { 0 } else { f((n - 1) as nat) } }",
            remedy="add `decreases n` (what shrinks with every call) to the signature",
            versions=VERSIONS,
        )
    },
)
