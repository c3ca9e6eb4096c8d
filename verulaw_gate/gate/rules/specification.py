"""VG402, VG403: the target is there, and the fixed specification says what it said."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from verulaw_gate.findings import Finding
from verulaw_gate.gate.context import Context, View
from verulaw_gate.gate.headers import attributes, header, is_spec, normal
from verulaw_gate.gate.items import Item
from verulaw_gate.gate.lexer import Tokens
from verulaw_gate.gate.rule import LayerName, Rule, RuleDoc
from verulaw_gate.gate.rules import additions
from verulaw_gate.gate.rules.additions import KEEP
from verulaw_gate.gate.show import changed

_WHOLE = frozenset(
    [
        "struct",
        "enum",
        "union",
        "type",
        "const",
        "static",
        "global",
        "assume_specification",
        "macro_rules",
        "macro_def",
    ]
)
# Their insides are compared item by item; here it is what stands before their braces.
_BLOCKS = frozenset({"trait", "impl", "mod"})
_COMPARED = _WHOLE | _BLOCKS | {"fn"}


def _run(context: Context) -> Iterable[Finding]:
    if context.base is None or not context.view.readable:
        # Where items cannot be told apart a rule of structure has rejected already.
        return
    yield from additions.found(context)
    target = _target_key(context)
    if target is not None:
        yield from _target(context, target)
    mine = _by_key(context.view)
    for key, theirs in _by_key(context.base).items():
        candidates = list(mine.get(key, ()))
        for old in theirs:
            if not candidates:
                # What stands in an impl or module speaks for itself, wherever it has gone.
                if key != target and old.kind not in ("impl", "mod"):
                    yield context.whole("VG403", f"`{old.label}` of the base is gone", KEEP)
                continue
            differences = [_differences(context, old, new) for new in candidates]
            best = min(range(len(candidates)), key=lambda i: len(differences[i]))
            candidates.pop(best)
            for change in differences[best]:
                yield context.at("VG403", change.first, change.last, change.message, KEEP)


def _target_key(context: Context) -> tuple[str, ...] | None:
    """The key of the task's target, None without a task."""
    if context.task is None or context.base is None:
        return None
    name = context.task.target.rsplit("::", 1)[-1]
    return next((i.key for i in context.base.all_items if i.kind == "fn" and i.name == name), None)


def _target(context: Context, key: tuple[str, ...]) -> Iterable[Finding]:
    found = [i for i in context.view.all_items if i.key == key and i.kind == "fn"]
    inside = [i for i in found if checked_by_verus(context.view, i)]
    name = key[-1].removeprefix("fn ")
    hint = "keep the target once, inside verus!{}"
    if not found:
        yield context.whole("VG402", f"the target `{name}` is missing", hint)
    elif not inside:
        item = found[0]
        yield context.at(
            "VG402", item.head, item.keyword, f"the target `{name}` is outside verus!{{}}", hint
        )
    for item in found[1:]:
        yield context.at("VG402", item.head, item.keyword, f"the target `{name}` twice", hint)


def checked_by_verus(view: View, item: Item) -> bool:
    """Whether a function is inside `verus!{}`, or under one of the attributes that stand for it."""
    words = view.tokens.texts[item.first : item.head]
    return item.in_verus or "verus_spec" in words or "verus_verify" in words


def _by_key(view: View) -> dict[tuple[str, ...], list[Item]]:
    found: dict[tuple[str, ...], list[Item]] = defaultdict(list)
    for item in view.all_items:
        if item.kind in _COMPARED and (item.kind != "fn" or checked_by_verus(view, item)):
            found[_key(view, item)].append(item)
    return found


def _key(view: View, item: Item) -> tuple[str, ...]:
    if item.kind in ("global", "assume_specification"):
        # They have no name: what they say is their name.
        return (*item.path, " ".join(normal(view.tokens, item.head, item.last + 1)))
    return item.key


@dataclass(frozen=True, slots=True)
class _Change:
    """What to say of a change, and the tokens of the candidate that it is about."""

    message: str
    first: int
    last: int


