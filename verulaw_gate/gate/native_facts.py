"""The plain data that the native layer returns. Places `at` are `[start, end)` in characters.

The dictionaries come from Rust as they are (`native/src/facts.rs` has the same names), so that
reading them costs nothing. Where a fact stands in code it carries a place: `fn`, the index of its
function in `items` (-1 outside); `mode`, one of exec, proof, spec, ghost (proof or spec) and
unknown; `dead`, behind a return in the same block; `closure`, inside an exec closure; `unsure`,
in a body with items of its own, whose names are not resolved.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypedDict

# A pair (JSON makes it a list).
At = tuple[int, int]
Mode = Literal["exec", "proof", "spec", "ghost", "unknown"]
# Nested lists, head first: ["Vec", ["u64"]]; "?" is unknown, "{integer}" a bare literal.
Type = list[Any]


class ParseError(TypedDict):
    """What the parser refuses. `in` is `file` (rustc meets it) or the macro's name; `cfg` says
    that it stands behind a cfg, so that it may never be looked at."""

    at: At
    line: int
    column: int
    message: str
    cfg: bool


class Block(TypedDict):
    """A `verus!{}` (or sister) macro with its contents between the delimiters."""

    name: str
    at: At
    body: At
    parsed: bool
    cfg: bool


class Attr(TypedDict):
    """An attribute: path, the text of its arguments, whether it is an inner one (`#![..]`)."""

    path: str
    args: str
    at: At
    inner: bool


class Param(TypedDict):
    """A parameter. `name` is empty for patterns; `names` are all bound names with places."""

    name: str
    names: list[tuple[str, At]]
    type: str
    at: At
    mut_ref: bool
    receiver: bool
    ghost: bool


class Ret(TypedDict):
    """The declared result: the bound names, the type as written."""

    names: list[tuple[str, At]]
    type: str
    at: At


class Field(TypedDict):
    """A field of a struct; `mode` is exec, ghost or tracked."""

    name: str
    type: str
    mode: str


class Item(TypedDict):
    """An item with everything around it inherited: `cfg` (behind cfg or cfg_attr), `external`
    (external, external_body, other, or empty), `verus` (inside verus!{}). `parent` is the index
    of the item around it, -1 at the root. `mode` is exec, proof, spec, axiom or default."""

    id: int
    parent: int
    kind: str
    name: str
    mode: str
    vis: str
    publish: str
    attrs: list[Attr]
    verus: bool
    cfg: bool
    external: str
    at: At
    name_at: At
    signature: At | None
    generics: list[str]
    params: list[Param]
    ret: Ret | None
    requires: list[At]
    ensures: list[At]
    recommends: list[At]
    returns: list[At]
    decreases: list[At]
    when: At | None
    body: At | None
    is_broadcast: bool
    is_unsafe: bool
    self_type: str
    of_trait: str
    fields: list[Field]
    variants: list[str]
    type: str


class Use(TypedDict):
    """One imported name, or a glob (then `name` is empty)."""

    parent: int
    path: list[str]
    name: str
    glob: bool
    cfg: bool
    at: At


class Place(TypedDict):
    """Where a fact stands in code; see the head of the module."""

    at: At
    fn: int
    mode: Mode
    dead: bool
    closure: bool
    unsure: bool


class Loop(Place):
    """A loop: `kind` is while, loop or for; `measure` a guess at what decreases."""

    keyword: At
    kind: str
    decreases: bool
    invariants: list[At]
    body: At
    cond: At | None
    attrs: list[Attr]
    measure: str | None


class Call(Place):
    """A call of a path. `local`: the first segment is bound in the body."""

    callee: At
    path: list[str]
    args: list[At]
    local: bool
    generics: bool


class Method(Place):
    """A method call."""

    name_at: At
    name: str
    receiver: At
    receiver_type: Type
    on_self: bool
    args: list[At]


class MacroUse(Place):
    """A macro call, as an item (`item`) or an expression."""

    path: list[str]
    args: At
    item: bool
    parent: int


class Cast(Place):
    """`x as T`: the type as written, and what is known of the type of x."""

    to: str
    # "from" is a keyword; read it as cast["from"].


class LiteralUse(Place):
    """A number with a suffix."""

    suffix: str


class Noted(Place):
    """A place with a word on it."""

    note: str


class AttrUse(Place):
    """An attribute wherever it stands; `on` says what it is attached to."""

    path: str
    args: str
    inner: bool
    on: str
    target: At | None
    cfg: bool


class PathUse(Place):
    """A name read as a value that nothing in the body binds."""

    name: str


class MutRef(Place):
    """A `&mut` parameter dereferenced in ensures outside old and final."""

    name: str
    how: str


class Term(TypedDict, total=False):
    """An expression as far as triggers care: kind `k`, name `n`, children `c`."""

    k: str
    n: str
    at: At
    c: list[Term]


class Quantifier(Place):
    """A quantifier: bound names with their types as written, whether it names triggers."""

    kind: str
    vars: list[tuple[str, str]]
    triggers: bool
    body: Term


class Agreement(Place):
    """Two declared types that Rust makes agree at one place."""

    want: Type
    got: Type
    by: str
    text: str


@dataclass(frozen=True, slots=True)
class Facts:
    """What Verus's parser says about one source.

    `status`: ok; errors (it refuses something: `errors`); unanalysed (nothing can be said, with
    the `reason`): then all lists are empty, and that means nothing.
    """

    status: Literal["ok", "errors", "unanalysed"]
    reason: str = ""
    errors: list[ParseError] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    uses: list[Use] = field(default_factory=list)
    loops: list[Loop] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    methods: list[Method] = field(default_factory=list)
    macros: list[MacroUse] = field(default_factory=list)
    casts: list[Cast] = field(default_factory=list)
    literals: list[LiteralUse] = field(default_factory=list)
    views: list[Place] = field(default_factory=list)
    quantifiers: list[Quantifier] = field(default_factory=list)
    mut_refs: list[MutRef] = field(default_factory=list)
    slices: list[Place] = field(default_factory=list)
    ghost_exprs: list[Noted] = field(default_factory=list)
    proof_blocks: list[Place] = field(default_factory=list)
    unsafe_blocks: list[Place] = field(default_factory=list)
    attributes: list[AttrUse] = field(default_factory=list)
    agreements: list[Agreement] = field(default_factory=list)
    decreases_calls: list[Place] = field(default_factory=list)
    paths: list[PathUse] = field(default_factory=list)
    refused: list[Noted] = field(default_factory=list)
    bound: list[str] = field(default_factory=list)

    @property
    def analysed(self) -> bool:
        """Whether the lists mean anything."""
        return self.status != "unanalysed"
