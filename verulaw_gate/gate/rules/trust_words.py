"""VG301, VG302, VG305, VG306, VG311, VG312: words that put trust in place of a proof."""

from __future__ import annotations

from collections.abc import Iterable

from verulaw_gate.findings import Finding
from verulaw_gate.gate.context import Context, View
from verulaw_gate.gate.hits import Hit, TokenCheck, added, scan
from verulaw_gate.gate.lexer import Kind, Tokens
from verulaw_gate.gate.rule import LayerName, Rule, RuleDoc

_PROVE = "prove it: assert(..) with the missing steps, a lemma, or a stronger invariant"
_TAKEN_ON_TRUST = frozenset({"VG301", "VG302", "VG305", "VG306"})
# Definitions and fields of these names are not calls of Verus's own.
_NAMING = frozenset({"fn", "mod", "struct", "enum", "trait", "type", "let", "mut", "."})
_USE_TREE = frozenset({"::", "{", "}", ",", "*"})
_LOCAL_PATHS = frozenset({"self", "super", "crate", "Self"})


def _text(tokens: Tokens, at: int) -> str:
    return tokens.texts[at] if 0 <= at < len(tokens) else ""


def _call_end(tokens: Tokens, at: int) -> int:
    """The last token of the call whose name is at `at`."""
    for bracket in (at + 1, at + 2):
        if bracket < len(tokens) and tokens.kinds[bracket] == Kind.OPEN:
            return max(bracket, tokens.partner[bracket])
    return at


def _is_call(tokens: Tokens, at: int) -> bool:
    """Whether the word at `at` is called as a function or a macro, with or without a path."""
    if _text(tokens, at - 1) in _NAMING:
        return False
    after = _text(tokens, at + 1)
    if after == "!":
        return at + 2 < len(tokens) and tokens.kinds[at + 2] == Kind.OPEN
    return after == "(" or _called_in_brackets(tokens, at)


def _called_in_brackets(tokens: Tokens, at: int) -> bool:
    """`(assume)(..)`, `{ assume }(..)`: brackets around the callee change nothing."""
    closer = at + 1
    while closer < len(tokens) and tokens.kinds[closer] == Kind.CLOSE:
        if tokens.partner[closer] != 2 * at - closer:
            return False
        closer += 1
    return closer > at + 1 and _text(tokens, closer) == "("


def _is_import(tokens: Tokens, at: int) -> bool:
    """Whether the word is the tail of a path that is not called: an import under a new name, or
    the function taken as a value."""
    before, after = _text(tokens, at - 1), _text(tokens, at + 1)
    if after in ("(", "!", "::"):
        return False
    if _in_use(tokens, at):
        # Under its own name it is harmless: its calls are seen.
        return after == "as"
    return before == "::"


def _in_use(tokens: Tokens, at: int) -> bool:
    """Whether a word stands in the tree of a `use`."""
    at -= 1
    while at >= 0 and tokens.texts[at] != "use":
        if tokens.kinds[at] != Kind.WORD and tokens.texts[at] not in _USE_TREE:
            return False
        at -= 1
    return at >= 0


def _assume(tokens: Tokens, at: int) -> Iterable[Hit]:
    if _is_call(tokens, at) or _is_import(tokens, at):
        last = _call_end(tokens, at) if _is_call(tokens, at) else at
        yield Hit("VG301", at, last, "`assume` takes a fact on trust", _PROVE)


def _conjure(tokens: Tokens, at: int) -> Iterable[Hit]:
    if _text(tokens, at - 1) == "::" or _is_call(tokens, at):
        word = tokens.texts[at]
        yield Hit("VG301", at, _call_end(tokens, at), f"`{word}` takes a value on trust", _PROVE)


def _admit(tokens: Tokens, at: int) -> Iterable[Hit]:
    if _is_call(tokens, at):
        last = _call_end(tokens, at)
        # Verus's admit takes no argument; one with arguments is the file's own function.
        if _text(tokens, at + 1) == "(" and _text(tokens, at + 2) != ")":
            return
        if _text(tokens, at - 1) == "::" and _text(tokens, at - 2) in _LOCAL_PATHS:
            return
        yield Hit("VG302", at, last, "`admit` ends a proof without proving it", _PROVE)
    elif _is_import(tokens, at):
        yield Hit("VG302", at, at, "`admit` under another name", _PROVE)


