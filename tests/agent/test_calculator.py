"""The calculator against Python's own exact arithmetic, and what it must refuse."""

from __future__ import annotations

import contextlib
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verulaw_gate.agent.calculator import calculate
from verulaw_gate.errors import InputError

_numbers = st.integers(-(10**6), 10**6)


def _tree(depth: int) -> st.SearchStrategy[tuple[str, Fraction | None]]:
    """Expressions with their value (None: a division by zero inside), computed apart."""
    leaf = _numbers.map(lambda n: (f"({n})", Fraction(n)))
    if depth == 0:
        return leaf

    def join(parts):
        op, (a, x), (b, y) = parts
        if x is None or y is None:
            return f"({a} {op} {b})", None
        if op in ("/", "//", "%") and y == 0:
            return f"({a} {op} {b})", None
        value = {
            "+": lambda: x + y,
            "-": lambda: x - y,
            "*": lambda: x * y,
            "/": lambda: x / y,
            "//": lambda: Fraction(x // y),
            "%": lambda: x % y,
        }[op]()
        return f"({a} {op} {b})", value

    inner = _tree(depth - 1)
    return leaf | st.tuples(st.sampled_from(["+", "-", "*", "/", "//", "%"]), inner, inner).map(
        join
    )


@given(_tree(4))
def test_against_fractions(case):
    text, value = case
    if value is None:
        with pytest.raises(InputError, match="zero"):
            calculate(text)
        return
    shown = calculate(text).split(" ")[0]
    assert Fraction(shown) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [("2**64 - 1", str(2**64 - 1)), ("0xff & ~0x0f", "240"), ("1 << 70", str(1 << 70)),
     ("(2**32) % 7 == 4", "true"), ("3 < 2", "false"), ("1 < 2 < 3", "true"), ("-7 // 2", "-4"),
     ("-7 % 2", "1"), ("gcd(12, 18)", "6"), ("lcm(4, 6)", "12"), ("min(3, 1/2)", "1/2 (about 0.5)"),
     ("2**-2", "1/4 (about 0.25)"), ("0.1 + 0.2 == 0.3", "true"), ("1_000", "1000"),
     ("abs(-3)", "3"),
     ("6 / 3", "2"), ("(1/3)**3", "1/27 (about 0.0370370370370)")],
)  # fmt: skip
def test_values(text, value):
    assert calculate(text) == value


@pytest.mark.parametrize(
    "text",
    ["", "x", "__import__('os').system('id')", "().__class__", "open('/etc/passwd')", "[1,2]",
     "lambda: 1", "'a' * 9", "9**9**9**9", "1 << 10**9", "2**5000", "10**1000 * 10**1000", "1/0",
     "1e9999", "1e-9999", "1e99999999999999999999",
     "1e-99999999999999999999",
     "1 % 0", "0**-1", "(" * 500, "-" * 999 + "1", "1 if 1 else 2", "f'{1}'", "1;2",
     "a := 1", "exec('1')", "min()", "gcd(1.5)", "True + 1", "1j", "1 @ 2", "1\0", "1 in 2",
     "max(*[1])", "min(1, key=2)", "2**0.5", "1" * 1001, "not 1", "1 and 2"],
)  # fmt: skip
def test_everything_else_is_one_clear_error(text):
    with pytest.raises(InputError):
        calculate(text)


@given(st.decimals(allow_nan=False, allow_infinity=False, places=25, min_value=0, max_value=10**9))
def test_decimals_are_taken_as_they_are_written(value):
    """A float in between would round them."""
    shown = calculate(f"{value:f}").split(" ")[0]
    assert Fraction(shown) == Fraction(value)
    assert calculate(f"{value:f} + 0.{'0' * 24}1 == {value:f}") == "false"


@given(st.text(max_size=80))
def test_any_text(text):
    with contextlib.suppress(InputError):
        assert calculate(text)
