"""Cut holes into a Verus file: the body of a function, and a line for lemmas before its item."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from verulaw_gate.errors import TaskError
from verulaw_gate.tasks.tokens import CLOSE, OPEN, Token, closing, read_tokens

# What may follow the body of a function: the end of what holds it, or the next item.
_AFTER = frozenset(
    (
        "}",
        "#",
        "fn",
        "pub",
        "proof",
        "spec",
        "exec",
        "open",
        "closed",
        "impl",
        "struct",
        "enum",
        "mod",
        "use",
        "trait",
        "type",
        "const",
        "static",
        "broadcast",
        "global",
        "macro_rules",
        "unsafe",
        "tracked",
        "ghost",
        "axiom",
        "uninterp",
        "extern",
        "async",
        "union",
        "assume_specification",
    )
)


@dataclass(frozen=True, slots=True)
class Cut:
    """A file with holes: its text, and whether the target is a `proof fn`."""

    source: str
    proof: bool


def cut_function(text: str, target: str) -> Cut:
    """The file with the body of `target` and the place before its item made into holes.

    Raises TaskError when the file can't be read as tokens, or the target is not in a `verus!{}`
    block, there more than once, or without a body.
    """
    text = text.replace("\r\n", "\n")
    tokens = read_tokens(text)
    if tokens is None:
        raise TaskError("a comment or string is left open", hint="mend the file")
    block = _verus_block(tokens)
    if block is None:
        raise TaskError("no verus!{ } block", hint="only code in verus!{ } is verified")
    name = target.rsplit("::", 1)[-1]
    places = [
        i
        for i in range(block[0], block[1])
        if tokens[i].text == "fn" and tokens[i + 1].text == name
    ]
    if len(places) != 1:
        raise TaskError(
            f"the function '{name}' is there {len(places)} times in verus!{{ }}",
            hint="name a function that is there once with --target",
        )
    body = _body(tokens, places[0], block[1])
    if body is None:
        raise TaskError(f"the function '{name}' has no body", hint="there is nothing to write")
    item = _item_start(tokens, places[0], block[0])
    line = text.rfind("\n", 0, tokens[item].start) + 1
    if text[line : tokens[item].start].strip():
        line = tokens[item].start
    start, end = tokens[body[0]].start, tokens[body[1]].end
    lead = "" if not text[:line].strip() or text[:line].endswith("\n") else "\n"
    source = (
        f"{text[:line]}{lead}//@ lemmas\n\n{text[line:start].rstrip()}\n//@ body\n"
        f"{text[end:].lstrip(' ').removeprefix(chr(10))}"
    )
    before = {token.text for token in tokens[max(item, places[0] - 6) : places[0]]}
    return Cut(source if source.endswith("\n") else source + "\n", "proof" in before)


def functions_of(text: str) -> list[str]:
    """The names after `fn`, in order; empty when the text can't be read."""
    tokens = read_tokens(text) or []
    return [b.text for a, b in pairwise(tokens) if a.text == "fn"]


def _verus_block(tokens: list[Token]) -> tuple[int, int] | None:
    for i in range(len(tokens) - 2):
        if [t.text for t in tokens[i : i + 3]] == ["verus", "!", "{"]:
            end = closing(tokens, i + 2)
            return None if end is None else (i + 3, end)
    return None


def _body(tokens: list[Token], fn: int, stop: int) -> tuple[int, int] | None:
    i = fn
    while i < stop:
        token = tokens[i].text
        if token == ";" or token in CLOSE:
            return None
        if token in OPEN:
            end = closing(tokens, i)
            if end is None:
                return None
            if token == "{" and tokens[end + 1].text in _AFTER:
                return i, end
            i = end
        i += 1
    return None


def _item_start(tokens: list[Token], fn: int, first: int) -> int:
    """The first token of the outermost item that holds `fn`."""
    start, i = first, first
    while i < fn:
        token = tokens[i].text
        if token in OPEN:
            end = closing(tokens, i)
            if end is None or end > fn:
                return start
            i = end
            if token == "{":
                start = i + 1
        elif token == ";":
            start = i + 1
        i += 1
    return start
