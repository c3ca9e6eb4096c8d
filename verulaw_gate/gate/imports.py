"""What a `use` declaration brings into scope."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from verulaw_gate.gate.items import Item
from verulaw_gate.gate.lexer import Kind, Tokens

# Groups within groups further in than this are not looked into.
_DEEPEST = 60


@dataclass(frozen=True, slots=True)
class Import:
    """One name (`*` for a glob) and the path that it comes from; `token` is where it stands."""

    path: tuple[str, ...]
    name: str
    renamed: bool
    token: int


def imports(tokens: Tokens, item: Item) -> list[Import]:
    """The imports of a `use` item."""
    return list(_tree(tokens, item.keyword + 1, item.last, ()))


def _tree(
    tokens: Tokens, at: int, stop: int, path: tuple[str, ...], depth: int = 0
) -> Iterator[Import]:
    texts = tokens.texts
    here = path
    while at < stop:
        text = texts[at]
        if text == "{":
            there = tokens.partner[at]
            inner = there if at < there < stop else stop
            if depth < _DEEPEST:
                yield from _tree(tokens, at + 1, inner, here, depth + 1)
            at, here = inner + 1, ()
        elif text == "*":
            yield Import(here, "*", False, at)
            at, here = at + 1, ()
        elif text == ",":
            at, here = at + 1, path
        elif tokens.kinds[at] == Kind.WORD:
            here = (*here, text.removeprefix("r#"))
            after = texts[at + 1] if at + 1 < stop else ""
            if after == "as" and at + 2 < stop:
                yield Import(here, texts[at + 2].removeprefix("r#"), True, at + 2)
                at, here = at + 3, ()
            elif after == "::":
                at += 2
            else:
                name = here[-2] if here[-1] == "self" and len(here) > 1 else here[-1]
                yield Import(here, name, False, at)
                at, here = at + 1, ()
        else:
            at += 1