def _assume_specification(tokens: Tokens, at: int) -> Iterable[Hit]:
    if _text(tokens, at + 1) in ("<", "["):
        last = at + 1
        if tokens.kinds[last] == Kind.OPEN:
            last = max(last, tokens.partner[last])
        yield Hit(
            "VG305",
            at,
            last,
            "`assume_specification` takes the specification of a function on trust",
            "use functions that vstd specifies, or write the code out",
        )


def _unverified(tokens: Tokens, at: int) -> Iterable[Hit]:
    if _is_call(tokens, at) or _text(tokens, at + 1) == "as":
        last = _call_end(tokens, at)
        message = "`exec_spec_unverified!` makes functions whose bodies Verus does not look at"
        yield Hit("VG303", at, last, message, "use `exec_spec_verified!`, or write the code")


def _axiom(tokens: Tokens, at: int) -> Iterable[Hit]:
    if _text(tokens, at + 1) == "fn":
        name = _text(tokens, at + 2)
        yield Hit(
            "VG306",
            at,
            min(at + 2, len(tokens) - 1),
            f"`axiom fn {name}` postulates its ensures clause",
            "make it a `proof fn` with a body that proves it",
        )


def _no_method_body(tokens: Tokens, at: int) -> Iterable[Hit]:
    if _is_call(tokens, at) or _text(tokens, at - 1) == "::":
        yield Hit(
            "VG306",
            at,
            _call_end(tokens, at),
            "`no_method_body` stands for a body that is not there",
            "write the body and prove it",
        )


def _unsafe(tokens: Tokens, at: int) -> Iterable[Hit]:
    yield Hit("VG312", at, at, "`unsafe` code", "write it without unsafe")


def _macro_rules(tokens: Tokens, at: int) -> Iterable[Hit]:
    if _text(tokens, at + 1) == "!":
        yield Hit(
            "VG311",
            at,
            min(at + 2, len(tokens) - 1),
            f"the macro `{_text(tokens, at + 2)}` can hide what it expands to",
            "write the code out instead of a macro",
        )


def _macro_item(tokens: Tokens, at: int) -> Iterable[Hit]:
    if at + 1 < len(tokens) and tokens.kinds[at + 1] == Kind.WORD:
        yield Hit(
            "VG311",
            at,
            at + 1,
            f"the macro `{tokens.texts[at + 1]}` can hide what it expands to",
            "write the code out instead of a macro",
        )


def _include(tokens: Tokens, at: int) -> Iterable[Hit]:
    renamed = _text(tokens, at + 1) == "as" and _in_use(tokens, at)
    if _text(tokens, at + 1) == "!" or renamed:
        word = tokens.texts[at].removeprefix("r#")
        yield Hit(
            "VG311",
            at,
            _call_end(tokens, at),
            f"`{word}!` brings in text that nobody sees here",
            "put the text into the file",
        )


def _extern(tokens: Tokens, at: int) -> Iterable[Hit]:
    yield Hit("VG311", at, at, "`extern` brings in code from elsewhere", "use what vstd offers")


def _mod(tokens: Tokens, at: int) -> Iterable[Hit]:
    if _text(tokens, at + 2) == ";" and tokens.kinds[at + 1] == Kind.WORD:
        yield Hit(
            "VG311",
            at,
            at + 1,
            f"`mod {tokens.texts[at + 1]};` brings in another file",
            "put the code into this file",
        )


_WORDS: dict[str, TokenCheck] = {
    "assume": _assume,
    "assume_": _assume,
    "inline_air_stmt": _assume,
    "assume_new": _conjure,
    "assume_new_fallback": _conjure,
    "admit": _admit,
    "assume_specification": _assume_specification,
    "exec_spec_unverified": _unverified,
    "axiom": _axiom,
    "no_method_body": _no_method_body,
    "unsafe": _unsafe,
    "macro_rules": _macro_rules,
    "macro": _macro_item,
    "include": _include,
    "include_str": _include,
    "include_bytes": _include,
    "asm": _include,
    "global_asm": _include,
    "extern": _extern,
    "mod": _mod,
}
CHECKS: dict[str, TokenCheck] = {
    **_WORDS,
    **{f"r#{word}": check for word, check in _WORDS.items()},
}


def hits(view: View) -> list[Hit]:
    """All of them in a text."""
    found = scan(view.tokens, CHECKS)
    if "macro_rules" in view.tokens.texts:
        found += _calls_of_macros(view, found)
    if any(hit.code == "VG302" for hit in found) and any(
        item.kind == "fn" and item.name == "admit" for item in view.all_items
    ):
        # The file's own function hides the one of the prelude, unless a path says otherwise.
        texts = view.tokens.texts
        found = [h for h in found if h.code != "VG302" or texts[h.first - 1] == "::"]
    return [hit for hit in found if not _of_own_type(view, hit)]


