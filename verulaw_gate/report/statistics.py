"""Shares, differences and odds: the arithmetic of two-by-two tables.

All functions are pure. A figure that has no denominator is `None` ("no data"), never 0. Sources:
Wilson 1927 (score interval, no continuity correction); Newcombe 1998, method 10 (difference of
two independent shares from their Wilson bounds); Haldane 1956 and Anscombe 1956 (one half added
to each cell); McNemar 1947 in its exact binomial form.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Interval:
    """A two-sided interval `[low, high]` at a confidence level, and how it was made."""

    low: float
    high: float
    method: str
    level: float = LEVEL


@dataclass(frozen=True, slots=True)
class Share:
    """`k` of `n`. `value` and `wilson` are None when `n` is 0: there is no data.

    Raises ValueError unless 0 <= k <= n: a share whose parts do not add up is a bug.
    """

    k: int
    n: int

    def __post_init__(self) -> None:
        if not 0 <= self.k <= self.n:
            raise ValueError(f"{self.k} of {self.n} is not a share")

    @property
    def value(self) -> float | None:
        """k/n, from 0 to 1."""
        return self.k / self.n if self.n else None

    @property
    def wilson(self) -> Interval | None:
        """The Wilson 95 % interval."""
        return wilson(self.k, self.n)


@lru_cache(maxsize=4096)
def wilson(k: int, n: int, level: float = LEVEL) -> Interval | None:
    """The Wilson score interval of k successes among n independent trials; None when n is 0.

    Raises ValueError unless 0 <= k <= n.
    """
    from scipy.stats import binomtest

    if not 0 <= k <= n:
        raise ValueError(f"{k} of {n} is not a share")
    if n == 0:
        return None
    found = binomtest(k, n).proportion_ci(confidence_level=level, method="wilson")
    # Rounding may leave 1e-17 where the formula gives exactly 0 or 1.
    low = 0.0 if k == 0 else float(found.low)
    high = 1.0 if k == n else float(found.high)
    return Interval(low, high, "Wilson", level)


@dataclass(frozen=True, slots=True)
class Effect:
    """An estimate with its interval."""

    value: float
    interval: Interval | None


def risk_difference(a: Share, b: Share, level: float = LEVEL) -> Effect | None:
    """share(a) - share(b) of two *independent* samples; None when either has no data."""
    if a.value is None or b.value is None:
        return None
    ia, ib = wilson(a.k, a.n, level), wilson(b.k, b.n, level)
    assert ia is not None
    assert ib is not None
    low = a.value - b.value - math.hypot(a.value - ia.low, ib.high - b.value)
    high = a.value - b.value + math.hypot(ia.high - a.value, b.value - ib.low)
    return Effect(a.value - b.value, Interval(low, high, "Newcombe (Wilson bounds)", level))


def odds_ratio(a: Share, b: Share, level: float = LEVEL) -> Effect | None:
    """odds(a) / odds(b) with one half added to each cell; None when either row has no data.

    The interval is the logit (Woolf) interval on the corrected cells.
    """
    from scipy.special import ndtri

    if not a.n or not b.n:
        return None
    cells = (a.k + 0.5, a.n - a.k + 0.5, b.k + 0.5, b.n - b.k + 0.5)
    log_or = math.log(cells[0] * cells[3] / (cells[1] * cells[2]))
    half = float(ndtri(0.5 + level / 2)) * math.sqrt(sum(1 / c for c in cells))
    interval = Interval(
        math.exp(log_or - half), math.exp(log_or + half), "logit, Haldane-Anscombe", level
    )
    return Effect(math.exp(log_or), interval)


@dataclass(frozen=True, slots=True)
class McNemar:
    """Paired yes/no outcomes. `only_first`, `only_second`: the discordant pairs; `p`: exact
    two-sided binomial, None when no pair is discordant (the test then has no data)."""

    both: int
    only_first: int
    only_second: int
    neither: int
    p: float | None

    @property
    def pairs(self) -> int:
        """The number of pairs."""
        return self.both + self.only_first + self.only_second + self.neither


def mcnemar(pairs: Iterable[tuple[bool, bool]]) -> McNemar:
    """The exact McNemar test on independent pairs (first outcome, second outcome).

    Pairs are independent only if each task gives one: the caller sees to it.
    """
    from scipy.stats import binomtest

    counts = {(True, True): 0, (True, False): 0, (False, True): 0, (False, False): 0}
    for first, second in pairs:
        counts[bool(first), bool(second)] += 1
    only_first, only_second = counts[True, False], counts[False, True]
    discordant = only_first + only_second
    p = float(binomtest(only_first, discordant, 0.5).pvalue) if discordant else None
    return McNemar(counts[True, True], only_first, only_second, counts[False, False], p)
