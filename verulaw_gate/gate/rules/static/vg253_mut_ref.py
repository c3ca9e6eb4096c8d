"""VG253: a `&mut` parameter in ensures without old or final."""

from __future__ import annotations

from collections.abc import Iterator

from verulaw_gate.findings import Edit, Finding
from verulaw_gate.gate.context import Context
from verulaw_gate.gate.rule import LayerName, Rule, RuleDoc
from verulaw_gate.gate.rules.static.support import VERSIONS, function_of, mentions

CODE = "VG253"
EXEMPTION = "deprecated_postcondition_mut_ref_style"


def run(context: Context) -> Iterator[Finding]:
    """Every place in an ensures clause where a parameter `x: &mut T` is dereferenced (`*x`, a
    field, an index, a method, `@`, a `&T` argument) and not inside `old(..)` or `final(..)`."""
    facts = context.native
    if facts is None:
        return
    for use in facts.mut_refs:
        item = function_of(facts, use)
        if item is None or use["unsure"] or mentions(facts, item, EXEMPTION):
            continue
        start, end = use["at"]
        name = use["name"]
        yield context.over(
            CODE,
            start,
            end,
            f"`{name}` is a &mut parameter: in ensures its state must be named",
            f"write `final({name})` for the value after the call, `old({name})` for before",
            (Edit(start, end, f"final({name})"),),
        )


RULE = Rule(
    codes=(CODE,),
    layer=LayerName.STATIC,
    run=run,
    docs={
        CODE: RuleDoc(
            finds="`*x`, `x.f`, `x[i]`, `x@` or `x.m()` in ensures, for a parameter `x: &mut T`",
            why="since 2026 a postcondition must say which state of a &mut parameter it means",
            example="fn f(x: &mut u64) ensures *x == 1 { *x = 1; }",
            remedy="write `*final(x)` for the value after the call and `*old(x)` for before",
            versions=VERSIONS,
        )
    },
)