def _of_own_type(view: View, hit: Hit) -> bool:
    """Whether it is the `Guard::assume` of a type of the file's own that has such a function."""
    texts = view.tokens.texts
    if hit.code not in ("VG301", "VG302") or texts[hit.first - 1 : hit.first] != ["::"]:
        return False
    owner = texts[hit.first - 2]
    blocks = [
        item.path[-1].split()
        for item in view.all_items
        if item.name == texts[hit.first] and item.container in ("impl", "trait")
    ]
    own = {i.name for i in view.all_items if i.kind in ("struct", "enum", "union", "trait")}
    return any(owner == "Self" or (owner in own and owner in block) for block in blocks)


def _calls_of_macros(view: View, found: list[Hit]) -> list[Hit]:
    """Calls of the file's own macros that take something on trust: one that the base has may be
    called once more."""
    tokens = view.tokens
    inside: dict[str, Hit] = {}
    spans = []
    for item in view.all_items:
        if item.kind == "macro_rules":
            spans.append((item.first, item.last))
            for hit in found:
                if item.first < hit.first <= item.last and hit.code in _TAKEN_ON_TRUST:
                    inside.setdefault(item.name.removeprefix("r#"), hit)
    calls = []
    for at in range(len(tokens) - 1 if inside else 0):
        hit_of = inside.get(tokens.texts[at].removeprefix("r#"))
        if hit_of is None or tokens.texts[at + 1] != "!" or not _is_call(tokens, at):
            continue
        if not any(first <= at <= last for first, last in spans):
            message = f"`{tokens.texts[at]}!` expands to what takes a fact on trust"
            calls.append(Hit(hit_of.code, at, _call_end(tokens, at), message, _PROVE))
    return calls


def _run(context: Context) -> Iterable[Finding]:
    return added(context, hits)


_CHEAT = (
    "Verus accepts the file and nothing has been proved: what is taken on trust is as good as "
    "false. A candidate that adds it is no proof, whatever Verus says."
)
DOCS = {
    "VG301": RuleDoc(
        "`assume(..)` in any spelling: through a path, with blanks, as a raw identifier, inside "
        "macro arguments, with its callee in brackets, through a macro of the file, imported or "
        "bound under another name; also `Tracked::assume_new()` and "
        "`inline_air_stmt`, which do the same.",
        _CHEAT,
        "proof fn lemma() ensures 1 + 1 == 3 { assume(1 + 1 == 3); }",
        "Prove the fact.",
    ),
    "VG302": RuleDoc(
        "`admit()` in any spelling: `admit ()`, `vstd::pervasive::admit()`, imported under "
        "another name. A function of the file's own that is called admit is not it.",
        _CHEAT,
        "proof fn lemma() ensures 1 + 1 == 3 { vstd::prelude::admit (); }",
        "Prove the rest of the goal.",
    ),
    "VG305": RuleDoc(
        "`assume_specification` and `#[verifier::external_fn_specification]`.",
        _CHEAT,
        "assume_specification[ core::hint::black_box::<u8> ](x: u8) -> (r: u8) ensures false;",
        "Use functions that vstd specifies.",
    ),
    "VG306": RuleDoc(
        "`axiom fn`, `broadcast axiom fn`, and a proof or executable function without a body "
        "(outside a trait).",
        _CHEAT,
        "axiom fn law(x: int) ensures x * x > x;",
        "Make it a `proof fn` with a body.",
    ),
    "VG311": RuleDoc(
        "`macro_rules!` and `macro`, `include!`, `include_str!`, `asm!`, `extern`, `#[path]`, "
        "`#[macro_use]`, and `mod name;` that reads another file.",
        "What they bring in is not in the text that was looked at: a macro can wrap `assume`, or "
        "redefine `assert`.",
        "macro_rules! sure { ($e:expr) => { assume($e) } }",
        "Write the code out in the file.",
    ),
    "VG312": RuleDoc(
        "The keyword `unsafe`.",
        "Verus does not check that unsafe code keeps its promises.",
        "fn f(p: *const u8) -> u8 { unsafe { *p } }",
        "Write it in safe code.",
    ),
}

RULE = Rule(tuple(DOCS), LayerName.TOKENS, _run, DOCS)
