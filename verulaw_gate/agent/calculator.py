"""Exact arithmetic on integers and fractions, with bounds on work."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

from verulaw_gate.errors import InputError

MAX_CHARS = 1_000
MAX_BITS = 4_096
MAX_DEPTH = 60
Number = int | Fraction

_BINARY: dict[type[ast.operator], Callable[[Number, Number], Number]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: lambda a, b: Fraction(a) / Fraction(b),
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_BITS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
}
_COMPARE: dict[type[ast.cmpop], Callable[[Number, Number], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


def calculate(text: str) -> str:
    """The value of an expression over integers and decimals: + - * / // % **, bits, comparisons,
    abs, min, max, gcd, lcm. `/` is exact; `//` and `%` round down as Verus's `/` and `%` on int
    do for positive divisors. Raises InputError for anything else, and for values over
    `MAX_BITS` bits.
    """
    if len(text) > MAX_CHARS:
        raise InputError(f"an expression of more than {MAX_CHARS} characters")
    text = text.strip()
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise InputError("not an arithmetic expression", hint="like (3 + 4) * 2**10") from None
    return _shown(_value(tree.body, text, 0))


def _value(node: ast.expr, text: str, depth: int) -> Number:
    if depth > MAX_DEPTH:
        raise InputError("an expression that is nested too deeply")
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return _bounded(node.value)
    if isinstance(node, ast.Constant) and type(node.value) is float:
        return _decimal(ast.get_source_segment(text, node) or "")
    if isinstance(node, ast.UnaryOp):
        inner = _value(node.operand, text, depth + 1)
        if isinstance(node.op, ast.USub):
            return -inner
        if isinstance(node.op, ast.UAdd):
            return inner
        if isinstance(node.op, ast.Invert):
            return ~_whole(inner)
    if isinstance(node, ast.BinOp):
        return _binary(node, *(_value(n, text, depth + 1) for n in (node.left, node.right)))
    if isinstance(node, ast.Compare):
        return _compare(node, text, depth)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        return _call(node.func.id, [_value(a, text, depth + 1) for a in node.args])
    raise InputError(
        f"{type(node).__name__} is not arithmetic",
        hint="numbers, + - * / // % **, & | ^ ~ << >>, comparisons, abs, min, max, gcd, lcm",
    )


def _decimal(literal: str) -> Number:
    """A decimal as it is written: a float would round it."""
    try:
        value = Decimal(literal)
    except ArithmeticError:
        value = None
    if value is None or abs(value.adjusted()) > MAX_BITS:
        raise InputError(f"a value of more than {MAX_BITS} bits")
    return _bounded(Fraction(value))


def _binary(node: ast.BinOp, left: Number, right: Number) -> Number:
    kind = type(node.op)
    if kind in (ast.Div, ast.FloorDiv, ast.Mod) and right == 0:
        raise InputError("division by zero")
    if kind is ast.Pow:
        return _power(left, right)
    if kind in _BITS:
        a, b = _whole(left), _whole(right)
        if kind in (ast.LShift, ast.RShift) and not 0 <= b <= MAX_BITS:
            raise InputError(f"a shift by {b}", hint=f"0 to {MAX_BITS}")
        return _bounded(_BITS[kind](a, b))
    if kind in _BINARY:
        return _bounded(_BINARY[kind](left, right))
    raise InputError(f"{kind.__name__} is not arithmetic")


def _power(base: Number, exponent: Number) -> Number:
    power = _whole(exponent)
    if base == 0 and power < 0:
        raise InputError("division by zero")
    if abs(power) * max(1, _bits(base)) > MAX_BITS:
        raise InputError(f"a power of more than {MAX_BITS} bits")
    result = Fraction(base) ** power
    return _bounded(Fraction(result))


def _compare(node: ast.Compare, text: str, depth: int) -> Number:
    values = [_value(v, text, depth + 1) for v in (node.left, *node.comparators)]
    for op, a, b in zip(node.ops, values, values[1:], strict=False):
        if type(op) not in _COMPARE:
            raise InputError(f"{type(op).__name__} is not arithmetic")
        if not _COMPARE[type(op)](a, b):
            return False
    return True


def _call(name: str, values: list[Number]) -> Number:
    if name == "abs" and len(values) == 1:
        return values[0] if values[0] >= 0 else -values[0]
    if name == "min" and values:
        return min(values, key=Fraction)
    if name == "max" and values:
        return max(values, key=Fraction)
    if name in ("gcd", "lcm") and values:
        whole = [_whole(v) for v in values]
        return _bounded(math.gcd(*whole) if name == "gcd" else math.lcm(*whole))
    raise InputError(f"no function {name} of {len(values)} values", hint="abs, min, max, gcd, lcm")


def _whole(value: Number) -> int:
    if value != int(value):
        raise InputError(f"{value} is not an integer")
    return int(value)


def _bits(value: Number) -> int:
    return max(Fraction(value).numerator.bit_length(), Fraction(value).denominator.bit_length())


def _bounded(value: Number) -> Number:
    if _bits(value) > MAX_BITS:
        raise InputError(f"a value of more than {MAX_BITS} bits")
    if isinstance(value, Fraction) and value.denominator == 1:
        return int(value)
    return value


def _shown(value: Number) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    about = Decimal(value.numerator) / Decimal(value.denominator)
    return f"{value.numerator}/{value.denominator} (about {about:.12g})"
