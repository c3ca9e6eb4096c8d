"""VG255: int or nat in executable code."""

from __future__ import annotations

from collections.abc import Iterator

from verulaw_gate.findings import Finding
from verulaw_gate.gate.context import Context
from verulaw_gate.gate.native_facts import Facts, Place
from verulaw_gate.gate.rule import LayerName, Rule, RuleDoc
from verulaw_gate.gate.rules.static.support import VERSIONS, function_of

CODE = "VG255"
HINT = "use a machine type (usize, u64, ..) here; `int` and `nat` live in ghost code only"


def run(context: Context) -> Iterator[Finding]:
    """`as int`, `as nat` and literals such as `0int` where the macro sees exec code. The macro
    decides by syntax alone, so dead code counts, too."""
    facts = context.native
    if facts is None:
        return
    for cast in facts.casts:
        if cast["to"] in ("int", "nat") and _exec(facts, cast):
            message = f"`as {cast['to']}` in executable code"
            yield context.over(CODE, *cast["at"], message, HINT)
    for literal in facts.literals:
        if literal["suffix"] in ("int", "nat") and _exec(facts, literal):
            message = f"a literal with the suffix {literal['suffix']} in executable code"
            yield context.over(CODE, *literal["at"], message, HINT)


def _exec(facts: Facts, place: Place) -> bool:
    return place["mode"] == "exec" and not place["unsure"] and function_of(facts, place) is not None


RULE = Rule(
    codes=(CODE,),
    layer=LayerName.STATIC,
    run=run,
    docs={
        CODE: RuleDoc(
            finds="`x as int`, `x as nat`, `0int`, `0nat` in executable code",
            why="the mathematical integers exist in ghost code only",
            example="fn f(x: u8) -> (r: bool) { (x as int) > 3 }",
            remedy="compute with machine integers; `as int` belongs into clauses and proof blocks",
            versions=VERSIONS,
        )
    },
)
