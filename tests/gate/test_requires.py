"""VG315 speaks only of clauses that no values meet; the oracle tries values."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verulaw_gate.codes import Severity
from verulaw_gate.gate import Gate

OPS = ["<", "<=", ">", ">=", "==", "!="]
TERM = st.sampled_from(["a", "b", "0", "1", "2", "a + 1"])
CHAIN = st.builds(lambda x, o, y, p, z: f"{x} {o} {y} {p} {z}", TERM, st.sampled_from(["<", "<="]),
                  TERM, st.sampled_from(["<", "<="]), TERM)  # fmt: skip
SIMPLE = st.builds(lambda x, o, y: f"{x} {o} {y}", TERM, st.sampled_from(OPS), TERM)
CLAUSE = st.one_of(
    SIMPLE,
    CHAIN,
    SIMPLE.map(lambda c: f"({c})"),
    st.builds(lambda c, d: f"{c} ==> {d}", SIMPLE, SIMPLE),
    st.builds(lambda c, d: f"{c} || {d}", SIMPLE, SIMPLE),
    st.builds(lambda c, d: f"{c} && {d}", SIMPLE, SIMPLE),
    st.sampled_from(["true", "false"]),
)


def meets(clause: str, a: int, b: int) -> bool:
    if "==>" in clause:
        left, right = clause.split("==>")
        return not meets(left, a, b) or meets(right, a, b)
    python = clause.replace("&&", " and ").replace("||", " or ")
    python = python.replace("true", "True").replace("false", "False")
    return bool(eval(python, {}, {"a": a, "b": b}))


def warned(clauses: list[str]) -> bool:
    text = (
        "verus! { proof fn lemma(a: int, b: int) requires "
        + ", ".join(clauses)
        + ", ensures a == b, { } }"
    )
    found = Gate("verus! { }", native=False).check(text).findings
    assert {f.code for f in found} <= {"VG315"}
    assert all(f.severity is Severity.WARNING for f in found)
    return bool(found)


@settings(max_examples=400)
@given(st.lists(CLAUSE, min_size=1, max_size=4))
def test_a_warning_means_that_no_values_meet_the_clauses(clauses: list[str]) -> None:
    if warned(clauses):
        assert not any(
            all(meets(c, a, b) for c in clauses) for a, b in product(range(-3, 5), repeat=2)
        )


@pytest.mark.parametrize(
    "clauses",
    [
        ["false"],
        ["(false)"],
        ["!true"],
        ["1 == 2"],
        ["a < a"],
        ["a != a"],
        ["a < b", "b < a"],
        ["a < b", "b <= a"],
        ["a == b", "a != b"],
        ["a < b && b < a"],
        ["0 <= a < b", "b <= a"],
        ["a > 3 && !(a > 3)"],
        ["p(a)", "!p(a)"],
        ["a >= b", "a < b"],
        ["&&& a < b &&& b < a"],
    ],
)
def test_what_it_sees(clauses: list[str]) -> None:
    assert warned(clauses)


@pytest.mark.parametrize(
    "clauses",
    [
        ["a <= b", "b <= a"],
        ["a > 0 ==> false"],
        ["a > 0 || false"],
        ["!(a > 0 && false)"],
        ["forall|i: int| i < i ==> false"],
        ["f::<int>(a) < 3", "g(a) > 3"],
        ["if a > 0 { false } else { true }"],
        ["a < 3", "a > b"],
        ["p(a)", "!p(b)"],
    ],
)
def test_what_may_hold(clauses: list[str]) -> None:
    assert not warned(clauses)
