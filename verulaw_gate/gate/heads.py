"""How an item begins: attributes, visibility, modifiers, keyword."""

from __future__ import annotations

from verulaw_gate.gate.lexer import Kind, Tokens

# Macros whose braces hold Verus items.
VERUS_MACROS = frozenset({"verus", "verus_impl", "verus_trait_impl"})

_MODIFIERS = frozenset(
    [
        "open",
        "closed",
        "uninterp",
        "broadcast",
        "proof",
        "spec",
        "exec",
        "tracked",
        "ghost",
        "axiom",
        "default",
        "unsafe",
        "safe",
        "async",
        "auto",
        "crate",
    ]
)
_KEYWORDS = frozenset(
    [
        "fn",
        "struct",
        "enum",
        "union",
        "trait",
        "impl",
        "mod",
        "use",
        "type",
        "const",
        "static",
        "extern",
        "macro",
        "global",
        "assume_specification",
    ]
)


def keyword_at(tokens: Tokens, at: int, stop: int) -> tuple[int, str]:
    """The keyword token of the item whose head begins at `at`, and its kind. The kind is empty
    where no item can begin; the token is then the one that settles it (`stop` when the tokens ran
    out). A macro call has kind `macro`."""
    texts, kinds, partner = tokens.texts, tokens.kinds, tokens.partner
    if at < stop and texts[at] == "pub":
        at += 1
        if at < stop and texts[at] == "(":
            at = past(partner, at, stop)
    while at < stop and kinds[at] == Kind.WORD:
        word = texts[at]
        after = texts[at + 1] if at + 1 < stop else ""
        if after == "!":
            return at, _macro_kind(tokens, at, stop)
        if after == "::" and word not in _KEYWORDS:
            at += 2
        elif word == "const" and after in ("fn", "unsafe", "extern", "async", "impl", "trait"):
            at += 1
        elif word == "extern" and after not in ("crate", "{"):
            at += 2 if at + 1 < stop and kinds[at + 1] == Kind.STRING else 1
            if at < stop and texts[at] == "{":
                return at, "extern"
        elif word == "broadcast" and after in ("use", "group"):
            return at + 1, after
        elif word in _MODIFIERS:
            at += 1
            if at < stop and texts[at] == "(" and word in ("open", "closed", "spec"):
                at = past(partner, at, stop)
        elif word in _KEYWORDS and (word != "union" or _is_word(tokens, at + 1)):
            return at, "macro_def" if word == "macro" else word
        else:
            return at, ""
    return at, ""


def _macro_kind(tokens: Tokens, at: int, stop: int) -> str:
    """The kind of the macro call at `at`: empty when no bracket follows its name."""
    group = at + 3 if at + 2 < stop and tokens.kinds[at + 2] == Kind.WORD else at + 2
    if group >= stop or tokens.kinds[group] != Kind.OPEN:
        return ""
    word = tokens.texts[at]
    if word in VERUS_MACROS:
        return "verus"
    return "macro_rules" if word == "macro_rules" else "macro"


def past_attributes(tokens: Tokens, at: int, stop: int) -> int:
    """The first token after the attributes that begin at `at`."""
    texts, partner = tokens.texts, tokens.partner
    while at + 1 < stop and texts[at] == "#":
        bracket = at + 2 if texts[at + 1] == "!" and at + 2 < stop else at + 1
        if texts[bracket] != "[":
            break
        at = past(partner, bracket, stop)
    return at


def past(partner: list[int], bracket: int, stop: int) -> int:
    """The token after a bracket group; `stop` when it does not end."""
    there = partner[bracket]
    return there + 1 if bracket < there < stop else stop


def _is_word(tokens: Tokens, at: int) -> bool:
    return at < len(tokens) and tokens.kinds[at] == Kind.WORD
