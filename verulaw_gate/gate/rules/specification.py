"""VG402, VG403: the target is there, and the fixed specification says what it said."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from verulaw_gate.findings import Finding
from verulaw_gate.gate.context import Context, View
from verulaw_gate.gate.headers import CLAUSES, attributes, header, is_spec, normal
from verulaw_gate.gate.items import Item
from verulaw_gate.gate.lexer import Tokens
from verulaw_gate.gate.rule import LayerName, Rule, RuleDoc
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
_HEADER_FUNCTIONS = CLAUSES | {
    "decreases_when",
    "opens_invariants_any",
    "opens_invariants_none",
    "opens_invariant_mask",
    "no_unwind_when",
}
_HEADER_NAMES = _HEADER_FUNCTIONS | {f"r#{name}" for name in _HEADER_FUNCTIONS}
_COMPARED = _WHOLE | _BLOCKS | {"fn"}
_KEEP = "leave the given specification as it is; add lemmas and proof"
# Said by the trust rules, in their family.
_VERUS = frozenset({"verifier", "verus"})
_TRUST_WORDS = ("external", "cfg", "exec_allows_no_decreases_clause", "assume_termination")


def _run(context: Context) -> Iterable[Finding]:
    if context.base is None or not context.view.readable:
        # Where items cannot be told apart a rule of structure has rejected already.
        return
    yield from _header_functions(context)
    target = _target_key(context)
    if target is not None:
        yield from _target(context, target)
    yield from _file_attributes(context)
    yield from _promises(context)
    yield from _invariants(context)
    mine = _by_key(context.view)
    for key, theirs in _by_key(context.base).items():
        candidates = list(mine.get(key, ()))
        for old in theirs:
            if not candidates:
                # What stands in an impl or module speaks for itself, wherever it has gone.
                if key != target and old.kind not in ("impl", "mod"):
                    yield context.whole("VG403", f"`{old.label}` of the base is gone", _KEEP)
                continue
            differences = [_differences(context, old, new) for new in candidates]
            best = min(range(len(candidates)), key=lambda i: len(differences[i]))
            candidates.pop(best)
            for change in differences[best]:
                yield context.at("VG403", change.first, change.last, change.message, _KEEP)


def _header_functions(context: Context) -> Iterable[Finding]:
    """Clauses written as calls of Verus's own header functions, which the keywords stand for:
    `verus_builtin::r#requires([false])` at the head of a body is a requires clause."""
    assert context.base is not None
    texts = context.tokens.texts
    for at in [at for at, text in enumerate(texts) if text in _HEADER_NAMES]:
        text = texts[at]
        if text[:2] == "r#" or (at > 0 and texts[at - 1] == "::"):
            if text in context.base.tokens.texts and texts[at - 1] in context.base.tokens.texts:
                continue
            name = text.removeprefix("r#")
            message = f"`{name}` as a function adds a clause to the function that it stands in"
            yield context.at("VG403", at, at, message, _KEEP)


def _file_attributes(context: Context) -> Iterable[Finding]:
    """Inner attributes of the file or a module that change what specifications in it say."""
    assert context.base is not None
    known = Counter(meaning for _, meaning in _inner(context.base))
    for item, meaning in _inner(context.view):
        known[meaning] -= 1
        if known[meaning] < 0:
            what = "the attributes of the file"
            if item.path:
                what = f"the attributes of `{item.path[-1]}`"
            message = changed(what, (), _flat([meaning[1]]))
            yield context.at("VG403", item.first, item.last, message, _KEEP)


def _invariants(context: Context) -> Iterable[Finding]:
    """Type invariants that are added to a type of the base: whoever is given a value of the type
    may rely on them, and where the base makes no value nobody has to prove them."""
    assert context.base is not None
    texts = context.tokens.texts
    if "type_invariant" not in texts:
        return
    known = {item.key for item in context.base.all_items}
    kinds = ("struct", "enum", "union")
    types = {item.name for item in context.base.all_items if item.kind in kinds}
    for item in context.view.all_items:
        if item.kind != "fn" or "type_invariant" not in texts[item.first : item.head]:
            continue
        stop = item.body[0] if item.body else item.last
        about = {*" ".join(item.path[-1:]).split(), *texts[item.keyword : stop]}
        if item.key not in known and about & types:
            name = min(about & types)
            message = f"`{name}` of the base got a type invariant: `{item.name}`"
            yield context.at("VG403", item.first, item.keyword + 1, message, _KEEP)


def _inner(view: View) -> Iterator[tuple[Item, tuple[tuple[str, ...], tuple[str, ...]]]]:
    for item in view.all_items:
        if item.kind == "attribute":
            for attribute in attributes(view.tokens, item.first, item.last + 1):
                if attribute[0] in _VERUS and not _of_trust(attribute):
                    yield item, (item.path, attribute)


def _promises(context: Context) -> Iterable[Finding]:
    """Functions without a body, added to a trait of the base: all who use it may rely on them."""
    assert context.base is not None
    traits = {item.key for item in context.base.all_items if item.kind == "trait"}
    known = {item.key for item in context.base.all_items if item.container == "trait"}
    for item in context.view.all_items:
        added = item.container == "trait" and item.path in traits and item.key not in known
        if added and item.kind == "fn" and item.body is None:
            message = f"`{item.path[-1]}` of the base got the function `{item.name}` to promise"
            yield context.at("VG403", item.head, item.last, message, _KEEP)


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
        _flat([a for a in attributes(tokens, item.first, item.head) if not _of_trust(a)])
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


def _of_trust(attribute: tuple[str, ...]) -> bool:
    return any(text.startswith(_TRUST_WORDS) for text in attribute)


def _flat(attributes: list[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(text for a in attributes for text in ("#[", *a, "]"))


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
