"""Whether two light types can become one, by the coercions of Rust.

A type is a list, head first (`["Vec", ["u64"]]`). `?` may be anything; `{integer}` is a literal
without a suffix. Every answer "they clash" must be certain.
"""

from __future__ import annotations

from verulaw_gate.gate.native_facts import Type

INTEGERS = frozenset(
    [
        "int",
        "nat",
        "u8",
        "u16",
        "u32",
        "u64",
        "u128",
        "usize",
        "i8",
        "i16",
        "i32",
        "i64",
        "i128",
        "isize",
    ]
)
MATHEMATICAL = frozenset({"int", "nat"})
# Types that dereference to nothing else, so that `&T` coerces to no other reference.
SOLID = INTEGERS | {"bool", "char", "f32", "f64", "Option", "Result", "Seq", "Set", "Map", "(,)"}
SMART = frozenset({"Box", "Rc", "Arc", "Ghost", "Tracked"})


def clash(want: Type, got: Type, ghost: bool) -> bool:
    """Whether a value of type `got` can certainly not stand where `want` is needed."""
    to: str = want[0]
    of: str = got[0]
    if "?" in (to, of) or "!" in (to, of):
        return False
    if of == "{integer}" or to == "{integer}":
        other = to if of == "{integer}" else of
        if other in INTEGERS:
            return other in MATHEMATICAL and not ghost
        return other != "{integer}"
    if to in ("&", "&mut") and of in ("&", "&mut"):
        if to == "&mut" and of == "&":
            return True
        return _behind_reference(want[1], got[1], ghost)
    if to in ("&", "&mut") or of in ("&", "&mut"):
        return True
    if to != of:
        # Unsized and smart-pointer conversions are not looked at.
        return not ({to, of} & {"[]", "[;]", "str"} and not {to, of} & INTEGERS)
    if len(want) != len(got):
        return to == "(,)"
    return any(clash(a, b, ghost) for a, b in zip(want[1:], got[1:], strict=True))


def _behind_reference(want: Type, got: Type, ghost: bool) -> bool:
    to: str = want[0]
    of: str = got[0]
    if "?" in (to, of):
        return False
    if of in SOLID:
        return clash(want, got, ghost)
    if of == "Vec" and to in ("Vec", "[]"):
        # `Vec` without its argument is another error.
        return len(want) == len(got) == 2 and clash(want[1], got[1], ghost)
    if of == "Vec" and to in SOLID:
        return True
    return of == to and clash(want, got, ghost)


def comparable(left: Type, right: Type) -> bool:
    """Whether ghost `==` may stand between the two: false only if it certainly may not. The trait
    behind it (`verus_builtin::SpecEq`) joins a type with itself, with a reference to it and with
    its Ghost and Tracked, and the integer types with each other; nothing deeper."""
    if left[0] in SMART | {"&", "&mut"} or right[0] in SMART | {"&", "&mut"}:
        return True
    numbers = INTEGERS | {"{integer}", "char"}
    if left[0] in numbers and right[0] in numbers:
        return True
    return not clash(left, right, True)


def show(type_: Type) -> str:
    """The type as Rust writes it."""
    head, args = type_[0], type_[1:]
    inner = [show(arg) for arg in args]
    if head in ("&", "&mut"):
        return f"{head} {inner[0]}".replace("& ", "&")
    if head == "[]":
        return f"[{inner[0]}]"
    if head == "[;]":
        return f"[{inner[0]}; _]"
    if head == "(,)":
        return f"({', '.join(inner)})"
    if head == "?":
        return "_"
    return f"{head}<{', '.join(inner)}>" if inner else str(head)
