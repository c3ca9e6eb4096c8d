"""Power of the paired t test against G*Power's published figures and simulation."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verulaw_gate.report.power import paired_power, sample_size, sizing


@pytest.mark.parametrize(
    ("dz", "wanted", "tasks", "achieved"),
    # G*Power 3.1, t tests, difference between two dependent means, two tails, alpha 0.05.
    [(0.5, 0.80, 34, 0.8077775), (0.5, 0.95, 54, 0.9502120), (0.2, 0.80, 199, 0.8016910)],
)
def test_sample_sizes_of_gpower(dz, wanted, tasks, achieved):
    found = sample_size(dz, 1.0, wanted)
    assert found.tasks == tasks
    assert found.power == pytest.approx(achieved, abs=1e-6)


def test_power_is_the_share_of_simulated_rejections():
    import numpy as np
    from scipy.stats import ttest_1samp

    draws = np.random.default_rng(5).normal(-0.6, 1.5, size=(20_000, 26))
    rejected = float((ttest_1samp(draws, 0.0, axis=1).pvalue < 0.05).mean())
    assert paired_power(26, -0.6, 1.5) == pytest.approx(rejected, abs=0.012)


@given(st.floats(0.05, 3), st.floats(0.1, 4), st.floats(0.3, 0.97))
@settings(deadline=None, max_examples=40)
def test_the_sample_size_is_the_smallest_that_has_the_power(difference, sd, power):
    found = sample_size(difference, sd, power)
    assert found.power >= power
    if found.tasks > 2:
        assert paired_power(found.tasks - 1, difference, sd) < power
    assert sample_size(-difference, sd, power).tasks == found.tasks


def test_no_difference_is_rejected_at_the_rate_alpha_only():
    assert paired_power(20, 0.0, 1.0, alpha=0.01) == 0.01
    assert paired_power(20, 1e-9, 1.0) == pytest.approx(0.05, abs=1e-6)
    assert sizing(20, 50.0, 1.0).power == 1.0


@pytest.mark.parametrize(
    "arguments", [(1, 1.0, 1.0), (5, 1.0, 0.0), (5, 1.0, 1.0, 0.0), (5, 1.0, 1.0, 1.0)]
)
def test_senseless_plans_are_refused(arguments):
    with pytest.raises(ValueError):
        paired_power(*arguments)


def test_a_hopeless_sample_size_is_refused():
    with pytest.raises(ValueError):
        sample_size(0.0, 1.0)
    with pytest.raises(ValueError, match="more than"):
        sample_size(1e-4, 1.0)
