"""VG306, VG307, VG309: functions without a body, bodies that only panic, code outside verus!{}."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from verulaw_gate.codes import Severity
from verulaw_gate.findings import Finding
from verulaw_gate.gate import loops
from verulaw_gate.gate.attributes import in_force, words
from verulaw_gate.gate.context import Context, View
from verulaw_gate.gate.headers import is_proof, is_spec
from verulaw_gate.gate.hits import Hit, added
from verulaw_gate.gate.items import Item, implementer
from verulaw_gate.gate.lexer import Kind, Tokens
from verulaw_gate.gate.rule import LayerName, Rule, RuleDoc

_PANICS = frozenset({"unimplemented", "todo", "panic", "unreachable"})
_UNCHECKED = frozenset({"external_body", "external"})
_LEAVES = frozenset({"break", "return", "?"})
_BRANCHES = frozenset({"if", "match", "while", "for", "loop", "&&", "||", *_LEAVES})
_POSTCONDITIONS = frozenset({"ensures", "returns"})
_NO_END = "exec_allows_no_decreases_clause"
# Functions of vstd that ask for a contradiction: Verus checks that there is one.
_ABSURD = frozenset({"proof_from_false", "unreached"})
_LOOKED_AT = _PANICS | _ABSURD | {"loop", "while"}
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
    for at in [at for at, text in enumerate(texts) if text in _LOOKED_AT]:
        text = texts[at]
        if text in _PANICS and _macro(tokens, at) and _unchecked(view, at):
            message = f"`{text}!` in a body that Verus does not check"
            found.append(Hit("VG307", at, at + 1, message, _CHECKED))
        elif text in ("loop", "while") and _no_end(view, at) and _runs_on(view, at):
            message = "a loop without end meets every postcondition"
            found.append(Hit("VG307", at, at + 1, message, _CHECKED))
        elif text in _ABSURD and _called(tokens, at):
            message = f"`{text}` {_ASKS}; Verus checks that there is one here"
            found.append(Hit("VG307", at, at, message, _MEANT))
    if _NO_END in texts:
        found += _calls_of_itself(view)
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


def _no_end(view: View, at: int) -> bool:
    """Whether termination is not checked at a token."""
    return _NO_END in view.tokens.texts and _NO_END in in_force(view, at)


def _runs_on(view: View, at: int) -> bool:
    """Whether the loop at `at` can never be left, and something is promised of what comes after
    it (an empty one is never meant)."""
    tokens = view.tokens
    clauses, body = loops.parts(tokens, at, len(tokens))
    if tokens.texts[at] == "while" and tokens.texts[at + 1 : clauses] != ["true"]:
        return False
    last = tokens.partner[body] if body < len(tokens) else -1
    if last < 0:
        return False
    if last == body + 1:
        return True
    item = view.item_at(at)
    return (
        _LEAVES.isdisjoint(tokens.texts[body:last]) and item is not None and _promises(view, item)
    )


def _promises(view: View, item: Item) -> bool:
    """Whether a function has a postcondition; the one of a trait's method stands in the trait."""
    head = view.tokens.texts[item.head : item.body[0]] if item.body else []
    return not _POSTCONDITIONS.isdisjoint(head) or any(implementer(p) for p in item.path[-1:])


def _calls_of_itself(view: View) -> list[Hit]:
    """Executable functions that call themselves on every way through."""
    texts = view.tokens.texts
    found = []
    for item in view.all_items:
        if item.kind != "fn" or item.body is None or not _promises(view, item):
            continue
        first, last = item.body
        if not _BRANCHES.isdisjoint(texts[first:last]) or not _no_end(view, item.keyword):
            continue
        for at in range(first + 1, last):
            if texts[at] == item.name and texts[at + 1] == "(" and _names_itself(texts, at, item):
                message = f"`{item.name}` calls itself without end and meets every postcondition"
                found.append(Hit("VG307", at, at, message, _CHECKED))
                break
    return found


def _names_itself(texts: list[str], at: int, item: Item) -> bool:
    """Whether a call is of the function that it stands in, not of a namesake."""
    if texts[at - 1] == ".":
        return texts[at - 2] == "self" and texts[at - 3] != "."
    if texts[at - 1] == "::":
        return texts[at - 2] in ("Self", "self", "crate")
    return item.container not in ("impl", "trait")


def outside(view: View) -> list[Hit]:
    """Items with code outside `verus!{}`, in a file that has one."""
    if not any(item.kind == "verus" for item in view.all_items):
        return []
    found = []
    for item in _unseen(view, view.items):
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


def _unseen(view: View, items: Iterable[Item]) -> Iterator[Item]:
    """The items outside `verus!{}`, those in modules too, test modules left out."""
    for item in items:
        if item.kind == "mod" and "test" not in view.tokens.texts[item.first : item.head]:
            yield from _unseen(view, item.children)
        elif not item.in_verus:
            yield item


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
        "keeps from Verus; where termination is not checked, an empty loop, and in a function "
        "with a postcondition a loop that nothing leaves or a call of itself on every way. As a "
        "warning: "
        "`proof_from_false` and `unreached`, which are sound but tell of a contradiction.",
        "A body that never returns meets every postcondition.",
        "#[verifier::external_body] fn sorted(v: Vec<u8>) -> Vec<u8> { unimplemented!() }",
        "Write the body and let Verus check it.",
    ),
    "VG309": RuleDoc(
        "A function, type, trait or impl outside `verus!{}`, in a module there too, in a file that "
        "has one; not `main`, tests, and functions under `#[verus_spec]` or `#[verus_verify]`.",
        "Verus does not look at it.",
        "verus! { } fn helper() { }",
        "Put it inside verus!{}.",
    ),
}

RULE = Rule(("VG306", "VG307", "VG309"), LayerName.TOKENS, _run, DOCS)
