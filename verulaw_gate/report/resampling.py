"""Resampling by task: attempts of one task are not independent, tasks are.

Seeds are explicit; the same input and seed give the same figures. Clusters are put in the order
of their names first, so that the order in which a store returns rows changes nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

from verulaw_gate.report.statistics import LEVEL, Interval

SEED = 20231012
RESAMPLES = 2000
EXACT_LIMIT = 20_000
FEW_TASKS = 10


def cluster_bootstrap(
    clusters: Mapping[str, tuple[float, float]],
    *,
    seed: int = SEED,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
) -> Interval | None:
    """Percentile interval of sum(numerator)/sum(denominator), whole tasks drawn with replacement.

    `clusters` maps a task to its (numerator, denominator). Tasks with denominator 0 say nothing
    and are left out. None with fewer than two tasks (there is nothing to resample), and when every
    resample gives the same.
    """
    import numpy as np
    from scipy.stats import bootstrap

    rows = [clusters[name] for name in sorted(clusters) if clusters[name][1] > 0]
    if len(rows) < 2:
        return None
    numerators = np.array([row[0] for row in rows], dtype=float)
    denominators = np.array([row[1] for row in rows], dtype=float)

    def ratio(k: Any, n: Any, axis: int = -1) -> Any:
        return k.sum(axis=axis) / n.sum(axis=axis)

    found = bootstrap(
        (numerators, denominators),
        ratio,
        paired=True,
        vectorized=True,
        n_resamples=resamples,
        batch=_batch(len(rows)),
        confidence_level=level,
        method="percentile",
        rng=np.random.default_rng(seed),
    ).confidence_interval
    return _interval(found.low, found.high, level)


def paired_bootstrap(
    clusters: Mapping[str, tuple[float, float, float, float]],
    *,
    seed: int = SEED,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
) -> Interval | None:
    """Percentile interval of the difference of two ratios, second minus first, tasks drawn with
    replacement and each task's two sides kept together.

    `clusters` maps a task to (numerator, denominator) of the first side and of the second; a task
    may lack a side (denominator 0). Resamples without one of the sides are dropped; None if that
    is more than half, or with fewer than two tasks.
    """
    import numpy as np

    rows = [clusters[name] for name in sorted(clusters)]
    if len(rows) < 2:
        return None
    columns = np.array(rows, dtype=float)
    rng = np.random.default_rng(seed)
    equal = np.full(len(rows), 1 / len(rows))
    kept: list[float] = []
    for start in range(0, resamples, batch := _batch(len(rows))):
        # How often each task is drawn; then the four sums of each resample.
        times = rng.multinomial(len(rows), equal, size=min(batch, resamples - start))
        a, m, b, n = (times @ columns).T
        whole = (m > 0) & (n > 0)
        kept += list(b[whole] / n[whole] - a[whole] / m[whole])
    if 2 * len(kept) < resamples:
        return None
    low, high = np.quantile(kept, [(1 - level) / 2, (1 + level) / 2])
    return _interval(low, high, level)


def _interval(low: float, high: float, level: float) -> Interval | None:
    """The interval; None when every resample gave the same, which is no sign of certainty."""
    if high - low < 1e-12:
        return None
    return Interval(float(low), float(high), "cluster bootstrap by task", level)


def _batch(tasks: int) -> int:
    """Resamples that are drawn at once: as many as fit into some ten megabytes."""
    return max(1, 1_000_000 // tasks)


def bootstrap_tasks(
    tasks: Sequence[str],
    statistic: Callable[[Sequence[str]], float | None],
    *,
    seed: int = SEED,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
) -> Interval | None:
    """Percentile interval of any statistic of a list of tasks, tasks drawn with replacement.

    For statistics that are no plain ratio (restricted means, medians). Resamples in which the
    statistic has no value are dropped; None if that is more than half, or with fewer than two
    tasks.
    """
    import numpy as np

    names = sorted(set(tasks))
    if len(names) < 2:
        return None
    rng = np.random.default_rng(seed)
    draws = rng.integers(0, len(names), size=(resamples, len(names)))
    values = [statistic([names[i] for i in draw]) for draw in draws]
    kept = [v for v in values if v is not None]
    if 2 * len(kept) < resamples:
        return None
    low, high = np.quantile(kept, [(1 - level) / 2, (1 + level) / 2])
    return _interval(low, high, level)


def few_tasks_notes(tasks: int) -> tuple[str, ...]:
    """What is to be said of a bootstrap over so many tasks; nothing when they are enough."""
    if tasks >= FEW_TASKS:
        return ()
    return (f"only {tasks} tasks: bootstraps by task are too narrow with fewer than {FEW_TASKS}",)


@dataclass(frozen=True, slots=True)
class Permutation:
    """A within-task permutation test. `statistic` is the mean over tasks of (mean of the first
    group - mean of the second); `exact`: all relabellings were counted; `tasks` had both groups."""

    statistic: float
    p: float
    exact: bool
    tasks: int


def within_task_permutation(
    groups: Mapping[str, tuple[Sequence[float], Sequence[float]]],
    *,
    seed: int = SEED,
    resamples: int = 10_000,
) -> Permutation | None:
    """Two-sided test that labels are exchangeable within each task.

    `groups` maps a task to the values of its first and second group. Tasks without both groups
    carry no information and are left out; None if none remains. All relabellings are counted when
    there are at most EXACT_LIMIT, otherwise p = (hits + 1) / (resamples + 1).
    """
    kept = [groups[name] for name in sorted(groups) if groups[name][0] and groups[name][1]]
    if not kept:
        return None
    observed = math.fsum(_difference(first, second) for first, second in kept) / len(kept)
    labellings = math.prod(math.comb(len(a) + len(b), len(a)) for a, b in kept)
    if labellings <= EXACT_LIMIT:
        return Permutation(observed, _exact(kept, observed), True, len(kept))
    return Permutation(observed, _sampled(kept, observed, seed, resamples), False, len(kept))


def _difference(first: Sequence[float], second: Sequence[float]) -> float:
    return math.fsum(first) / len(first) - math.fsum(second) / len(second)


def _reaches(value: float, observed: float) -> bool:
    # Equal statistics may differ in the last bits; they must count as "at least as extreme".
    return abs(value) >= abs(observed) - 1e-12


def _exact(kept: Sequence[tuple[Sequence[float], Sequence[float]]], observed: float) -> float:
    per_task: list[list[float]] = []
    for first, second in kept:
        pool = [*first, *second]
        total = math.fsum(pool)
        values = []
        for chosen in combinations(pool, len(first)):
            part = math.fsum(chosen)
            values.append(part / len(first) - (total - part) / len(second))
        per_task.append(values)
    hits = count = 0
    for combination in product(*per_task):
        count += 1
        hits += _reaches(math.fsum(combination) / len(kept), observed)
    return hits / count


def _sampled(
    kept: Sequence[tuple[Sequence[float], Sequence[float]]],
    observed: float,
    seed: int,
    resamples: int,
) -> float:
    import numpy as np

    rng = np.random.default_rng(seed)
    total = np.zeros(resamples)
    for first, second in kept:
        pool = np.array([*first, *second], dtype=float)
        shuffled = rng.permuted(np.tile(pool, (resamples, 1)), axis=1)
        part = shuffled[:, : len(first)].sum(axis=1)
        total += part / len(first) - (pool.sum() - part) / len(second)
    hits = int(np.count_nonzero(np.abs(total / len(kept)) >= abs(observed) - 1e-12))
    return (hits + 1) / (resamples + 1)