def _differences(context: Context, old: Item, new: Item) -> list[_Change]:
    """What changed from the base's item to the candidate's."""
    assert context.base is not None
    before, after = context.base.tokens, context.tokens
    if _meaning(before, old) == _meaning(after, new):
        return []
    if old.kind in _WHOLE:
        was, now = normal(before, old.head, old.last + 1), normal(after, new.head, new.last + 1)
        message = changed(f"`{old.label}`", was, now)
        return [] if was == now else [_Change(message, new.head, new.last)]
    if old.kind in _BLOCKS:
        return list(_block_changes(before, after, old, new))
    return [*_header_changes(before, after, old, new), *_body_changes(before, after, old, new)]


def _meaning(tokens: Tokens, item: Item) -> list[str]:
    """All tokens that can matter: where they are equal, nothing that matters differs."""
    part = item.kind in _BLOCKS or (item.kind == "fn" and not is_spec(tokens, item))
    return tokens.texts[item.first : item.body[0] if part and item.body else item.last + 1]


def _header_changes(before: Tokens, after: Tokens, old: Item, new: Item) -> Iterator[_Change]:
    was, now = header(before, old), header(after, new)
    whole = (new.head, max(new.head, new.body[0] - 1 if new.body else new.last))
    if was.signature != now.signature:
        what = f"the signature of `{old.name}`"
        yield _Change(changed(what, was.signature, now.signature), *whole)
    for word in sorted({*was.clauses, *now.clauses}):
        mine, theirs = was.clauses.get(word, ()), now.clauses.get(word, ())
        proof = word == "decreases" and word not in was.clauses and "when" not in theirs
        if mine == theirs or proof:
            # A decreases clause where there was none is proof, not specification, unless it says
            # where the function is defined at all.
            continue
        message = changed(f"`{word}` of `{old.name}`", mine, theirs)
        yield _Change(message, *now.places.get(word, whole))
    yield from _attribute_changes(before, after, old, new)


def _block_changes(before: Tokens, after: Tokens, old: Item, new: Item) -> Iterator[_Change]:
    """A supertrait, a bound, an attribute."""
    if old.body and new.body:
        was = normal(before, old.head, old.body[0])
        now = normal(after, new.head, new.body[0])
        if was != now:
            yield _Change(changed(f"`{old.label}`", was, now), new.head, new.body[0])
    yield from _attribute_changes(before, after, old, new)


def _attribute_changes(before: Tokens, after: Tokens, old: Item, new: Item) -> Iterator[_Change]:
    was, now = (
        additions.flat([a for a in attributes(tokens, item.first, item.head) if _counts(item, a)])
        for tokens, item in ((before, old), (after, new))
    )
    if was != now:
        message = changed(f"the attributes of `{old.name}`", was, now)
        yield _Change(message, new.first, new.body[0] if new.body else new.last)


def _body_changes(before: Tokens, after: Tokens, old: Item, new: Item) -> Iterator[_Change]:
    if not is_spec(before, old):
        return
    if old.body and new.body:
        was = normal(before, old.body[0], old.last + 1)
        now = normal(after, new.body[0], new.last + 1)
        if was != now:
            what = f"the body of `spec fn {old.name}`"
            yield _Change(changed(what, was, now), new.body[0], new.last)
    elif old.body or new.body:
        verb = "got" if new.body else "lost"
        yield _Change(f"`spec fn {old.name}` {verb} a body", new.head, new.last)


def _counts(item: Item, attribute: tuple[str, ...]) -> bool:
    # A new module of tests is no cheat, and VG310 lets it pass; one of the base that is made a
    # module of tests takes what stands in it out of sight.
    return not additions.of_trust(attribute) or (item.kind == "mod" and attribute[0] == "cfg")


DOCS = {
    "VG402": RuleDoc(
        "The task's target function is missing, is there twice, or stands outside `verus!{}`.",
        "Whatever Verus verifies then, it is not the target.",
        "the target moved behind the closing brace of verus!{}",
        "Keep the target once, inside verus!{}.",
    ),
    "VG403": RuleDoc(
        "A signature, requires, ensures or decreases clause, a spec function, a type, a constant, "
        "a trait, a macro or an attribute that says what they mean, of the task or base, that is "
        "changed or gone; a function without a body added to a trait of the base. Compared by "
        "tokens: layout, comments and trailing commas do not matter. Added lemmas, added proof, "
        "and a decreases clause (without `when`) where there was none are fine.",
        "A proof of another specification is no proof of this one.",
        "`ensures r > 0` turned into `ensures true`",
        "Restore the specification.",
    ),
}

RULE = Rule(tuple(DOCS), LayerName.TOKENS, _run, DOCS)
