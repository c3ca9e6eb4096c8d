"""VG201: Verus's own parser refuses the file."""

from __future__ import annotations

from collections.abc import Iterator

from verulaw_gate.findings import Finding
from verulaw_gate.gate.context import Context
from verulaw_gate.gate.rule import LayerName, Rule, RuleDoc

CODE = "VG201"


def run(context: Context) -> Iterator[Finding]:
    """One finding an error of the parser. Behind a `cfg` nothing is certain: the code may never
    be looked at."""
    if context.native is None:
        return
    for error in context.native.errors:
        if error["cfg"]:
            continue
        start, end = error["at"]
        yield context.over(
            CODE,
            start,
            max(start, end),
            f"does not parse: {error['message']}",
            "mend the syntax at the named place",
        )


RULE = Rule(
    codes=(CODE,),
    layer=LayerName.NATIVE,
    run=run,
    docs={
        CODE: RuleDoc(
            finds="a file that Verus's own parser (or, outside verus!{}, Rust's) refuses",
            why="the macro verus! stops at the first syntax error; nothing is verified",
            example="proof fn f() { let = 3; }",
            remedy="mend the syntax at the named place",
            versions="0.2026.06.08",
        )
    },
)
