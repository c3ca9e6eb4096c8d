"""The parts of an item that say what it means: attributes, signature, clauses."""

from __future__ import annotations

from dataclasses import dataclass

from verulaw_gate.gate.items import Item
from verulaw_gate.gate.lexer import Kind, Tokens

CLAUSES = frozenset(
    [
        "requires",
        "ensures",
        "recommends",
        "decreases",
        "returns",
        "opens_invariants",
        "no_unwind",
        "default_ensures",
    ]
)
# Attributes that tell the prover how to work, or readers and lints what to say; none changes what
# a specification means.
_HOW = frozenset(
    [
        "allow",
        "warn",
        "deny",
        "forbid",
        "expect",
        "doc",
        "inline",
        "cold",
        "must_use",
        "loop_isolation",
        "spinoff_prover",
        "rlimit",
        "memoize",
        "nonlinear",
        "bit_vector",
        "rustfmt",
        "clippy",
        "auto_ext_equal",
    ]
)


@dataclass(frozen=True, slots=True)
class Header:
    """The header of a function. `clauses` maps a keyword to its tokens; a `decreases` keeps its
    `when` and `via`. `places` has the first and last token of each clause."""

    signature: tuple[str, ...]
    clauses: dict[str, tuple[str, ...]]
    places: dict[str, tuple[int, int]]


def normal(tokens: Tokens, first: int, stop: int) -> tuple[str, ...]:
    """The texts of `[first, stop)` without commas that only trail: layout, not meaning."""
    texts, kinds = tokens.texts, tokens.kinds
    out: list[str] = []
    for at in range(first, stop):
        if texts[at] == "," and at + 1 < len(texts):
            closes = kinds[at + 1] == Kind.CLOSE or texts[at + 1] == ">"
            if closes and not _one_tuple(tokens, at):
                continue
        out.append(texts[at])
    return tuple(out)


def _one_tuple(tokens: Tokens, comma: int) -> bool:
    """Whether the comma before a `)` makes a tuple of one: `(x,)` is not `(x)`."""
    opener = tokens.partner[comma + 1]
    if opener < 0 or tokens.texts[opener] != "(":
        return False
    if opener > 0 and (
        tokens.kinds[opener - 1] == Kind.WORD or tokens.texts[opener - 1] in (">", ")", "]")
    ):
        return False
    at = opener + 1
    while at < comma:
        if tokens.texts[at] == ",":
            return False
        at = tokens.partner[at] + 1 if tokens.kinds[at] == Kind.OPEN else at + 1
    return True


def header(tokens: Tokens, item: Item) -> Header:
    """The header of a function item."""
    stop = item.body[0] if item.body else item.last + 1
    if item.body is None and tokens.texts[item.last] == ";":
        stop = item.last
    marks: list[int] = []
    at = item.head
    while at < stop:
        if tokens.kinds[at] == Kind.OPEN and at < tokens.partner[at] < stop:
            at = tokens.partner[at] + 1
            continue
        if tokens.texts[at] in CLAUSES and tokens.kinds[at] == Kind.WORD and at > item.keyword + 1:
            marks.append(at)
        at += 1
    clauses: dict[str, tuple[str, ...]] = {}
    places: dict[str, tuple[int, int]] = {}
    for mark, end in zip(marks, [*marks[1:], stop][: len(marks)], strict=True):
        word = tokens.texts[mark]
        text = normal(tokens, mark + 1, end)
        text = text[:-1] if text[-1:] == (",",) else text
        places[word] = (mark, end - 1)
        # `no_unwind` alone says something too.
        text = text or (word,) * (word == "no_unwind")
        clauses[word] = (*clauses[word], ",", *text) if word in clauses else text
    signature = normal(tokens, item.head, marks[0] if marks else stop)
    return Header(signature, clauses, places)


def attributes(tokens: Tokens, first: int, stop: int) -> tuple[tuple[str, ...], ...]:
    """The attributes among the tokens `[first, stop)` that can change what an item means,
    sorted."""
    found = []
    at = first
    while at < stop:
        bracket = at + 2 if tokens.texts[at + 1 : at + 2] == ["!"] else at + 1
        there = tokens.partner[bracket] if bracket < len(tokens) else -1
        after = there + 1 if there > bracket else stop
        for texts in _apart(normal(tokens, bracket + 1, there) if there > bracket else ()):
            words = [t for t in texts if t not in ("verifier", "::", "(", ")")]
            if words and words[0] not in _HOW:
                found.append(texts)
        at = after
    return tuple(sorted(found))


def _apart(attribute: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The attributes in an attribute: `verifier(inline, opaque)` is the older way to write
    `verifier::inline` and `verifier::opaque`."""
    if attribute[:2] != ("verifier", "("):
        return [attribute]
    parts: list[list[str]] = [[]]
    depth = 0
    for text in attribute[2:-1]:
        depth += (text in "([{") - (text in ")]}")
        if text == "," and depth == 0:
            parts.append([])
        else:
            parts[-1].append(text)
    return [("verifier", "::", *part) for part in parts if part]


def is_spec(tokens: Tokens, item: Item) -> bool:
    """Whether a function is a `spec fn`: its body is part of what it means."""
    return "spec" in tokens.texts[item.head : item.keyword]


def is_proof(tokens: Tokens, item: Item) -> bool:
    """Whether a function is a `proof fn` or an axiom."""
    return not {"proof", "axiom"}.isdisjoint(tokens.texts[item.head : item.keyword])
