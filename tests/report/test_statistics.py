"""Shares and two-by-two tables against closed forms and published examples."""

from __future__ import annotations

import math
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verulaw_gate.report.statistics import Share, mcnemar, odds_ratio, risk_difference, wilson

Z = 1.959963984540054
shares = st.integers(0, 400).flatmap(lambda n: st.builds(Share, st.integers(0, n), st.just(n)))


def closed_form(k: int, n: int) -> tuple[float, float]:
    p = k / n
    centre = (p + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = Z / (1 + Z * Z / n) * math.sqrt(p * (1 - p) / n + Z * Z / (4 * n * n))
    return max(0.0, centre - half), min(1.0, centre + half)


@pytest.mark.parametrize(
    ("k", "n", "low", "high"),
    # Newcombe 1998, Statistics in Medicine 17, table I, method 3.
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_gives_the_published_intervals(k, n, low, high):
    found = wilson(k, n)
    assert found is not None
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)


@given(shares)
def test_wilson_is_the_closed_form_and_holds_the_share(share):
    if share.n == 0:
        assert share.wilson is None
        assert share.value is None
        return
    low, high = closed_form(share.k, share.n)
    assert share.wilson.low == pytest.approx(low, abs=1e-12)
    assert share.wilson.high == pytest.approx(high, abs=1e-12)
    assert 0 <= share.wilson.low <= share.value <= share.wilson.high <= 1


@pytest.mark.parametrize(("k", "n"), [(-1, 5), (6, 5), (1, 0), (0, -1)])
def test_a_share_whose_parts_do_not_add_up_is_refused(k, n):
    with pytest.raises(ValueError):
        Share(k, n)
    with pytest.raises(ValueError):
        wilson(k, n)


def test_risk_difference_gives_the_published_interval():
    # Newcombe 1998, Statistics in Medicine 17, table II, method 10, first two contrasts.
    found = risk_difference(Share(56, 70), Share(48, 80))
    assert found.value == pytest.approx(0.2)
    assert round(found.interval.low, 4) == 0.0524
    assert round(found.interval.high, 4) == 0.3339
    found = risk_difference(Share(9, 10), Share(3, 10))
    assert round(found.interval.low, 4) == 0.1705
    assert round(found.interval.high, 4) == 0.8090


@given(shares, shares)
def test_risk_difference_turns_its_sign_with_the_order(a, b):
    forth, back = risk_difference(a, b), risk_difference(b, a)
    if a.n == 0 or b.n == 0:
        assert forth is None
        assert back is None
        return
    assert forth.value == pytest.approx(-back.value)
    assert forth.interval.low == pytest.approx(-back.interval.high)
    assert -1 - 1e-9 <= forth.interval.low <= forth.value <= forth.interval.high <= 1 + 1e-9


@given(shares, shares)
def test_odds_ratio_is_the_corrected_cross_product(a, b):
    found = odds_ratio(a, b)
    if a.n == 0 or b.n == 0:
        assert found is None
        return
    cells = [a.k + 0.5, a.n - a.k + 0.5, b.k + 0.5, b.n - b.k + 0.5]
    expected = (cells[0] / cells[1]) / (cells[2] / cells[3])
    assert found.value == pytest.approx(expected)
    spread = math.exp(Z * math.sqrt(math.fsum(1 / c for c in cells)))
    assert found.interval.low == pytest.approx(expected / spread)
    assert found.interval.high == pytest.approx(expected * spread)


def test_odds_ratio_nears_the_conditional_estimate_of_scipy_for_large_counts():
    from scipy.stats.contingency import odds_ratio as scipy_odds_ratio

    found = odds_ratio(Share(4000, 10_000), Share(3000, 10_000))
    other = scipy_odds_ratio([[4000, 6000], [3000, 7000]], kind="sample")
    interval = other.confidence_interval(0.95)
    assert found.value == pytest.approx(other.statistic, rel=1e-3)
    assert found.interval.low == pytest.approx(interval.low, rel=1e-3)
    assert found.interval.high == pytest.approx(interval.high, rel=1e-3)


def brute_force_mcnemar(discordant: int, first: int) -> float:
    """Two-sided sign test by listing all 2^discordant outcomes."""
    outcomes = [sum(bits) for bits in product((0, 1), repeat=discordant)]
    extreme = abs(first - discordant / 2)
    return sum(abs(o - discordant / 2) >= extreme - 1e-9 for o in outcomes) / len(outcomes)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=14))
def test_mcnemar_counts_every_pair_once_and_is_the_sign_test(pairs):
    found = mcnemar(pairs)
    assert found.pairs == len(pairs)
    assert found.both == pairs.count((True, True))
    assert found.only_first == pairs.count((True, False))
    discordant = found.only_first + found.only_second
    if discordant == 0:
        assert found.p is None
    else:
        assert found.p == pytest.approx(brute_force_mcnemar(discordant, found.only_first))


def test_mcnemar_of_a_textbook_table():
    # Exact two-sided p of 3 against 10 discordant pairs: 2 * sum C(13, i) / 2^13, i = 0..3.
    found = mcnemar([(True, False)] * 3 + [(False, True)] * 10 + [(True, True)] * 5)
    assert found.p == pytest.approx(2 * (1 + 13 + 78 + 286) / 8192)
