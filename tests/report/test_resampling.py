"""Bootstrap and permutation by task against enumeration and hand-written loops."""

from __future__ import annotations

import random
from itertools import combinations, product
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verulaw_gate.report import resampling
from verulaw_gate.report.resampling import (
    bootstrap_tasks,
    cluster_bootstrap,
    paired_bootstrap,
    within_task_permutation,
)


def loop_bootstrap(rows: list[tuple[int, int]], resamples: int) -> tuple[float, float]:
    rng = random.Random(7)
    values = []
    for _ in range(resamples):
        drawn = [rng.choice(rows) for _ in rows]
        values.append(sum(k for k, _ in drawn) / sum(n for _, n in drawn))
    values.sort()
    return values[int(0.025 * resamples)], values[int(0.975 * resamples) - 1]


def test_cluster_bootstrap_agrees_with_a_loop_of_its_own():
    rows = [(i % 5, 5 + i % 3) for i in range(30)]
    found = cluster_bootstrap({f"t{i}": row for i, row in enumerate(rows)}, resamples=8000)
    low, high = loop_bootstrap(rows, 8000)
    assert found.low == pytest.approx(low, abs=0.015)
    assert found.high == pytest.approx(high, abs=0.015)


def test_cluster_bootstrap_is_wider_than_wilson_when_tasks_differ():
    from verulaw_gate.report.statistics import wilson

    clusters = {f"t{i}": (10 * (i % 2), 10) for i in range(20)}
    found, naive = cluster_bootstrap(clusters), wilson(100, 200)
    assert found.high - found.low > 2 * (naive.high - naive.low)


def test_bootstrap_needs_two_tasks_with_data():
    assert cluster_bootstrap({}) is None
    assert cluster_bootstrap({"a": (1, 2)}) is None
    assert cluster_bootstrap({"a": (1, 2), "b": (0, 0)}) is None
    assert bootstrap_tasks(["a", "a"], lambda names: 1.0) is None


@given(st.dictionaries(st.text("abcdef", min_size=1), st.tuples(st.integers(0, 9), st.just(9))))
@settings(max_examples=20, deadline=None)
def test_order_of_tasks_changes_nothing(clusters):
    turned = dict(reversed(clusters.items()))
    assert cluster_bootstrap(clusters, resamples=200) == cluster_bootstrap(turned, resamples=200)


def test_any_statistic_bootstrap_agrees_with_the_ratio_bootstrap():
    clusters = {f"t{i}": (i % 4, 4) for i in range(24)}

    def ratio(names):
        return sum(clusters[n][0] for n in names) / sum(clusters[n][1] for n in names)

    one = cluster_bootstrap(clusters, resamples=4000)
    two = bootstrap_tasks(list(clusters), ratio, resamples=4000)
    assert two.low == pytest.approx(one.low, abs=0.03)
    assert two.high == pytest.approx(one.high, abs=0.03)


def test_paired_bootstrap_is_the_bootstrap_of_the_difference():
    sides = {f"t{i}": (i % 4, 4, i % 3, 3) for i in range(24)}

    def difference(names):
        a, m, b, n = (sum(sides[x][i] for x in names) for i in range(4))
        return b / n - a / m

    one = paired_bootstrap(sides, resamples=4000)
    two = bootstrap_tasks(list(sides), difference, resamples=4000)
    assert one.low == pytest.approx(two.low, abs=0.03)
    assert one.high == pytest.approx(two.high, abs=0.03)
    assert paired_bootstrap({"a": (1, 1, 1, 1)}) is None


def test_paired_bootstrap_drops_resamples_without_a_side():
    """One of three tasks has the second side: 8 of 27 resamples lack it."""
    sides = {"a": (1, 2, 0, 0), "b": (0, 2, 0, 0), "c": (2, 2, 1, 2)}
    found = paired_bootstrap(sides)
    assert -0.5 <= found.low <= found.high <= 0.5
    lone = {f"t{i}": (1, 1, 0, 0) for i in range(9)}
    assert paired_bootstrap(lone) is None


def test_pairs_that_differ_by_a_constant_have_no_spread():
    sides = {f"t{i}": (5 * i, 5, 5 * i + 10, 5) for i in range(9)}
    assert paired_bootstrap(sides) is None
    assert cluster_bootstrap({f"t{i}": (0, 5) for i in range(9)}) is None


def test_a_statistic_without_a_value_in_most_resamples_gives_no_interval():
    assert bootstrap_tasks(["a", "b", "c"], lambda names: None) is None


def enumerate_permutations(groups) -> float:
    """p by index sets, written without looking at the implementation's sums."""
    tasks = []
    for first, second in groups.values():
        if not first or not second:
            continue
        pool = list(first) + list(second)
        tasks.append(
            [
                sum(pool[i] for i in chosen) / len(first)
                - sum(v for i, v in enumerate(pool) if i not in chosen) / len(second)
                for chosen in combinations(range(len(pool)), len(first))
            ]
        )
    # combinations() yields the original labelling first.
    observed = abs(sum(values[0] for values in tasks) / len(tasks))
    means = [abs(sum(draw) / len(tasks)) for draw in product(*tasks)]
    return sum(m >= observed - 1e-9 for m in means) / len(means)


values = st.lists(st.integers(0, 3), max_size=3)


@given(st.dictionaries(st.sampled_from("abc"), st.tuples(values, values), max_size=3))
@settings(deadline=None)
def test_exact_permutation_is_the_enumeration(groups):
    found = within_task_permutation(groups)
    informative = [g for g in groups.values() if g[0] and g[1]]
    if not informative:
        assert found is None
        return
    assert found.exact
    assert found.tasks == len(informative)
    assert found.p == pytest.approx(enumerate_permutations(groups))


def test_sampled_permutation_nears_the_exact_one(monkeypatch):
    groups = {f"t{i}": ([1, 1, 0], [0, 1, 0]) for i in range(3)}
    exact = within_task_permutation(groups)
    monkeypatch.setattr(resampling, "EXACT_LIMIT", 0)
    sampled = within_task_permutation(groups, resamples=20_000)
    assert exact.exact
    assert not sampled.exact
    assert sampled.p == pytest.approx(exact.p, abs=0.02)
    assert sampled == within_task_permutation(groups, resamples=20_000)


def test_one_task_of_two_extreme_groups_is_the_hypergeometric_tail():
    # 3 ones against 3 zeros: both extremes of C(6,3) labellings.
    found = within_task_permutation({"t": ([1, 1, 1], [0, 0, 0])})
    assert found.p == pytest.approx(2 / comb(6, 3))


def test_groups_that_never_share_a_task_cannot_be_compared():
    assert within_task_permutation({"a": ([1], []), "b": ([], [0])}) is None
