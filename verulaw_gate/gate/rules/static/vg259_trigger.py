"""VG259: a quantifier for which Verus finds no trigger."""

from __future__ import annotations

from collections.abc import Iterator

from verulaw_gate.findings import Edit, Finding
from verulaw_gate.gate.context import Context
from verulaw_gate.gate.native_facts import Facts
from verulaw_gate.gate.rule import LayerName, Rule, RuleDoc
from verulaw_gate.gate.rules.static.support import VERSIONS, function_of
from verulaw_gate.gate.rules.static.triggers import Term, uncovered

CODE = "VG259"


def run(context: Context) -> Iterator[Finding]:
    """Quantifiers without a trigger mark where no term that could be chosen covers a variable."""
    facts = context.native
    if facts is None:
        return
    inline = _inline_names(facts)
    for quantifier in facts.quantifiers:
        if quantifier["triggers"] or quantifier["dead"] or quantifier["unsure"]:
            continue
        if function_of(facts, quantifier) is None:
            continue
        found = uncovered(quantifier, lambda name: name.split("::")[-1] in inline)
        if found is None:
            continue
        missing, dropped = found
        start, end = quantifier["at"]
        variables = ", ".join(f"`{name}`" for name in missing)
        yield context.over(
            CODE,
            start,
            end,
            f"no term of this quantifier can be its trigger for {variables}",
            _hint(context, missing, dropped),
            _fix(dropped),
        )


def _inline_names(facts: Facts) -> frozenset[str]:
    """Functions whose bodies may take the place of the call, and functions that are never
    chosen."""
    return frozenset(
        item["name"]
        for item in facts.items
        if item["kind"] == "fn"
        and any(
            word in attr["path"] + attr["args"]
            for attr in item["attrs"]
            for word in ("inline", "no_auto_trigger", "when_used_as_spec")
        )
    )


def _hint(context: Context, missing: list[str], dropped: list[Term]) -> str:
    if len(dropped) == 1:
        term = context.text[dropped[0].start : dropped[0].end]
        return f"mark the term: `#[trigger] {term}`"
    if dropped:
        term = context.text[dropped[0].start : dropped[0].end]
        return f"mark one term that has {', '.join(missing)} in it, such as `#[trigger] {term}`"
    return (
        f"put the part with {', '.join(missing)} into a spec fn and mark its call `#[trigger]`"
        " (arithmetic and comparisons cannot be triggers)"
    )


def _fix(dropped: list[Term]) -> tuple[Edit, ...]:
    if len(dropped) != 1:
        return ()
    return (Edit(dropped[0].start, dropped[0].start, "#[trigger] "),)


RULE = Rule(
    codes=(CODE,),
    layer=LayerName.STATIC,
    run=run,
    docs={
        CODE: RuleDoc(
            finds="a quantifier without `#[trigger]` in which no call, field or bit operation"
            " free of arithmetic mentions a bound variable, or only such as could feed themselves",
            why="Verus refuses a quantifier for which it finds no trigger",
            example="proof fn f() { assert(forall|k: int| k > 1 ==> k * 2 > 2); }",
            remedy="mark a term with `#[trigger]`, or name the property in a spec fn",
            versions=VERSIONS,
        )
    },
)
