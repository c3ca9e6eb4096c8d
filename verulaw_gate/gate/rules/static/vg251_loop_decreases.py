"""VG251: an exec loop without a decreases clause."""

from __future__ import annotations

from collections.abc import Iterator

from verulaw_gate.findings import Edit, Finding
from verulaw_gate.gate.context import Context
from verulaw_gate.gate.native_facts import Attr, Loop
from verulaw_gate.gate.rule import LayerName, Rule, RuleDoc
from verulaw_gate.gate.rules.static.support import VERSIONS, function_of, inside, mentions

CODE = "VG251"


def run(context: Context) -> Iterator[Finding]:
    """Every `while` and `loop` of a body that Verus checks. `for` loops get their measure from
    the iterator; behind a return in the same block Verus does not look."""
    facts = context.native
    if facts is None:
        return
    for loop in facts.loops:
        if loop["kind"] == "for" or loop["decreases"] or loop["mode"] != "exec":
            continue
        if loop["dead"] or loop["unsure"] or not all(map(_harmless, loop["attrs"])):
            continue
        item = function_of(facts, loop)
        if item is None or mentions(facts, item, "decreases", "termination"):
            continue
        if any(inside(call["at"], loop["body"]) for call in facts.decreases_calls):
            continue
        start, end = loop["keyword"]
        yield context.over(
            CODE,
            start,
            end,
            f"this {loop['kind']} loop has no decreases clause",
            _hint(context, loop),
            _fix(context, loop),
        )


def _harmless(attr: Attr) -> bool:
    """An attribute of the loop that has nothing to do with its measure."""
    return attr["path"] in ("allow", "verifier::loop_isolation", "verifier::spinoff_prover")


def _hint(context: Context, loop: Loop) -> str:
    line = context.lines.position(loop["keyword"][0])[0]
    if loop["measure"]:
        return f"add `decreases {loop['measure']}` before the body of the loop at line {line}"
    return f"add a `decreases` clause (what shrinks each turn) to the loop at line {line}"


def _fix(context: Context, loop: Loop) -> tuple[Edit, ...]:
    """The clause, where the condition says what shrinks: a guess at the measure, but without any
    clause Verus refuses the file for certain."""
    if not loop["measure"]:
        return ()
    at = loop["body"][0]
    before = context.text[:at].rstrip()
    comma = "" if not loop["invariants"] or before.endswith(",") else ","
    return (Edit(len(before), len(before), f"{comma}\n        decreases {loop['measure']},"),)


RULE = Rule(
    codes=(CODE,),
    layer=LayerName.STATIC,
    run=run,
    docs={
        CODE: RuleDoc(
            finds="a `while` or `loop` in executable code without a `decreases` clause",
            why="Verus asks for a termination measure of every exec loop that is not a `for`",
            example="fn f() { let mut i = 0; while i < 3 { i = i + 1; } }",
            remedy="add `decreases` with what shrinks each turn, for example `decreases 3 - i`",
            versions=VERSIONS,
        )
    },
)
