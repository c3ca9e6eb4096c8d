"""Which terms Verus could choose as triggers of a quantifier.

Follows the rules of automatic trigger selection (`vir/src/triggers_auto.rs` of Verus, described in
the guide under "forall and triggers"): a candidate is a call, a field, a constructor or a bit
operation all of whose parts are "pure"; arithmetic, comparisons, logic, clipping casts and `is`
are not; what stands inside a nested binder (quantifier, closure, let) is not looked at; a
candidate falls out if another term has its shape with something bigger for a bound variable
(`a[k]` beside `a[k + 1]` or `a[0]`), because it could feed itself.

Where the source text alone does not decide, a term counts as a candidate: the answer "none" must
be certain, the answer "some" need not be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from verulaw_gate.gate.native_facts import Quantifier
from verulaw_gate.gate.native_facts import Term as Syntax
from verulaw_gate.gate.rules.static.support import INTEGERS
from verulaw_gate.gate.vstd_index import vstd_index

LOGIC = frozenset({"&&", "||", "==>", "<==", "<==>", "==", "!=", "===", "!=="})
COMPARE = frozenset({"<", "<=", ">", ">="})
ARITHMETIC = frozenset({"+", "-", "*", "/", "%"})
BITS = frozenset({"&", "|", "^", "<<", ">>"})


class Undecided(Exception):
    """The quantifier has something in it whose terms are not known."""


@dataclass(frozen=True, slots=True)
class Term:
    """A term: `head` is None for a variable. `other` terms are equal to nothing else. `sure`
    says that head and parts are certain, so that it may count against another term."""

    head: str | None
    name: str
    parts: tuple[Term, ...] = ()
    other: bool = False
    sure: bool = True
    start: int = 0
    end: int = 0


Inlined = Callable[[str], bool]


class Gatherer:
    """Walks a quantifier body; `pure` are the candidates, `all` every term. `inlined` tells the
    functions whose body takes the place of the call, `types` are the declared types of the
    variables."""

    def __init__(self, types: dict[str, str], inlined: Inlined) -> None:
        self.variables = frozenset(types)
        self.types = types
        self.inlined = inlined
        self.pure: list[Term] = []
        self.all: list[Term] = []

    def walk(self, node: Syntax) -> tuple[bool, Term]:
        """Whether the node is (or may be) pure, and its term."""
        pure, term = self._term(node)
        if term.head is not None and term.head != "tuple":
            self.all.append(term)
            if pure and self.variables & names(term):
                self.pure.append(term)
        return pure, term

    def _parts(self, node: Syntax) -> tuple[bool, tuple[Term, ...]]:
        found = [self.walk(child) for child in node.get("c", [])]
        return all(pure for pure, _ in found), tuple(term for _, term in found)

    def _term(self, node: Syntax) -> tuple[bool, Term]:
        kind, name = node["k"], node.get("n", "")
        start, end = node["at"]

        def app(head: str, parts: tuple[Term, ...], sure: bool = True) -> Term:
            return Term(head, name, parts, False, sure, start, end)

        def impure(parts: tuple[Term, ...]) -> tuple[bool, Term]:
            return False, Term("other", "", parts, True, True, start, end)

        if kind == "var":
            return True, Term(None, name, (), False, True, start, end)
        if kind == "lit":
            return True, app("lit", ())
        if kind == "const":
            return True, app("const", ())
        if kind == "quantifier":
            return impure(())
        if kind == "trigger":
            raise Undecided
        if kind in ("deref", "final"):
            return self.walk(node["c"][0])
        if kind == "cast":
            if name == "int":
                return self.walk(node["c"][0])
            pure, parts = self._parts(node)
            # Most casts clip and are impure; a cast that changes nothing may not be.
            return pure, app("cast", parts, sure=False)
        if kind in ("call", "method"):
            pure, parts = self._parts(node)
            if self.inlined(name) or (not pure and name.split("::")[-1] in vstd_index().inline):
                raise Undecided
            return pure, app(kind, parts)
        if kind == "index":
            pure, parts = self._parts(node)
            if not pure and self.variables & names(parts[0]):
                # `v[k + 1]` of a Vec is `v.view().index(k + 1)`: the view could be the trigger.
                raise Undecided
            return pure, app(kind, parts)
        if kind in ("field", "variant_field", "view"):
            pure, parts = self._parts(node)
            return pure, app(kind, parts)
        if kind == "tuple":
            pure, parts = self._parts(node)
            return pure, app("tuple", parts)
        if kind == "is":
            return impure(self._parts(node)[1])
        if kind in ("and", "or", "if"):
            return impure(self._parts(node)[1])
        if kind == "unary":
            if name == "-" and node["c"][0]["k"] == "lit":
                return True, app("lit", ())
            pure, parts = self._parts(node)
            if name == "!" and not self._boolean(node["c"][0]):
                # Of an integer it is a bit operation, and those may be triggers.
                return pure, app("bits", parts, sure=False)
            return impure(parts)
        if kind == "binary":
            return self._binary(node, name, impure, app)
        raise Undecided

    def _binary(
        self,
        node: Syntax,
        name: str,
        impure: Callable[[tuple[Term, ...]], tuple[bool, Term]],
        app: Callable[[str, tuple[Term, ...]], Term],
    ) -> tuple[bool, Term]:
        if name in COMPARE and _complex_middle(node):
            # `a <= f(x) < b` keeps f(x) in a let, and a let is not looked into.
            return impure(())
        pure, parts = self._parts(node)
        if name in BITS:
            return pure, app("bits", parts)
        if name in ARITHMETIC and not self._integer(node):
            # `a + s` of sequences is a call of `add`.
            return pure, replace(app("arithmetic", parts), sure=False)
        if name in LOGIC | COMPARE | ARITHMETIC or name in ("=~=", "!~=", "=~~=", "!~~="):
            return impure(parts)
        raise Undecided

    def _boolean(self, node: Syntax) -> bool:
        """Whether the value is a truth value for certain."""
        kind, name = node["k"], node.get("n", "")
        if kind == "var":
            return self.types.get(name, "") == "bool"
        if kind == "unary" and name == "!":
            return self._boolean(node["c"][0])
        if kind == "binary":
            return name in LOGIC | COMPARE or "~" in name
        return kind in ("and", "or", "is", "quantifier")

    def _integer(self, node: Syntax) -> bool:
        """Whether the value is a number for certain: then so are both sides of arithmetic."""
        kind, name = node["k"], node.get("n", "")
        if kind == "binary" and name in ARITHMETIC:
            return any(self._integer(child) for child in node["c"])
        if kind == "unary" and name == "-":
            return True
        if kind == "method":
            return name == "len" and len(node["c"]) == 1
        if kind == "var":
            return self.types.get(name, "") in INTEGERS
        return kind == "lit" or (kind == "cast" and name in INTEGERS)


def names(term: Term) -> frozenset[str]:
    """The variables of a term."""
    if term.head is None:
        return frozenset({term.name})
    return frozenset().union(*(names(part) for part in term.parts))


def _operands(node: Syntax) -> list[Syntax]:
    """The operands of a chain `a <= b < c`, left to right."""
    left, right = node["c"]
    if left["k"] == "binary" and left.get("n") in COMPARE:
        return [*_operands(left), right]
    return [left, right]


def _complex_middle(node: Syntax) -> bool:
    middle = _operands(node)[1:-1]
    return any(m["k"] in ("call", "method", "index") for m in map(_bare, middle)) or any(
        m["k"] == "binary" and m.get("n") in ARITHMETIC for m in map(_bare, middle)
    )


def _bare(node: Syntax) -> Syntax:
    while node["k"] == "cast":
        node = node["c"][0]
    return node


def _sure(term: Term) -> bool:
    return term.sure and all(_sure(part) for part in term.parts)


def _feeds(template: Term, term: Term, variables: frozenset[str]) -> tuple[bool, bool]:
    """Whether `term` has the shape of `template` for some values of the variables, and whether
    one of these values is bigger than a variable."""
    if template.head is None:
        if template.name in variables:
            return True, term.head is not None
        return term.head is None and term.name == template.name, False
    if term.head != template.head or term.other or template.other or term.name != template.name:
        return False, False
    if len(term.parts) != len(template.parts):
        return False, False
    if template.head not in ("call", "lit") and any(
        names(p) & variables for p in template.parts[:1]
    ):
        # A bound receiver: a method of one name may be another function on another type.
        return False, False
    pairs = [_feeds(a, b, variables) for a, b in zip(template.parts, term.parts, strict=True)]
    return all(eq for eq, _ in pairs), any(bigger for _, bigger in pairs)


def uncovered(quantifier: Quantifier, inlined: Inlined) -> tuple[list[str], list[Term]] | None:
    """The bound variables that no candidate covers, and the candidates that fell out because of
    a bigger twin. None where nothing is certain."""
    variables = frozenset(name for name, _ in quantifier["vars"])
    if len(variables) != len(quantifier["vars"]) or not variables:
        return None
    if any(_marks(quantifier["body"], variables)):
        return None
    gatherer = Gatherer(dict(quantifier["vars"]), inlined)
    try:
        gatherer.walk(quantifier["body"])
    except Undecided:
        return None
    kept: list[Term] = []
    dropped: list[Term] = []
    for candidate in gatherer.pure:
        looping = _sure(candidate) and any(
            # The first two are part of `_feeds`, and tell nearly all terms apart.
            term.head == candidate.head
            and term.name == candidate.name
            and _sure(term)
            and all(_feeds(candidate, term, variables))
            for term in gatherer.all
        )
        (dropped if looping else kept).append(candidate)
    covered = frozenset().union(*(names(term) for term in kept))
    missing = [name for name, _ in quantifier["vars"] if name not in covered]
    return (missing, dropped) if missing else None


def _marks(node: Syntax, variables: frozenset[str], nested: bool = False) -> Iterator[bool]:
    """The `#[trigger]` marks in a body; inside a nested quantifier only those that mention one of
    the variables (the others are triggers of the nested one)."""
    if node["k"] == "trigger":
        yield not nested or any(_mentions(node, variables))
    nested = nested or node["k"] == "quantifier"
    for child in node.get("c", []):
        yield from _marks(child, variables, nested)


def _mentions(node: Syntax, variables: frozenset[str]) -> Iterator[bool]:
    yield node["k"] == "opaque" or (node["k"] == "var" and node.get("n") in variables)
    for child in node.get("c", []):
        yield from _mentions(child, variables)
