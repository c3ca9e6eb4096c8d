"""Power of a paired comparison: how many tasks a plan needs.

The pair is the task: one difference (second arm minus first) a task. Two-sided paired t test,
noncentral t (as G*Power's "difference between two dependent means"), not the normal
approximation, which is too hopeful for the few tens of tasks that a plan can afford.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

MAX_TASKS = 100_000


@dataclass(frozen=True, slots=True)
class Sizing:
    """What a plan assumed and what follows: `difference` and `sd` are in the endpoint's unit (a
    task's mean difference and the standard deviation of these over tasks)."""

    tasks: int
    difference: float
    sd: float
    alpha: float
    power: float


def paired_power(tasks: int, difference: float, sd: float, alpha: float = 0.05) -> float:
    """Probability that the test rejects when the true mean difference is `difference`.

    Raises ValueError with fewer than two tasks, sd <= 0 or alpha outside (0, 1).
    """
    from scipy.stats import nct, t

    if tasks < 2 or sd <= 0 or not 0 < alpha < 1:
        raise ValueError("power needs two tasks or more, sd > 0 and 0 < alpha < 1")
    if difference == 0:
        return alpha
    freedom = tasks - 1
    shift = abs(difference) / sd * math.sqrt(tasks)
    critical = float(t.isf(alpha / 2, freedom))
    if shift > 37.0:
        # nct loses its tail to underflow here; the power is 1 to 15 digits.
        return 1.0
    upper = float(nct.sf(critical, freedom, shift))
    lower = float(nct.cdf(-critical, freedom, shift))
    return min(1.0, upper + (lower if math.isfinite(lower) else 0.0))


def sample_size(difference: float, sd: float, power: float = 0.8, alpha: float = 0.05) -> Sizing:
    """The smallest number of tasks with at least this power.

    Raises ValueError when the difference is 0, the power is not in (alpha, 1), or more than
    MAX_TASKS tasks would be needed.
    """
    if difference == 0 or not alpha < power < 1:
        raise ValueError("a sample size needs a difference other than 0 and alpha < power < 1")
    low, high = 1, 2
    while paired_power(high, difference, sd, alpha) < power:
        low, high = high, high * 2
        if low >= MAX_TASKS:
            raise ValueError(f"more than {MAX_TASKS} tasks would be needed")
    while high - low > 1:
        middle = (low + high) // 2
        if paired_power(middle, difference, sd, alpha) < power:
            low = middle
        else:
            high = middle
    return Sizing(high, difference, sd, alpha, paired_power(high, difference, sd, alpha))


def sizing(tasks: int, difference: float, sd: float, alpha: float = 0.05) -> Sizing:
    """The power of a plan with a fixed number of tasks."""
    return Sizing(tasks, difference, sd, alpha, paired_power(tasks, difference, sd, alpha))
