"""VG257: a name that exists nowhere."""

from __future__ import annotations

from collections.abc import Iterator

from verulaw_gate.findings import Finding
from verulaw_gate.gate.context import Context
from verulaw_gate.gate.native_facts import At, Facts, Place
from verulaw_gate.gate.near import nearest_in_vstd
from verulaw_gate.gate.rule import LayerName, Rule, RuleDoc
from verulaw_gate.gate.rules.static.support import VERSIONS, function_of, rewritten
from verulaw_gate.gate.vstd_index import vstd_index

CODE = "VG257"
# Lower-case names that are in scope without any import, and words that are no names.
ALWAYS = frozenset(
    (
        *("self", "super", "crate", "drop", "size_of", "size_of_val", "align_of", "align_of_val"),
        *("old", "final", "forall", "exists", "choose", "assert", "assume", "admit", "reveal"),
        *("true", "false", "default", "matches", "hide", "reveal_with_fuel"),
    )
)
# Macros that bind no name of their caller. Others may, `proof_decl!` does.
QUIET_MACROS = frozenset(
    (
        *("assert_by_contradiction", "assert_seqs_equal", "assert_sets_equal", "assert_maps_equal"),
        *("assert_multisets_equal", "calc", "seq", "set", "map", "proof", "decreases_to"),
        *("vec", "matches", "print", "println", "eprint", "eprintln", "format", "write"),
        *("writeln", "panic", "todo", "unimplemented", "unreachable", "assert", "assert_eq"),
        *("assert_ne", "debug_assert", "debug_assert_eq", "debug_assert_ne"),
    )
)
SUGGESTIONS = 10
"""Names of one file for which the nearest one is looked for: the search is slow."""


def run(context: Context) -> Iterator[Finding]:
    """Lower-case names in function bodies and clauses, called or read, that neither the file nor
    its imports nor vstd declares. One glob import from elsewhere, one macro that makes items, and
    the rule is silent for the file."""
    facts = context.native
    if facts is None or facts.status != "ok" or not _closed(facts):
        return
    known = _known(facts)
    uses: list[tuple[Place, str, At, str]] = [
        (call, call["path"][0], call["callee"], "function")
        for call in facts.calls
        if len(call["path"]) == 1 and not call["local"]
    ]
    uses += [(path, path["name"], path["at"], "value") for path in facts.paths]
    hints: dict[str, str] = {}
    for place, name, at, what in uses:
        if place["unsure"] or not _plain(name) or name in known:
            continue
        # Macros of vstd declare functions whose names only their calls mention.
        if name in (vstd_index().words if what == "function" else vstd_index().values):
            continue
        if function_of(facts, place) is None:
            continue
        if name not in hints:
            near = _nearest(name, known) if len(hints) < SUGGESTIONS else ""
            hints[name] = (
                f"did you mean `{near}`?" if near else f"declare `{name}` or remove the use"
            )
        hint = hints[name]
        yield context.over(CODE, *at, f"there is no {what} `{name}` here", hint)


def _nearest(name: str, known: frozenset[str]) -> str:
    """The name that was meant, as far as letters tell; empty if none is near."""
    from difflib import get_close_matches

    near = get_close_matches(name, sorted(known), 1, 0.75)
    return near[0] if near else nearest_in_vstd(name, 0.85)


def _plain(name: str) -> bool:
    return name[:1].islower() and name.isascii()


def _closed(facts: Facts) -> bool:
    """Whether the file can only see what it declares, what it names and vstd and std."""
    if any(item["kind"] in ("macro", "verbatim", "macro_rules", "extern") for item in facts.items):
        return False
    if any(item["kind"] == "mod" and item["body"] is None for item in facts.items):
        return False
    if any(not macro["item"] and macro["path"][-1] not in QUIET_MACROS for macro in facts.macros):
        return False
    if any(rewritten(facts, item) for item in facts.items):
        # An attribute macro may make functions (`auto_spec`, `verus_verify(dual_spec(..))`).
        return False
    return not any(use["glob"] and use["path"][:1] != ["vstd"] for use in facts.uses)


def _known(facts: Facts) -> frozenset[str]:
    """All names that the file declares anywhere: scopes are not looked at."""
    names = set(ALWAYS)
    for item in facts.items:
        names.add(item["name"])
        names.update(item["generics"])
        names.update(item["variants"])
    names.update(use["name"] for use in facts.uses)
    names.update(facts.bound)
    return frozenset(names)


RULE = Rule(
    codes=(CODE,),
    layer=LayerName.STATIC,
    run=run,
    docs={
        CODE: RuleDoc(
            finds="a call or a use of a lower-case name that neither the file nor vstd declares",
            why="rustc cannot resolve it",
            example="proof fn p(x: int) { lemma_that_nobody_wrote(x); }",
            remedy="declare it, import it, or use the nearest name that exists",
            versions=VERSIONS,
        )
    },
)
