"""Items of a file, read from tokens: what a rule needs to say "in this function".

This is no parser: it finds where each item begins and ends, what kind it is and what it is
called, and it never fails. Bodies of functions are not looked into.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from verulaw_gate.gate.heads import keyword_at, past, past_attributes
from verulaw_gate.gate.lexer import Kind, Tokens

# What may follow a brace group inside the header of a function: the group is part of a clause.
_GOES_ON = frozenset(
    [
        "else",
        "as",
        "is",
        "matches",
        "has",
        "requires",
        "ensures",
        "recommends",
        "decreases",
        "when",
        "via",
        "by",
        "returns",
        "opens_invariants",
        "no_unwind",
        "invariant",
        "where",
        "implies",
        "in",
        "default_ensures",
    ]
)
# Blocks within blocks further in than this are not looked into.
_DEEPEST = 60
_BLOCK_KINDS = frozenset({"mod", "impl", "trait", "extern", "verus"})


@dataclass(frozen=True, slots=True)
class Item:
    """One item; all numbers are token indices.

    `first` is its first token, attributes included; `head` the first one after the attributes;
    `keyword` the token that says its kind; `body` the braces of its body, if it has one; `last`
    its last token. `path` names what it stands in. `in_verus`: inside `verus!{}`. `container` is
    the kind of the innermost block around it (empty at file level).
    """

    kind: str
    name: str
    path: tuple[str, ...]
    container: str
    in_verus: bool
    first: int
    head: int
    keyword: int
    body: tuple[int, int] | None
    last: int
    children: tuple[Item, ...] = ()

    @property
    def key(self) -> tuple[str, ...]:
        """What it is called, with what it stands in: equal for the same item of two files."""
        return (*self.path, f"{self.kind} {self.name}")

    @property
    def label(self) -> str:
        """How to name it in a message."""
        return f"{self.kind} {self.name}".strip() if self.name else self.kind


def parse_items(tokens: Tokens) -> tuple[Item, ...]:
    """The items of a whole text, blocks with their children."""
    return _items(tokens, 0, len(tokens), (), "", in_verus=False)


def parse_items_in(tokens: Tokens, first: int, stop: int) -> tuple[Item, ...]:
    """The items among the tokens `[first, stop)`, read as if they stood inside `verus!{}`."""
    return _items(tokens, first, stop, (), "", in_verus=True)


def next_item(tokens: Tokens, at: int) -> Item:
    """The item that begins at `at`, as far as the tokens go."""
    return _item(tokens, at, len(tokens), (), "", in_verus=True)


def implementer(header: str) -> str | None:
    """The type that an `impl` of a trait is for, given what `Item.name` says of it; None when it
    is no trait's. The `for` of `for<'a>` says nothing of it."""
    words = header.split()
    for at, word in enumerate(words[:-1]):
        if word == "where":
            break
        if word == "for" and words[at + 1] != "<":
            return " ".join(words[at + 1 :])
    return None


def walk(items: tuple[Item, ...]) -> Iterator[Item]:
    """All items, outer before inner."""
    for item in items:
        yield item
        if item.children:
            yield from walk(item.children)


def _items(
    tokens: Tokens,
    at: int,
    stop: int,
    path: tuple[str, ...],
    container: str,
    *,
    in_verus: bool,
    depth: int = 0,
) -> tuple[Item, ...]:
    found: list[Item] = []
    while at < stop:
        if tokens.texts[at] == "#" and tokens.texts[min(at + 1, stop - 1)] == "!":
            after = past(tokens.partner, at + 2, stop) if at + 2 < stop else stop
            last = after - 1
            found.append(Item("attribute", "", path, container, in_verus, at, at, at, None, last))
            at = after
            continue
        item = _item(tokens, at, stop, path, container, in_verus=in_verus, depth=depth)
        found.append(item)
        at = item.last + 1
    return tuple(found)


def _item(
    tokens: Tokens,
    first: int,
    stop: int,
    path: tuple[str, ...],
    container: str,
    *,
    in_verus: bool,
    depth: int = 0,
) -> Item:
    texts, partner = tokens.texts, tokens.partner
    head = past_attributes(tokens, first, stop)
    keyword, kind = keyword_at(tokens, head, stop)
    if not kind:
        last = _end_of_unknown(tokens, head, stop)
        return Item(
            "unknown", "", path, container, in_verus, first, head, head, None, max(first, last)
        )
    name = _name(tokens, keyword, kind, stop)
    body: tuple[int, int] | None = None
    children: tuple[Item, ...] = ()
    if kind in ("verus", "macro", "macro_rules"):
        group = keyword + 2
        if tokens.kinds[group] == Kind.WORD:
            group += 1
        last = past(partner, group, stop) - 1
        body = (group, last)
        if last + 1 < stop and texts[last + 1] == ";":
            last += 1
    elif kind in ("use", "type", "global", "assume_specification") or (
        kind == "extern" and texts[keyword] == "extern"
    ):
        last = _semicolon(tokens, keyword, stop)
    elif kind == "extern" and texts[keyword] == "{":
        last = past(partner, keyword, stop) - 1
        body = (keyword, last)
    else:
        last, body = _to_body(tokens, keyword + 1, stop, kind)
    if kind in _BLOCK_KINDS and body is not None and depth < _DEEPEST:
        inner = path if kind == "verus" else (*path, f"{kind} {name}")
        children = _items(
            tokens,
            body[0] + 1,
            body[1] if texts[body[1]] in ")]}" else body[1] + 1,
            inner,
            container if kind == "verus" else kind,
            in_verus=in_verus or kind == "verus",
            depth=depth + 1,
        )
    return Item(kind, name, path, container, in_verus, first, head, keyword, body, last, children)


def _name(tokens: Tokens, keyword: int, kind: str, stop: int) -> str:
    texts = tokens.texts
    if kind == "impl":
        brace = next(
            (i for i in range(keyword, stop) if texts[i] == "{"),
            stop,
        )
        return " ".join(texts[keyword + 1 : brace])
    if kind == "extern" and texts[keyword + 1 : keyword + 2] == ["crate"]:
        end = _semicolon(tokens, keyword, stop)
        return texts[end - 1]
    if kind in ("use", "global", "verus", "extern", "assume_specification"):
        return ""
    if kind == "macro_rules":
        return texts[keyword + 2] if keyword + 2 < stop else ""
    if kind == "macro":
        return texts[keyword]
    at = keyword + 1
    if at < stop and texts[at] == "mut":
        at += 1
    return texts[at].removeprefix("r#") if at < stop else ""


def _semicolon(tokens: Tokens, at: int, stop: int) -> int:
    """The `;` that ends an item without a body, or the last token there is."""
    texts, kinds, partner = tokens.texts, tokens.kinds, tokens.partner
    while at < stop:
        if texts[at] == ";":
            return at
        at = past(partner, at, stop) if kinds[at] == Kind.OPEN else at + 1
    return stop - 1


def _to_body(tokens: Tokens, at: int, stop: int, kind: str) -> tuple[int, tuple[int, int] | None]:
    """The last token of an item with a body or a `;`, and the body."""
    texts, kinds, partner = tokens.texts, tokens.kinds, tokens.partner
    clauses = kind in ("fn", "const", "static")
    while at < stop:
        text = texts[at]
        if text == ";":
            return at, None
        if kinds[at] != Kind.OPEN:
            at += 1
            continue
        after = past(partner, at, stop)
        if (
            text == "{"
            and (clauses or texts[at - 1] not in ("<", "="))
            and not (clauses and after < stop and not _ends_item(tokens, after))
        ):
            return after - 1, (at, after - 1)
        at = after
    return stop - 1, None


def _ends_item(tokens: Tokens, at: int) -> bool:
    """Whether a body has just ended, by the token after its braces."""
    text = tokens.texts[at]
    if tokens.kinds[at] == Kind.WORD:
        return text not in _GOES_ON
    return text == "#" or tokens.kinds[at] == Kind.CLOSE


def _end_of_unknown(tokens: Tokens, at: int, stop: int) -> int:
    """Past something that is no item: to its `;` or brace group, or to the next item."""
    texts, kinds, partner = tokens.texts, tokens.kinds, tokens.partner
    start = at
    while at < stop:
        if at > start and kinds[at] == Kind.WORD and keyword_at(tokens, at, stop)[1]:
            return at - 1
        if texts[at] == ";":
            return at
        if kinds[at] == Kind.OPEN:
            brace = texts[at] == "{"
            at = past(partner, at, stop)
            if brace:
                return at - 1
            continue
        at += 1
    return stop - 1
