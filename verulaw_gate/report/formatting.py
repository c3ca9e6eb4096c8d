"""How cells are written, the same in every format."""

from __future__ import annotations

from verulaw_gate.report.model import Cell, Figure
from verulaw_gate.report.statistics import Interval, Share

NO_DATA = "no data"


def percent(value: float) -> str:
    """A share as a percentage with one digit, without a sign for -0."""
    return f"{100 * value + 0.0:.1f} %"


def share(value: Share) -> str:
    """`k/n  p % [low, high]`, the interval being Wilson 95 %."""
    interval = value.wilson
    if value.value is None or interval is None:
        return f"{value.k}/{value.n} {NO_DATA}"
    return f"{value.k}/{value.n} {percent(value.value)} {percent_interval(interval)}"


def percent_interval(interval: Interval) -> str:
    """`[low, high]` in per cent."""
    return f"[{100 * interval.low:.1f}, {100 * interval.high:.1f}]"


def figure(value: Figure) -> str:
    """A number with its unit and interval."""
    if value.value is None:
        return NO_DATA
    unit = f" {value.unit}" if value.unit else ""
    if value.unit == "%":
        text = f"{100 * value.value + 0.0:.{value.digits}f} %"
    else:
        text = f"{value.value + 0.0:.{value.digits}f}{unit}"
    if value.interval is not None:
        scale = 100 if value.unit == "%" else 1
        low, high = scale * value.interval.low, scale * value.interval.high
        text += f" [{low + 0.0:.{value.digits}f}, {high + 0.0:.{value.digits}f}]"
    if value.n is not None:
        text += f" (n = {value.n})"
    return text


def cell(value: Cell) -> str:
    """Any cell as one line of text."""
    if value is None:
        return ""
    if isinstance(value, Share):
        return share(value)
    if isinstance(value, Figure):
        return figure(value)
    return str(value)


def is_number(value: Cell) -> bool:
    """Whether a cell is set to the right."""
    return isinstance(value, int | Share | Figure)
