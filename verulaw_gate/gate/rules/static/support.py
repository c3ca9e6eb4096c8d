"""What the static rules share: when something is certain, and what a name means in the file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from verulaw_gate.gate.native_facts import At, Attr, Facts, Item, Place, Type

VERSIONS = "0.2026.06.08"
"""The Verus release that these rules speak of."""

INTEGERS = frozenset(
    (
        *("int", "nat", "u8", "u16", "u32", "u64", "u128", "usize"),
        *("i8", "i16", "i32", "i64", "i128", "isize"),
    )
)
"""The names of all integer types, machine and mathematical."""

# Attributes that leave an item what it is. Any other may be an attribute macro, which may make
# anything of the item (a spec twin, a ghost parameter, nothing at all).
PLAIN_ATTRIBUTES = frozenset(
    (
        *("verifier", "verus", "rustfmt", "verusfmt", "clippy", "allow", "warn", "deny", "forbid"),
        "expect",
        *("doc", "inline", "must_use", "cold", "derive", "deprecated", "repr", "cfg", "cfg_attr"),
        *("non_exhaustive", "track_caller", "target_feature", "no_mangle", "export_name"),
        *("link_section", "automatically_derived", "via_fn", "test", "ignore", "should_panic"),
        *("is_variant", "is_variant_no_deprecation_warning", "macro_use", "macro_export"),
        *("feature", "path", "no_std", "no_main", "crate_name", "crate_type", "trigger", "auto"),
        *("recursion_limit", "type_length_limit", "rustc_diagnostic_item", "unsafe"),
    )
)
# A type of the file with such a name may be meant, or the one of the prelude.
PRELUDE_TYPES = frozenset(
    (
        *("Vec", "Option", "Result", "Seq", "Set", "Map", "Multiset", "String", "Box", "Ghost"),
        *("Tracked", "Rc", "Arc"),
    )
)
MODE_ATTRIBUTES = frozenset({"spec", "proof", "exec", "ghost", "tracked", "returns"})
EXEC_MODES = frozenset({"exec", "default"})
GHOST_PLACES = frozenset({"proof", "spec", "ghost"})
# Methods that traits of std give to any type: one of these may come before an inherent method.
STD_METHODS = frozenset(
    (
        *("clone", "clone_from", "into", "try_into", "into_iter", "to_owned", "to_string", "eq"),
        *("ne", "cmp", "partial_cmp", "lt", "le", "gt", "ge", "max", "min", "clamp", "hash", "fmt"),
        *("borrow", "borrow_mut", "as_ref", "as_mut", "deref", "deref_mut", "type_id", "add"),
        *("sub", "mul", "div", "rem", "neg", "not", "index", "index_mut", "drop", "default"),
    )
)


def function_of(facts: Facts, place: Place) -> Item | None:
    """The function around a place, if its body is one that Verus certainly checks: not behind a
    `cfg`, not external in any way, not in the hands of an attribute macro."""
    index = place["fn"]
    if index < 0:
        return None
    item = facts.items[index]
    return None if item["cfg"] or item["external"] or rewritten(facts, item) else item


def rewritten(facts: Facts, item: Item) -> bool:
    """Whether an attribute of the item or of an item around it may be an attribute macro, or gives
    the item another mode than its words (`#[verifier::spec] fn f()`)."""
    # A plain loop: it runs for every fact of a file, and few items have attributes.
    for outer in around(facts, item):
        for attr in outer["attrs"]:
            macro = attr["path"].split("::", 1)[0].strip() not in PLAIN_ATTRIBUTES
            if macro or _gives_mode(attr):
                return True
    return False


def _gives_mode(attr: Attr) -> bool:
    name = attr["args"].strip() if attr["path"] == "verifier" else attr["path"]
    return name.removeprefix("verifier::").split("(", 1)[0] in MODE_ATTRIBUTES


def around(facts: Facts, item: Item) -> Iterator[Item]:
    """The item itself and the items around it, inner first."""
    yield item
    while item["parent"] >= 0:
        item = facts.items[item["parent"]]
        yield item


def mentions(facts: Facts, item: Item, *words: str) -> bool:
    """Whether an attribute of the item, of an item around it or of the file has a word in it."""
    texts = [
        attr["path"] + " " + attr["args"]
        for outer in around(facts, item)
        for attr in outer["attrs"]
    ]
    texts += [use["path"] + " " + use["args"] for use in facts.attributes if use["on"] == "file"]
    return any(word in text for text in texts for word in words)


def inside(inner: At, outer: At) -> bool:
    """Whether one place is inside another."""
    return outer[0] <= inner[0] and inner[1] <= outer[1]


class Functions:
    """What a called name means, where the file alone decides it."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._free: dict[tuple[int, str], list[Item]] = {}
        # By module, too: two modules may each have a type of one name.
        self._methods: dict[tuple[int, str, str], list[Item]] = {}
        self._modules: dict[tuple[int, str], list[Item]] = {}
        self._trait_methods: set[str] = set()
        self._types: Counter[tuple[int, str]] = Counter()
        self._imported = {(use["parent"], use["name"]) for use in facts.uses if use["name"]}
        self._macros = any(item["kind"] in ("macro", "verbatim") for item in facts.items)
        for item in facts.items:
            parent = facts.items[item["parent"]] if item["parent"] >= 0 else None
            if item["kind"] == "fn":
                if parent is None or parent["kind"] == "mod":
                    self._free.setdefault((item["parent"], item["name"]), []).append(item)
                elif parent["kind"] == "trait" or parent["of_trait"]:
                    self._trait_methods.add(item["name"])
                elif parent["kind"] == "impl":
                    key = (self.module_of(parent), parent["self_type"], item["name"])
                    self._methods.setdefault(key, []).append(item)
            elif item["kind"] == "mod":
                self._modules.setdefault((item["parent"], item["name"]), []).append(item)
            elif item["kind"] in ("struct", "enum"):
                self._types[(item["parent"], item["name"])] += 1

    def module_of(self, item: Item) -> int:
        """The index of the module around an item, -1 for the file."""
        for outer in around(self._facts, item):
            if outer is not item and outer["kind"] == "mod":
                return outer["id"]
        return -1

    def impl_of(self, item: Item) -> Item | None:
        """The impl that an item is a member of."""
        parent = item["parent"]
        if parent >= 0 and self._facts.items[parent]["kind"] == "impl":
            return self._facts.items[parent]
        return None

    def called(self, path: list[str], caller: Item) -> Item | None:
        """The function of the file that `path` names in the body of `caller`, if it can be no
        other: one declaration, not behind a cfg, no import of the name, no unknown macros."""
        module = self.module_of(caller)
        found: list[Item] = []
        if len(path) == 1:
            if (module, path[0]) not in self._imported:
                found = self._free.get((module, path[0]), [])
        elif len(path) == 2 and path[0] == "Self":
            impl = self.impl_of(caller)
            if impl is not None:
                found = self._methods.get((module, impl["self_type"], path[1]), [])
        elif any(path[0] in outer["generics"] for outer in around(self._facts, caller)):
            return None
        elif len(path) == 2 and (module, path[0]) not in self._imported:
            if path[0] in ("self", "crate"):
                start = module if path[0] == "self" else -1
                found = self._free.get((start, path[1]), [])
            elif self._types[(module, path[0])] == 1:
                found = self._methods.get((module, path[0], path[1]), [])
            else:
                modules = self._modules.get((module, path[0]), [])
                if len(modules) == 1:
                    found = self._free.get((modules[0]["id"], path[1]), [])
        return self._certain(found)

    def own_method(self, name: str, caller: Item) -> Item | None:
        """The inherent method that `self.name(..)` calls in a method of the same type. A method of
        that name in a trait may come first: one by value goes before one by reference."""
        impl = self.impl_of(caller)
        if impl is None or name in self._trait_methods:
            return None
        key = (self.module_of(caller), impl["self_type"], name)
        found = self._certain(self._methods.get(key, []))
        takes_self = found is not None and any(p["receiver"] for p in found["params"])
        return found if takes_self else None

    def method_on(self, type_: Type, name: str) -> Item | None:
        """The inherent method of the file that `x.name(..)` calls for an `x` of that type."""
        while type_[0] in ("&", "&mut"):
            type_ = type_[1]
        head = str(type_[0])
        if name in STD_METHODS or name in self._trait_methods or head in PRELUDE_TYPES:
            return None
        if sum(n for (_, known), n in self._types.items() if known == head) != 1:
            return None
        named = [
            item
            for (_, self_type, known), items in self._methods.items()
            for item in items
            if known == name and self_type.split("<")[0].strip() == head
        ]
        found = self._certain(named)
        takes_self = found is not None and any(p["receiver"] for p in found["params"])
        return found if takes_self else None

    def _certain(self, found: list[Item]) -> Item | None:
        if len(found) != 1 or self._macros:
            return None
        item = found[0]
        if item["cfg"] or not item["verus"] or rewritten(self._facts, item):
            return None
        return item


def has_attribute(item: Item, *words: str) -> bool:
    """Whether an attribute of the item itself has a word in it."""
    return any(
        word in attr["path"] + " " + attr["args"] for attr in item["attrs"] for word in words
    )


def own_macros(facts: Facts) -> frozenset[str]:
    """The names of macros that the file defines or imports: they may mean anything."""
    defined = {item["name"] for item in facts.items if item["kind"] == "macro_rules"}
    return frozenset(defined | {use["name"] for use in facts.uses})
