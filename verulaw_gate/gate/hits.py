"""What trust rules see: constructs in a text, and which of them a candidate adds.

A construct is trusted code wherever it stands, also in honest files. So a rule reports what the
candidate has and the base has not, matched by item and by its tokens as a multiset: an
`external_body` that moved to another function is an added one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from verulaw_gate.findings import Finding
from verulaw_gate.gate.context import Context, View
from verulaw_gate.gate.lexer import Tokens


@dataclass(frozen=True, slots=True)
class Hit:
    """A construct: tokens `first` to `last` (inclusive) and what to say of them."""

    code: str
    first: int
    last: int
    message: str
    hint: str


# A check of one token (by index) in its near context: the hits that begin there. It may look at
# the tokens before, at the two after, and into the bracket group that begins within those.
TokenCheck = Callable[[Tokens, int], Iterable[Hit]]


def scan(tokens: Tokens, checks: Mapping[str, TokenCheck]) -> list[Hit]:
    """The hits of all checks: `checks` maps the text of a token to the check it starts."""
    found: list[Hit] = []
    for at in [at for at, text in enumerate(tokens.texts) if text in checks]:
        found.extend(checks[tokens.texts[at]](tokens, at))
    return found


def added(context: Context, find: Callable[[View], Iterable[Hit]]) -> Iterable[Finding]:
    """Findings for the hits that the base does not have; for all of them without a base."""
    hits = list(find(context.view))
    if not hits:
        return
    known: Counter[tuple[object, ...]] = Counter()
    if context.base is not None:
        known.update(_identity(context.base, hit) for hit in find(context.base))
    for hit in hits:
        if known:
            identity = _identity(context.view, hit)
            if known[identity] > 0:
                known[identity] -= 1
                continue
        yield context.at(hit.code, hit.first, hit.last, hit.message, hit.hint)


def _identity(view: View, hit: Hit) -> tuple[object, ...]:
    item = view.item_at(hit.first)
    key = item.key if item is not None else ()
    return (hit.code, key, tuple(view.tokens.texts[hit.first : hit.last + 1]))
