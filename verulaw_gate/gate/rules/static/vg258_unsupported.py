"""VG258: a construct that Verus refuses where it stands."""

from __future__ import annotations

from collections.abc import Iterator

from verulaw_gate.findings import Finding
from verulaw_gate.gate.context import Context
from verulaw_gate.gate.native_facts import Facts, Place, Term
from verulaw_gate.gate.rule import LayerName, Rule, RuleDoc
from verulaw_gate.gate.rules.static.support import (
    GHOST_PLACES,
    INTEGERS,
    VERSIONS,
    function_of,
    own_macros,
)
from verulaw_gate.gate.rules.static.vg258_signatures import signatures

CODE = "VG258"
PANICS = frozenset(
    (
        *("panic", "todo", "unimplemented", "unreachable", "assert", "assert_eq", "assert_ne"),
        *("debug_assert", "debug_assert_eq", "debug_assert_ne"),
    )
)
PRINTS = frozenset(["println", "print", "eprintln", "eprint", "format"])
SUFFIXES = INTEGERS | {"f16", "f32", "f64", "f128", "real"}
# What `#[trigger]` may not stand on, by the syntax alone.
BOOLEAN = frozenset(
    ("&&", "||", "==>", "<==", "<==>", "==", "!=", "===", "!==", "<", "<=", ">", ">=")
)
REFUSED = {
    "ghost closures cannot have requires/ensures": (
        "a ghost closure cannot have requires or ensures",
        "state the property in the clause that uses the closure",
    ),
    "return": (
        "cannot return from ghost code in an exec fn",
        "move the `return` out of the proof block",
    ),
    "reveal of Self": (
        "`Self` is not supported in reveal and hide",
        "write the type's name instead of `Self`",
    ),
    "unknown prover": (
        "unknown prover in assert .. by(..)",
        "use compute, compute_only, bit_vector or nonlinear_arith",
    ),
    "decreases of a tuple": (
        "decreases cannot be a tuple",
        "write `decreases a, b` without parentheses",
    ),
}


def run(context: Context) -> Iterator[Finding]:
    """All constructs of the rule."""
    facts = context.native
    if facts is None:
        return
    yield from _macros(context, facts)
    yield from _literals(context, facts)
    yield from _triggers(context, facts)
    yield from _blocks(context, facts)
    yield from signatures(context, facts)


def _macros(context: Context, facts: Facts) -> Iterator[Finding]:
    redefined: frozenset[str] | None = None
    for macro in facts.macros:
        name = macro["path"][-1]
        if macro["item"] or macro["mode"] != "exec" or macro["dead"] or macro["unsure"]:
            continue
        if name not in PANICS and name not in PRINTS:
            continue
        redefined = own_macros(facts) if redefined is None else redefined
        if name in redefined or len(macro["path"]) > 2 or function_of(facts, macro) is None:
            continue
        if name in PANICS:
            hint = "prove that this is never reached; for a check use `assert(..)` without `!`"
        else:
            hint = "leave it out, or move it into a fn marked #[verifier::external_body]"
        yield context.over(CODE, *macro["at"], f"`{name}!` is not supported in exec code", hint)


def _literals(context: Context, facts: Facts) -> Iterator[Finding]:
    for literal in facts.literals:
        if literal["suffix"] in SUFFIXES or literal["suffix"][:1] in ("e", "E"):
            continue
        if function_of(facts, literal) is not None:
            yield context.over(
                CODE,
                *literal["at"],
                f"`{literal['suffix']}` is no suffix of a number",
                "remove the suffix",
            )


def _triggers(context: Context, facts: Facts) -> Iterator[Finding]:
    for quantifier in facts.quantifiers:
        if quantifier["unsure"] or quantifier["dead"] or function_of(facts, quantifier) is None:
            continue
        names = frozenset(name for name, _ in quantifier["vars"])
        for mark in _marks(quantifier["body"]):
            child = mark["c"][0]
            kind, name = child["k"], child.get("n", "")
            what = ""
            if kind == "var" and name in names:
                what = "a bare variable"
            elif kind == "binary" and name in BOOLEAN:
                what = f"`{name}`"
            elif kind == "unary" and name == "!" and _is_boolean(child["c"][0]):
                what = "`!`"  # on an integer it is a bit operation, which may be a trigger
            elif kind in ("and", "or"):
                what = "a conjunction or disjunction"
            elif kind == "quantifier":
                what = "a quantifier"
            if what:
                yield context.over(
                    CODE,
                    *mark["at"],
                    f"`#[trigger]` cannot stand on {what}",
                    "mark a call, an index or a field that mentions the bound variables",
                )


def _marks(node: Term) -> Iterator[Term]:
    if node["k"] == "trigger":
        yield node
    if node["k"] != "quantifier":  # a nested one is a fact of its own
        for child in node.get("c", []):
            yield from _marks(child)


def _is_boolean(node: Term) -> bool:
    """Whether the syntax alone says that the value is a truth value."""
    return node["k"] in ("and", "or", "quantifier", "is") or (
        node["k"] == "binary" and node.get("n") in BOOLEAN
    )


def _blocks(context: Context, facts: Facts) -> Iterator[Finding]:
    for block in facts.proof_blocks:
        item = function_of(facts, block)
        if item is None or block["mode"] != "spec" or item["mode"] != "spec":
            continue
        if not item["decreases"] and not block["unsure"] and not facts.decreases_calls:
            yield context.over(
                CODE,
                *block["at"],
                "a proof block in a spec fn without decreases",
                "put the proof into a proof fn, or give the spec fn a decreases clause",
            )
    for note in facts.refused:
        if note["note"] in REFUSED and _certain(facts, note):
            message, hint = REFUSED[note["note"]]
            yield context.over(CODE, *note["at"], message, hint)
    for loop in facts.loops:
        if loop["mode"] in GHOST_PLACES and _certain(facts, loop):
            yield context.over(
                CODE,
                *loop["keyword"],
                f"a {loop['kind']} loop in ghost code",
                "ghost code has no loops: use a recursive proof fn or spec fn",
            )
    # A type of the file may have an index operator of its own, and the file may specify std's.
    indexed = any(
        "Index" in item["of_trait"]
        or (item["kind"] == "assume_specification" and "Index" in item["name"])
        for item in facts.items
    )
    for site in () if indexed else facts.slices:
        if site["mode"] == "exec" and _certain(facts, site):
            yield context.over(
                CODE,
                *site["at"],
                "an open range as an index is not supported",
                "use a range with both ends (`v[a..b]`) or a loop over the indices",
            )


def _certain(facts: Facts, place: Place) -> bool:
    return not place["unsure"] and not place["dead"] and function_of(facts, place) is not None


RULE = Rule(
    codes=(CODE,),
    layer=LayerName.STATIC,
    run=run,
    docs={
        CODE: RuleDoc(
            finds="panic!, assert!, println!, format! and the like in exec code; a wrong number"
            " suffix; `#[trigger]` on a variable, a comparison or a quantifier; a proof block in a"
            " spec fn without decreases; a loop or a return in ghost code; `v[1..]` in exec code;"
            " a `pub spec fn` without open or closed; a `verus!` that nothing imports; a main"
            " that the task has and the candidate lost",
            why="the macro or the translation of Verus refuses each of them",
            example='fn f(x: u8) { if x > 3 { panic!("no"); } }',
            remedy="see the hint of the finding",
            versions=VERSIONS,
        )
    },
)
