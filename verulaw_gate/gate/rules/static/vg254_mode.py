"""VG254: a call across modes that Verus refuses."""

from __future__ import annotations

from collections.abc import Iterator

from verulaw_gate.findings import Finding
from verulaw_gate.gate.context import Context
from verulaw_gate.gate.native_facts import At, Facts, Item, Place
from verulaw_gate.gate.rule import LayerName, Rule, RuleDoc
from verulaw_gate.gate.rules.static.support import (
    EXEC_MODES,
    GHOST_PLACES,
    VERSIONS,
    Functions,
    function_of,
    has_attribute,
)

CODE = "VG254"
HINTS = {
    "spec": "call it in ghost code only (`proof {{ .. }}`, assert, a clause), or write an exec fn",
    "proof": "call it inside `proof {{ .. }}`",
    "exec": "ghost code may only call spec and proof fns: state what the exec fn ensures instead",
}


def run(context: Context) -> Iterator[Finding]:
    """Calls of functions of the file in the wrong mode, and `@` and quantifiers in exec code."""
    facts = context.native
    if facts is None:
        return
    yield from _calls(context, facts)
    yield from _views(context, facts)
    for ghost in facts.ghost_exprs:
        if _looked_at(facts, ghost):
            yield context.over(
                CODE,
                *ghost["at"],
                f"`{ghost['note']}` is ghost code and cannot be computed here",
                "use it in assert, a clause or `proof { .. }`, or write a loop that computes it",
            )
    for note in facts.refused:
        if note["note"] == "chain" and _looked_at(facts, note):
            yield context.over(
                CODE,
                *note["at"],
                "a chain of comparisons is ghost code and cannot be computed here",
                "write `a <= b && b < c` in exec code",
            )


def _looked_at(facts: Facts, place: Place) -> Item | None:
    if place["unsure"] or place["dead"]:
        return None
    return function_of(facts, place)


def _calls(context: Context, facts: Facts) -> Iterator[Finding]:
    functions: Functions | None = None
    for call in facts.calls:
        caller = _looked_at(facts, call)
        if caller is None or call["local"]:
            continue
        functions = functions or Functions(facts)
        callee = functions.called(call["path"], caller)
        if callee is not None:
            yield from _judge(context, call, callee, call["callee"], "::".join(call["path"]))
    for method in facts.methods:
        if not method["on_self"] and method["receiver_type"] == ["?"]:
            continue
        caller = _looked_at(facts, method)
        if caller is None:
            continue
        functions = functions or Functions(facts)
        if method["on_self"]:
            callee = functions.own_method(method["name"], caller)
        else:
            callee = functions.method_on(method["receiver_type"], method["name"])
        if callee is not None:
            yield from _judge(context, method, callee, method["name_at"], method["name"])


def _judge(context: Context, place: Place, callee: Item, at: At, name: str) -> Iterator[Finding]:
    mode = "exec" if callee["mode"] in EXEC_MODES else callee["mode"]
    mode = "proof" if mode == "axiom" else mode
    here = place["mode"]
    wrong = (
        (here == "exec" and mode != "exec")
        or (here in GHOST_PLACES and mode == "exec")
        or (here == "spec" and mode == "proof")
    )
    # An exec fn may have a spec twin that ghost code calls in its place; other attributes of the
    # verifier may do more that is not known here.
    if not wrong or has_attribute(callee, "when_used_as_spec", "allow_in_spec", "internal"):
        return
    where = "ghost" if here == "ghost" else here
    yield context.over(
        CODE,
        at[0],
        at[1],
        f"cannot call `{name}` (mode {mode}) from {where} code",
        HINTS[mode].format(),
    )


def _views(context: Context, facts: Facts) -> Iterator[Finding]:
    if any(i["kind"] == "fn" and i["name"] == "view" and i["mode"] != "spec" for i in facts.items):
        return
    if any(i["kind"] in ("macro", "verbatim") for i in facts.items):
        return
    for view in facts.views:
        if view["mode"] == "exec" and _looked_at(facts, view) is not None:
            yield context.over(
                CODE,
                *view["at"],
                "`@` is the ghost view and cannot be used in exec code",
                "read the value itself (`v[i]`, `v.len()`) instead of its view",
            )


RULE = Rule(
    codes=(CODE,),
    layer=LayerName.STATIC,
    run=run,
    docs={
        CODE: RuleDoc(
            finds="exec code that calls a spec or proof fn of the file or uses `@`, forall, exists,"
            " choose; ghost code that calls an exec fn; spec code that calls a proof fn",
            why="ghost code is erased before the program runs, and exec code may have effects",
            example="spec fn s(x: u8) -> bool { x > 3 } fn f(x: u8) -> (r: bool) { s(x) }",
            remedy="compute in exec code, state in ghost code; put lemma calls into `proof { .. }`",
            versions=VERSIONS,
        )
    },
)
