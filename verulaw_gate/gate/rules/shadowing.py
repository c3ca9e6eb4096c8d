"""VG404: an added item takes the name of something that the fixed text uses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from verulaw_gate.codes import Severity
from verulaw_gate.findings import Finding
from verulaw_gate.gate.context import Context, View
from verulaw_gate.gate.imports import Import, imports
from verulaw_gate.gate.items import Item, implementer, next_item
from verulaw_gate.gate.names import CRATES, MACROS, Uses, uses
from verulaw_gate.gate.rule import LayerName, Rule, RuleDoc

_ITEM_KINDS = frozenset(
    [
        "fn",
        "struct",
        "enum",
        "union",
        "type",
        "const",
        "static",
        "trait",
        "mod",
        "extern",
        "macro_def",
    ]
)
_LOOKED_AT = _ITEM_KINDS | {"use", "macro_rules", "macro"}
_PATTERNS = frozenset({"const", "static", "struct"})
_HINT = "give it a name that the task does not use"
# Where a name of the standard library lives: another path is another thing.
_HOMES = {
    "Result": "result",
    "Option": "option",
    "Error": "error",
    "Vec": "vec",
    "String": "string",
    "Box": "boxed",
    "Seq": "seq",
    "Set": "set",
    "Map": "map",
    "Multiset": "multiset",
}


def _run(context: Context) -> Iterable[Finding]:
    if context.base is None or not context.view.readable:
        return
    fixed: Uses | None = None
    known = Counter(_identity(context.base, item) for item in context.base.all_items)
    own_types = {
        item.name
        for item in context.view.all_items
        if item.kind in ("struct", "enum", "union") and not known[_identity(context.view, item)]
    }
    for item in context.view.all_items:
        identity = _identity(context.view, item)
        if known[identity] > 0:
            known[identity] -= 1
            continue
        if item.kind == "global":
            message = "a `global` directive fixes for this file what the task leaves open"
            finding = context.at("VG404", item.head, item.last, message, "prove it for all sizes")
            yield finding.with_severity(Severity.WARNING)
        if item.kind not in _LOOKED_AT:
            continue
        fixed = fixed or uses(context.base, bodies=context.task is not None)
        if item.kind == "use":
            yield from _imports(context, item, fixed)
        elif item.kind == "macro":
            yield from _inside_macro(context, item, fixed)
        elif _shadows(context, item, fixed, own_types):
            yield _finding(context, item.head, _name_token(context, item), item.label)
    for block in _blocks_in_bodies(context):
        for item in block.children:
            fixed = fixed or uses(context.base, bodies=context.task is not None)
            if item.kind == "fn" and _hides_trait_method(context, item, fixed, own_types):
                yield _finding(context, item.head, _name_token(context, item), item.label)


def _finding(context: Context, first: int, last: int, label: str) -> Finding:
    message = f"`{label}` takes a name that the task's text uses"
    return context.at("VG404", first, last, message, _HINT)


def _inside_macro(context: Context, item: Item, fixed: Uses) -> Iterator[Finding]:
    """Definitions among the arguments of an item macro, and the name that it begins with
    (`state_machine!{ NAME { .. } }` makes a module of it)."""
    if item.body is None:
        return
    texts = context.tokens.texts
    first, last = item.body
    for at in range(first + 1, last):
        defines = texts[at - 1] in _ITEM_KINDS or (at == first + 1 and texts[at + 1] == "{")
        if defines and texts[at] in fixed.free:
            yield _finding(context, at, at, texts[at])


def _blocks_in_bodies(context: Context) -> Iterator[Item]:
    """`impl` blocks inside the bodies of functions: what they define holds everywhere."""
    texts = context.tokens.texts
    if "impl" not in texts:
        return
    for item in context.view.all_items:
        if item.kind == "fn" and item.body:
            for at in range(item.body[0] + 1, item.body[1]):
                if texts[at] == "impl" and texts[at - 1] in ("{", "}", ";"):
                    yield next_item(context.tokens, at)


def _identity(view: View, item: Item) -> tuple[str, ...]:
    if item.kind in ("use", "global"):
        return (*item.path, " ".join(view.tokens.texts[item.head : item.last + 1]))
    return item.key


def _name_token(context: Context, item: Item) -> int:
    texts = context.tokens.texts
    for at in range(item.keyword, min(item.keyword + 4, len(texts))):
        if texts[at].removeprefix("r#") == item.name:
            return at
    return item.keyword


def _shadows(context: Context, item: Item, fixed: Uses, own_types: set[str]) -> bool:
    name = item.name
    if item.kind in ("macro_rules", "macro_def"):
        return name in fixed.macros or name in MACROS
    if item.container == "impl":
        return item.kind in ("fn", "const", "type") and _hides_trait_method(
            context, item, fixed, own_types
        )
    if item.container == "trait":
        return item.kind == "fn" and name in fixed.methods and _added_block(context, item)
    if item.container == "extern":
        return name in fixed.free
    if item.kind in ("mod", "extern") and name in CRATES:
        return True
    if item.kind in _PATTERNS and name in fixed.any:
        return True
    return name in fixed.free


def _added_block(context: Context, item: Item) -> bool:
    """Whether the block that the item stands in is not one of the base's."""
    assert context.base is not None
    return all((*b.path, f"{b.kind} {b.name}") != item.path for b in context.base.all_items)


