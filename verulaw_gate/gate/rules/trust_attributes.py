"""VG303, VG304, VG305, VG308, VG310, VG311, VG313 where an attribute says it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from verulaw_gate.findings import Finding
from verulaw_gate.gate.attributes import group, words
from verulaw_gate.gate.context import Context, View
from verulaw_gate.gate.hits import Hit, TokenCheck, added, scan
from verulaw_gate.gate.lexer import Kind, Tokens
from verulaw_gate.gate.rule import LayerName, Rule, RuleDoc

# Attributes that hold expressions or text, not switches.
_HARMLESS = frozenset(
    [
        "trigger",
        "auto",
        "all_triggers",
        "doc",
        "allow",
        "warn",
        "deny",
        "forbid",
        "expect",
        "derive",
        "inline",
        "must_use",
        "deprecated",
        "verus_spec",
    ]
)
_NO_TERMINATION = frozenset(
    {"exec_allows_no_decreases_clause", "assume_termination", "may_not_terminate"}
)
_ELSEWHERE = frozenset({"path", "macro_use", "macro_export", "link", "proc_macro"})
DEFAULT_RLIMIT = 10.0
# A decimal number; its suffix says nothing here. Hexadecimal and the like: no limit to speak of.
_NUMBER = re.compile(r"(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)(?:[uif](?:\d+|size))?\Z")


def _attribute(tokens: Tokens, at: int) -> Iterable[Hit]:
    brackets = group(tokens, at)
    if brackets is None:
        return
    first, last = brackets
    names = words(tokens, first, last)
    if not names or (names[0] in _HARMLESS and "external_body" not in names):
        return
    text = _shown(tokens, first, last)
    seen = set(names)
    if "external_body" in seen:
        yield Hit(
            "VG303", at, last, f"{text}: Verus does not look at the body", "prove the body instead"
        )
    if "external_fn_specification" in seen:
        yield Hit(
            "VG305",
            at,
            last,
            f"{text}: a specification taken on trust",
            "use functions that vstd specifies",
        )
    if any(
        name == "external" or (name.startswith("external_") and name not in _OTHERS)
        for name in names
    ):
        yield Hit("VG304", at, last, f"{text}: Verus ignores this", "let Verus see it")
    if names[:2] == ["verus", "internal"] or names[0] == "rustc_diagnostic_item":
        yield Hit(
            "VG304", at, last, f"{text}: an attribute of Verus's own macros", "remove the attribute"
        )
    if seen & _NO_TERMINATION:
        yield Hit(
            "VG308",
            at,
            last,
            f"{text}: termination is not checked, and a loop without end proves anything",
            "give a decreases clause",
        )
    if names[0] in ("cfg", "cfg_attr") and names != ["cfg", "test"]:
        yield Hit(
            "VG310",
            at,
            last,
            f"{text}: what Verus sees may not be what is compiled",
            "write the code without conditions",
        )
    if names[0] in _ELSEWHERE:
        yield Hit(
            "VG311",
            at,
            last,
            f"{text}: brings in code from elsewhere",
            "put the code into the file",
        )
    if "rlimit" in seen and limit(tokens, first, last) > DEFAULT_RLIMIT:
        yield Hit(
            "VG313",
            at,
            last,
            f"{text}: more than the default limit of {DEFAULT_RLIMIT:g}",
            "split the proof into lemmas that need no more",
        )


_OTHERS = frozenset({"external_body", "external_fn_specification"})


def limit(tokens: Tokens, first: int, last: int) -> float:
    """The resource limit that an attribute sets; infinite when it is no number."""
    at = tokens.texts.index("rlimit", first, last + 1)
    for i in range(at + 1, last):
        if tokens.kinds[i] == Kind.NUMBER:
            number = _NUMBER.match(tokens.texts[i].replace("_", ""))
            return float(number[1]) if number else float("inf")
    return float("inf")


def _shown(tokens: Tokens, first: int, last: int) -> str:
    inside = "".join(f"{text} " if text == "," else text for text in tokens.texts[first + 1 : last])
    return f"`#[{inside if len(inside) <= 60 else inside[:57] + '...'}]`"


def _cfg_macro(tokens: Tokens, at: int) -> Iterable[Hit]:
    if at + 2 < len(tokens) and tokens.texts[at + 1] == "!":
        last = max(at + 2, tokens.partner[at + 2])
        yield Hit(
            "VG310",
            at,
            last,
            "`cfg!` may be another value for Verus than in the compiled program",
            "write the code without conditions",
        )


CHECKS: dict[str, TokenCheck] = {
    "#": _attribute,
    **dict.fromkeys(("cfg", "r#cfg", "cfg_select", "r#cfg_select"), _cfg_macro),
}


def hits(view: View) -> list[Hit]:
    """All of them in a text."""
    found = scan(view.tokens, CHECKS)
    if "test" in view.tokens.texts:
        found += _test_only(view)
    return found


def _test_only(view: View) -> list[Hit]:
    """`#[cfg(test)]` on anything but a module or what stands outside `verus!{}`: Verus does not
    see it, and a target under it is gone."""
    found = []
    for item in view.all_items:
        unseen = item.kind == "verus" or (item.in_verus and item.kind != "mod")
        if unseen and "cfg" in view.tokens.texts[item.first : item.head]:
            for at in range(item.first, item.head):
                brackets = group(view.tokens, at) if view.tokens.texts[at] == "#" else None
                if brackets and words(view.tokens, *brackets) == ["cfg", "test"]:
                    message = "`#[cfg(test)]`: Verus does not see this"
                    found.append(Hit("VG310", at, brackets[1], message, "remove the attribute"))
    return found


def _run(context: Context) -> Iterable[Finding]:
    for finding in added(context, hits):
        if finding.code != "VG313" or not _lowered(context, finding):
            yield finding


def _lowered(context: Context, finding: Finding) -> bool:
    """Whether the base gives the same item at least this limit."""
    if context.base is None or finding.span is None:
        return False
    mine = _limits(context.view)
    theirs = _limits(context.base)
    for start, key, value in mine:
        if start == finding.span.start:
            return any(k == key and v >= value for _, k, v in theirs)
    return False


def _limits(view: View) -> list[tuple[int, tuple[str, ...], float]]:
    found = []
    for hit in hits(view):
        if hit.code == "VG313":
            item = view.item_at(hit.first)
            value = limit(view.tokens, hit.first, hit.last)
            found.append((view.tokens.starts[hit.first], item.key if item else (), value))
    return found


_CHEAT = "Verus accepts the file and this part of it has not been proved."
DOCS = {
    "VG303": RuleDoc(
        "An `external_body` attribute in any spelling: `#[verifier::external_body]`, "
        "`#[verifier(external_body)]`, inner attributes, through `cfg_attr`, "
        "`#[verus_verify(external_body)]`, in a macro's text.",
        _CHEAT + " Its ensures clause is taken on trust.",
        "#[verifier(external_body)] proof fn trust_me() ensures false { }",
        "Remove the attribute and prove the body.",
    ),
    "VG304": RuleDoc(
        "`#[verifier::external]` and its kin (`external_trait_specification`, "
        "`external_type_specification`, `external_derive`), in any spelling.",
        _CHEAT,
        "#[verifier::external] fn hidden() { }",
        "Remove the attribute.",
    ),
    "VG308": RuleDoc(
        "`exec_allows_no_decreases_clause`, `assume_termination`: Verus does not check that the "
        "code ends.",
        "A loop or recursion without end meets every postcondition.",
        "#[verifier::exec_allows_no_decreases_clause] fn f() -> (r: u8) ensures r > 9 { loop { } }",
        "Give a decreases clause.",
    ),
    "VG310": RuleDoc(
        "`#[cfg(..)]`, `#[cfg_attr(..)]`, `cfg!(..)`, except `#[cfg(test)]`.",
        "Verus sets its own cfg names: the code that it proves need not be the code that is "
        "compiled, and a function can vanish.",
        "#[cfg(not(verus_keep_ghost))] fn really() { }",
        "Write the code without conditions.",
    ),
    "VG313": RuleDoc(
        "A resource limit above the default of 10 (`#[verifier::rlimit(50)]`), or above what the "
        "base gives the same item.",
        "A proof that needs more than its budget breaks with the next change of Verus or Z3; in "
        "an experiment it is another budget than the one stated.",
        "#[verifier::rlimit(1000)] proof fn slow() { }",
        "Split the proof.",
    ),
}

RULE = Rule(
    ("VG303", "VG304", "VG305", "VG308", "VG310", "VG311", "VG313"), LayerName.TOKENS, _run, DOCS
)
