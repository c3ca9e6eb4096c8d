"""VG260: declared types that cannot agree."""

from __future__ import annotations

from collections.abc import Iterator

from verulaw_gate.findings import Edit, Finding
from verulaw_gate.gate.context import Context
from verulaw_gate.gate.native_facts import Agreement, Facts, Type
from verulaw_gate.gate.rule import LayerName, Rule, RuleDoc
from verulaw_gate.gate.rules.static.support import GHOST_PLACES, VERSIONS, function_of
from verulaw_gate.gate.rules.static.type_clash import INTEGERS, clash, comparable, show

CODE = "VG260"


def run(context: Context) -> Iterator[Finding]:
    """Places where two types that declarations fix cannot become one."""
    facts = context.native
    if facts is None:
        return
    for place in facts.agreements:
        if place["unsure"] or place["mode"] == "unknown" or function_of(facts, place) is None:
            continue
        ghost = place["mode"] in GHOST_PLACES
        if place["by"] == "equality":
            wrong = not comparable(place["want"], place["got"])
        else:
            wrong = clash(place["want"], place["got"], ghost)
        if wrong:
            yield _finding(context, place, ghost)
    yield from _refused(context, facts)


def _finding(context: Context, place: Agreement, ghost: bool) -> Finding:
    start, end = place["at"]
    want, got = show(place["want"]), show(place["got"])
    if place["by"] == "equality":
        message = f"`==` between `{want}` and `{got}`"
        hint = "compare values of one type"
    else:
        message = f"`{got}` where `{want}` is needed ({place['by']})"
        hint = _hint(place, want, got, ghost)
    return context.over(CODE, start, end, message, hint, _fix(context, place, ghost))


def _castable(want: Type, got: Type, ghost: bool) -> bool:
    """Whether `as` mends it without losing a value: to `int` from any number."""
    return ghost and want == ["int"] and got[0] in INTEGERS


def _hint(place: Agreement, want: str, got: str, ghost: bool) -> str:
    text = " ".join(place["text"].split())
    text = text if len(text) <= 40 else text[:37] + "..."
    if _castable(place["want"], place["got"], ghost):
        return f"write `{text} as int`" if text.isidentifier() else f"write `({text}) as int`"
    if place["want"][0] in INTEGERS and place["got"][0] in INTEGERS:
        return f"convert it: `({text}) as {want}`, or declare both sides with one type"
    if place["want"][0] == "&" and place["want"][1] == place["got"]:
        return f"write `&{text}`"
    if place["got"][0] == "&" and place["got"][1] == place["want"]:
        return f"write `*{text}`"
    return f"make it a `{want}`, or change the declared type"


def _fix(context: Context, place: Agreement, ghost: bool) -> tuple[Edit, ...]:
    if place["by"] == "equality" or not _castable(place["want"], place["got"], ghost):
        return ()
    start, end = place["at"]
    text = context.text[start:end]
    if text.replace("_", "a").isalnum():
        return (Edit(end, end, " as int"),)
    return (Edit(start, start, "("), Edit(end, end, ") as int"))


def _refused(context: Context, facts: Facts) -> Iterator[Finding]:
    for note in facts.refused:
        if note["unsure"] or function_of(facts, note) is None:
            continue
        if note["note"] == "untyped branches":
            yield context.over(
                CODE,
                *note["at"],
                "all branches are bare literals: their type cannot be inferred beside an operator",
                "give one of them a type, for example `1int` or `1nat`",
            )
        elif note["note"] == "untyped vector":
            yield context.over(
                CODE,
                *note["at"],
                "the element type of this vector is needed before anything fixes it",
                "declare it: `let mut v: Vec<u64> = Vec::new();` (with its element type)",
            )
        elif note["note"] == "arity":
            yield context.over(
                CODE,
                *note["at"],
                "the number of arguments differs from the declaration",
                "pass exactly the declared parameters",
            )


RULE = Rule(
    codes=(CODE,),
    layer=LayerName.STATIC,
    run=run,
    docs={
        CODE: RuleDoc(
            finds="an argument, index, result, assignment or operand whose declared type cannot"
            " become the declared type that is needed there (usize for int, int for u64, ..)",
            why="rustc refuses it: Verus has no implicit conversions, in ghost code neither",
            example="spec fn s(i: int) -> bool { i > 0 } proof fn p(n: usize) { assert(s(n)); }",
            remedy="convert with `as` (to `int` in ghost code), or change the declared type",
            versions=VERSIONS,
        )
    },
)
