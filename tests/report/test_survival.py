"""Restricted means and solved-within-k against published data and direct averages."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verulaw_gate.report.survival import Curve, Duration, Ending, common_tau, curve

S, C, X = Ending.SUCCESS, Ending.CENSORED, Ending.CHEAT


def test_the_6mp_arm_of_freireich_1963():
    """Remission times as printed in Cox and Oakes 1984; S(t) as in Kleinbaum and Klein."""
    events = [6, 6, 6, 7, 10, 13, 16, 22, 23]
    censored = [6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35]
    found = curve([Duration(t, S) for t in events] + [Duration(t, C) for t in censored])
    published = {6: 0.8571, 7: 0.8067, 10: 0.7529, 13: 0.6902, 16: 0.6275, 22: 0.5378, 23: 0.4482}
    assert {t: round(s, 4) for t, s in zip(found.times, found.survival, strict=True)} == published
    assert found.at(5.9) == 1.0
    assert found.at(24) == pytest.approx(0.4482, abs=1e-4)
    assert found.at(36) is None
    assert found.restricted_mean(36) is None
    # Area of the seven rectangles up to 23, by hand from the published steps.
    area = 6 + 0.8571 + 3 * 0.8067 + 3 * 0.7529 + 3 * 0.6902 + 6 * 0.6275 + 0.5378
    assert found.restricted_mean(23) == pytest.approx(area, abs=2e-3)


def product_limit(loops: list[Duration], at: float) -> float:
    """Kaplan-Meier by its definition, one factor a time."""
    left = 1.0
    for time in sorted({d.time for d in loops if d.ending is S and d.time <= at}):
        risk = sum((d.budget if d.ending is X else d.time) >= time for d in loops)
        left *= 1 - sum(d.ending is S and d.time == time for d in loops) / risk
    return left


loops = st.lists(
    st.builds(
        lambda t, ending: Duration(t, ending, 6),
        st.integers(1, 6),
        st.sampled_from([S, C, X]),
    ),
    min_size=1,
    max_size=12,
)


@given(loops)
@settings(deadline=None)
def test_the_curve_is_the_product_limit_and_its_area_the_restricted_mean(found_loops):
    found = curve(found_loops)
    tau = int(found.follow_up)
    for k in range(tau + 1):
        assert found.at(k) == pytest.approx(product_limit(found_loops, k))
    area = sum(product_limit(found_loops, k) for k in range(tau))
    assert found.restricted_mean(tau) == pytest.approx(area)


@given(st.lists(st.tuples(st.integers(1, 6), st.sampled_from([S, X])), min_size=1, max_size=12))
@settings(deadline=None)
def test_without_early_censoring_it_is_the_plain_mean_and_plain_share(rows):
    """Every loop ran to its budget of 6, to success, or to a cheat (never a success later)."""
    found = curve([Duration(t, e, 6) for t, e in rows])
    assert found.follow_up == 6
    for k in range(7):
        plain = sum(e is S and t <= k for t, e in rows) / len(rows)
        assert found.solved_within(k) == pytest.approx(plain)
    cut = [t if e is S else 6 for t, e in rows]
    assert found.restricted_mean(6) == pytest.approx(sum(cut) / len(cut))


def test_a_cheat_is_no_success_and_no_early_end():
    honest = curve([Duration(1, S, 5), Duration(5, C, 5)])
    cheat = curve([Duration(1, S, 5), Duration(1, X, 5)])
    assert cheat.solved_within(5) == honest.solved_within(5) == 0.5
    assert cheat.restricted_mean(5) == honest.restricted_mean(5) == 3.0


def test_no_loops_is_no_data():
    assert curve([]) is None
    assert common_tau([]) is None


def test_all_solved_is_known_up_to_the_budget():
    found = curve([Duration(1, S, 9), Duration(2, S, 9)])
    assert isinstance(found, Curve)
    assert found.follow_up == 9
    assert found.restricted_mean(9) == 1.5


def test_common_tau_is_where_all_curves_are_known():
    one = curve([Duration(3, C, 8), Duration(1, S, 8)])
    two = curve([Duration(8, C, 8)])
    assert common_tau([one, two]) == 3
    assert common_tau([two], budget=5) == 5


def test_a_loop_past_its_budget_is_refused():
    with pytest.raises(ValueError):
        Duration(4, C, 3)
