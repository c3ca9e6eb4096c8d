"""VG306, VG307, VG309: functions without a body, bodies that only panic, code outside verus!{}."""

from __future__ import annotations

from collections.abc import Iterable

from verulaw_gate.codes import Severity
from verulaw_gate.findings import Finding
from verulaw_gate.gate.attributes import in_force, words
from verulaw_gate.gate.context import Context, View
from verulaw_gate.gate.headers import is_proof, is_spec
from verulaw_gate.gate.hits import Hit, added
from verulaw_gate.gate.items import Item
from verulaw_gate.gate.lexer import Kind, Tokens
from verulaw_gate.gate.rule import LayerName, Rule, RuleDoc

_PANICS = frozenset({"unimplemented", "todo", "panic", "unreachable"})
_UNCHECKED = frozenset({"external_body", "external"})
_NO_END = "exec_allows_no_decreases_clause"
# Functions of vstd that ask for a contradiction: Verus checks that there is one.
_ABSURD = frozenset({"proof_from_false", "unreached"})
_ASKS = "asks for a contradiction"
_CHECKED = "write the body and let Verus check it"
_MEANT = "see that the contradiction is meant, not a requires that no caller meets"
_OUTSIDE = frozenset({"fn", "impl", "trait", "struct", "enum", "union", "const", "static"})


def bodiless(view: View) -> list[Hit]:
    """Proof and executable functions that end in `;` outside traits and extern blocks."""
    found = []
    for item in view.all_items:
        if (
            item.kind == "fn"
            and item.body is None
            and item.in_verus
            and item.container not in ("trait", "extern")
            and view.tokens.texts[item.last] == ";"
            and not is_spec(view.tokens, item)
            and "axiom" not in view.tokens.texts[item.head : item.keyword]
        ):
            kind = "proof" if is_proof(view.tokens, item) else "executable"
            found.append(
                Hit(
                    "VG306",
                    item.head,
                    item.keyword + 1,
                    f"the {kind} function `{item.name}` has no body: its ensures clause is "
                    "taken on trust",
                    "give it a body that proves it",
                )
            )
    return found


def panics(view: View) -> list[Hit]:
    """Panic-like bodies that Verus does not look at, loops without end where termination is not
    checked, and calls that ask for a contradiction."""
    tokens = view.tokens
    texts = tokens.texts
    found: list[Hit] = []
    for at, text in enumerate(texts):
        if text in _PANICS and _macro(tokens, at) and _unchecked(view, at):
            message = f"`{text}!` in a body that Verus does not check"
            found.append(Hit("VG307", at, at + 1, message, _CHECKED))
        elif text == "loop" and texts[at + 1 : at + 3] == ["{", "}"] and _endless(view, at):
            message = "an empty loop without end meets every postcondition"
            found.append(Hit("VG307", at, at + 2, message, _CHECKED))
        elif text in _ABSURD and _called(tokens, at):
            message = f"`{text}` {_ASKS}; Verus checks that there is one here"
            found.append(Hit("VG307", at, at, message, _MEANT))
    return found


def _called(tokens: Tokens, at: int) -> bool:
    return tokens.texts[at + 1 : at + 2] in (["("], ["::"]) and tokens.texts[at - 1] != "fn"


def _macro(tokens: Tokens, at: int) -> bool:
    return tokens.texts[at + 1 : at + 2] == ["!"] and tokens.kinds[at + 2 : at + 3] == [Kind.OPEN]


def _unchecked(view: View, at: int) -> bool:
    """Whether an attribute keeps the code around a token from Verus; in a macro's text it may."""
    item = view.item_at(at)
    if item is None or item.kind in ("macro", "unknown"):
        return False
    return item.kind == "macro_rules" or not _UNCHECKED.isdisjoint(in_force(view, at))


def _endless(view: View, at: int) -> bool:
    return _NO_END in view.tokens.texts and _NO_END in in_force(view, at)


def outside(view: View) -> list[Hit]:
    """Items with code outside `verus!{}`, in a file that has one."""
    if not any(item.kind == "verus" for item in view.all_items):
        return []
    found = []
    for item in view.items:
        if item.kind not in _OUTSIDE or _harmless_outside(view, item):
            continue
        found.append(
            Hit(
                "VG309",
                item.head,
                item.keyword,
                f"`{item.label}` stands outside verus!{{}}: Verus does not look at it",
                "put it inside verus!{}",
            )
        )
    return found


def _harmless_outside(view: View, item: Item) -> bool:
    """`main`, tests, and what the attribute form of Verus checks all the same."""
    if item.kind == "fn" and item.name == "main":
        return True
    names = words(view.tokens, item.first, max(item.first, item.head - 1))
    return item.head > item.first and (
        "test" in names or "verus_spec" in names or "verus_verify" in names
    )


def hits(view: View) -> list[Hit]:
    """All of them in a text."""
    return [*bodiless(view), *panics(view), *outside(view)]


def _run(context: Context) -> Iterable[Finding]:
    for finding in added(context, hits):
        if _ASKS in finding.message:
            yield finding.with_severity(Severity.WARNING)
        else:
            yield finding


DOCS = {
    "VG307": RuleDoc(
        "`unimplemented!()`, `todo!()`, `panic!()`, `unreachable!()` in a body that an attribute "
        "keeps from Verus, and `loop {}` where termination is not checked. As a warning: "
        "`proof_from_false` and `unreached`, which are sound but tell of a contradiction.",
        "A body that never returns meets every postcondition.",
        "#[verifier::external_body] fn sorted(v: Vec<u8>) -> Vec<u8> { unimplemented!() }",
        "Write the body and let Verus check it.",
    ),
    "VG309": RuleDoc(
        "A function, type, trait or impl outside `verus!{}`, in a file that has one; not `main`, "
        "tests, and functions under `#[verus_spec]` or `#[verus_verify]`.",
        "Verus does not look at it.",
        "verus! { } fn helper() { }",
        "Put it inside verus!{}.",
    ),
}

RULE = Rule(("VG306", "VG307", "VG309"), LayerName.TOKENS, _run, DOCS)