def _hides_trait_method(context: Context, item: Item, fixed: Uses, own_types: set[str]) -> bool:
    """An inherent method comes before a trait's: `impl T { fn view }` hides `impl View for T`."""
    assert context.base is not None
    block = item.path[-1].removeprefix("impl ")
    if implementer(block) is not None or item.name not in fixed.methods | fixed.free:
        return False
    subject = _type_name(block)
    if subject in own_types:
        return False
    subjects = {subject, *_aliased(context, subject)}
    return any(
        other.name == item.name and _type_name(implementer(other.path[-1]) or "") in subjects
        for other in context.base.all_items
        if other.container == "impl"
    )


def _aliased(context: Context, name: str) -> set[str]:
    """The names in what a type alias or an import of this name stands for."""
    tokens = context.tokens
    found: set[str] = set()
    for item in context.view.all_items:
        if item.kind == "type" and item.name == name:
            found.update(tokens.texts[item.keyword + 2 : item.last])
        elif item.kind == "use":
            found.update(e.path[-1] for e in imports(tokens, item) if e.renamed and e.name == name)
    return found - {name}


def _type_name(text: str) -> str:
    """The name of the type that an impl header is about: `< A > List < A >` is `List`."""
    words = text.split()
    depth = 0
    name = ""
    for word in words:
        if word == "<":
            depth += 1
        elif word == ">":
            depth -= 1
        elif depth == 0 and word == "where":
            break
        elif depth == 0 and (word[0].isalpha() or word[0] == "_"):
            name = word
    return name


def _imports(context: Context, item: Item, fixed: Uses) -> Iterator[Finding]:
    for entry in imports(context.tokens, item):
        if entry.name == "*" and entry.path:
            yield from _variants(context, entry, fixed)
        if entry.name in ("*", "_") or not _changes(context, entry, fixed):
            continue
        where = "::".join(entry.path)
        yield context.at(
            "VG404",
            entry.token,
            entry.token,
            f"`use {where}` binds `{entry.name}`, a name that the task's text uses",
            _HINT,
        )


def _variants(context: Context, entry: Import, fixed: Uses) -> Iterator[Finding]:
    """A glob of an enum of the candidate's own: its variants hide names of the prelude."""
    assert context.base is not None
    old = {i.name for i in context.base.all_items if i.kind == "enum"}
    names = {entry.path[-1], *_aliased(context, entry.path[-1])}
    for item in context.view.all_items:
        if item.kind == "enum" and item.name in names and item.name not in old:
            texts = context.tokens.texts[item.keyword : item.last]
            taken = sorted({t for t in texts if t in fixed.free and t[:1].isupper()} - {item.name})
            if taken and item.body:
                where = "::".join(entry.path)
                yield _finding(context, entry.token, entry.token, f"use {where}::*")


def _changes(context: Context, entry: Import, fixed: Uses) -> bool:
    """Whether an import can make a name of the fixed text mean something else."""
    name, path = entry.name, entry.path
    if name in CRATES and (entry.renamed or len(path) > 1):
        return True
    if entry.renamed and name in MACROS and path[-1] != name:
        return True
    if name not in fixed.free and name not in fixed.macros:
        return False
    if entry.renamed:
        return path[-1] != name
    if path[0] in ("std", "core", "alloc", "vstd", "builtin", "verus_builtin"):
        home = _HOMES.get(name)
        return home is not None and len(path) > 1 and path[-2] not in (home, "prelude")
    assert context.base is not None
    own = {i.name for i in context.base.items} | {
        i.name for b in context.base.items if b.kind == "verus" for i in b.children
    }
    return not (len(path) <= 2 and path[0] in ("crate", "self", "super") and name in own)


DOCS = {
    "VG404": RuleDoc(
        "An added struct, enum, type alias, function, constant, trait, module, macro or import "
        "whose name the fixed text uses, names of the prelude included (`struct Set`, "
        "`type u32 = u8;`, `use .. as Seq`); a trait with a method that the fixed text calls, "
        "`view` for `@` too; an inherent method that hides a trait's; a local `mod vstd` or "
        "`macro_rules! assert`. As a warning: an added `global` directive.",
        "The specification keeps its letters and changes its meaning. It passes Verus, and its "
        "`--no-cheating`, too.",
        "[Lemma]\nstruct Set<A> { a: A }",
        "Give the item a name that the task does not use.",
    )
}

RULE = Rule(tuple(DOCS), LayerName.TOKENS, _run, DOCS)
