"""VG402, VG403: the target is there, and the fixed specification says what it said."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from verulaw_gate.findings import Finding
from verulaw_gate.gate.context import Context, View
from verulaw_gate.gate.headers import header, is_spec, normal
from verulaw_gate.gate.items import Item
from verulaw_gate.gate.rule import LayerName, Rule, RuleDoc
from verulaw_gate.gate.show import changed

_WHOLE = frozenset(
    {"struct", "enum", "union", "type", "const", "static", "global", "assume_specification"}
)
_COMPARED = _WHOLE | {"fn"}
_KEEP = "leave the given specification as it is; add lemmas and proof"
# Said by the trust rules, in their family.
_TRUST_WORDS = ("external", "cfg", "exec_allows_no_decreases_clause", "assume_termination")


def _run(context: Context) -> Iterable[Finding]:
    if context.base is None or not context.view.readable:
        # Where items cannot be told apart a rule of structure has rejected already.
        return
    target = _target_key(context)
    if target is not None:
        yield from _target(context, target)
    mine = _by_key(context.view)
    for key, theirs in _by_key(context.base).items():
        candidates = list(mine.get(key, ()))
        for old in theirs:
            if not candidates:
                if key != target:
                    yield context.whole("VG403", f"`{old.label}` of the base is gone", _KEEP)
                continue
            differences = [_differences(context, old, new) for new in candidates]
            best = min(range(len(candidates)), key=lambda i: len(differences[i]))
            new = candidates.pop(best)
            for message in differences[best]:
                last = new.body[0] - 1 if new.body and new.kind == "fn" else new.last
                yield context.at("VG403", new.head, max(new.head, last), message, _KEEP)


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


def _differences(context: Context, old: Item, new: Item) -> list[str]:
    """What changed from the base's item to the candidate's, old and new."""
    assert context.base is not None
    before, after = context.base.tokens, context.tokens
    if old.kind in _WHOLE:
        was, now = normal(before, old.head, old.last + 1), normal(after, new.head, new.last + 1)
        return [] if was == now else [changed(f"`{old.label}`", was, now)]
    was_header, now_header = header(before, old), header(after, new)
    found = []
    if was_header.signature != now_header.signature:
        found.append(
            changed(f"the signature of `{old.name}`", was_header.signature, now_header.signature)
        )
    for word in sorted({*was_header.clauses, *now_header.clauses}):
        was, now = was_header.clauses.get(word, ()), now_header.clauses.get(word, ())
        if was == now or (word == "decreases" and word not in was_header.clauses):
            # A decreases clause where there was none is proof, not specification.
            continue
        found.append(changed(f"`{word}` of `{old.name}`", was, now))
    was_attributes = [a for a in was_header.attributes if not _of_trust(a)]
    now_attributes = [a for a in now_header.attributes if not _of_trust(a)]
    if was_attributes != now_attributes:
        found.append(
            changed(f"the attributes of `{old.name}`", _flat(was_attributes), _flat(now_attributes))
        )
    if is_spec(before, old) and old.body and new.body:
        was = normal(before, old.body[0], old.last + 1)
        now = normal(after, new.body[0], new.last + 1)
        if was != now:
            found.append(changed(f"the body of `spec fn {old.name}`", was, now))
    elif is_spec(before, old) and bool(old.body) != bool(new.body):
        found.append(f"`spec fn {old.name}` " + ("got" if new.body else "lost") + " a body")
    return found


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
        "A signature, requires, ensures or decreases clause, a spec function, a type or a constant "
        "of the task or base that is changed or gone. Compared by tokens: layout, comments and "
        "trailing commas do not matter. Added lemmas, added proof, and a decreases clause where "
        "there was none are fine.",
        "A proof of another specification is no proof of this one.",
        "`ensures r > 0` turned into `ensures true`",
        "Restore the specification.",
    ),
}

RULE = Rule(tuple(DOCS), LayerName.TOKENS, _run, DOCS)
