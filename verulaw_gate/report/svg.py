"""Small inline drawings: an interval on a scale from 0 to 1, and a step plot."""

from __future__ import annotations

import math
from html import escape

from verulaw_gate.report.model import Plot
from verulaw_gate.report.statistics import Share

BAR_WIDTH, BAR_HEIGHT = 96, 12
PLOT_WIDTH, PLOT_HEIGHT = 720, 300
LEFT, RIGHT, TOP, BOTTOM = 52, 150, 14, 46
COLOURS = 6


def interval_bar(share: Share) -> str:
    """The share as a dot and its Wilson interval as a line; empty when there is no data."""
    interval = share.wilson
    if share.value is None or interval is None:
        return ""
    inner = BAR_WIDTH - 8
    low, at, high = (
        _short(4 + inner * value) for value in (interval.low, share.value, interval.high)
    )
    middle = BAR_HEIGHT // 2
    return (
        f'<svg class="bar" width="{BAR_WIDTH}" height="{BAR_HEIGHT}" aria-hidden="true">'
        f'<line class="scale" x1="4" x2="{BAR_WIDTH - 4}" y1="{middle}" y2="{middle}"/>'
        f'<line class="range" x1="{low}" x2="{high}" y1="{middle}" y2="{middle}"/>'
        f'<circle class="dot" cx="{at}" cy="{middle}" r="3.5"/></svg>'
    )


def step_plot(plot: Plot) -> str:
    """A step plot with axes, grid lines and a legend."""
    width, height = PLOT_WIDTH - LEFT - RIGHT, PLOT_HEIGHT - TOP - BOTTOM

    def x(value: float) -> str:
        return _short(LEFT + width * (value / plot.x_max if plot.x_max else 0.0))

    def y(value: float) -> str:
        return _short(TOP + height * (1 - value))

    parts = [
        f'<svg class="plot" viewBox="0 0 {PLOT_WIDTH} {PLOT_HEIGHT}" role="img" '
        f'aria-label="{escape(plot.title)}">'
    ]
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts.append(
            f'<line class="grid" x1="{LEFT}" x2="{PLOT_WIDTH - RIGHT}" y1="{y(tick)}" '
            f'y2="{y(tick)}"/><text class="tick" x="{LEFT - 8}" y="{y(tick)}" dy="4" '
            f'text-anchor="end">{100 * tick:.0f} %</text>'
        )
    for value in _ticks(plot.x_max):
        parts.append(
            f'<text class="tick" x="{x(value)}" y="{TOP + height + 18}" '
            f'text-anchor="middle">{value:g}</text>'
        )
    parts.append(
        f'<text class="axis" x="{LEFT + width / 2:g}" y="{PLOT_HEIGHT - 8}" '
        f'text-anchor="middle">{escape(plot.x_label)}</text>'
    )
    for number, series in enumerate(plot.series):
        colour = f"c{number % COLOURS}" + (" dashed" if number >= COLOURS else "")
        path = ""
        for at, (px, py) in enumerate(series.points):
            path += f"M{x(px)} {y(py)}" if at == 0 else f"H{x(px)}V{y(py)}"
        parts.append(f'<path class="step {colour}" d="{path}H{x(plot.x_max)}"/>')
        row = TOP + 14 + 18 * number
        parts.append(
            f'<line class="step {colour}" x1="{LEFT + width + 16}" x2="{LEFT + width + 40}" '
            f'y1="{row}" y2="{row}"/>'
            f'<text class="legend" x="{LEFT + width + 46}" y="{row}" dy="4">'
            f"{escape(_brief(series.name))}</text>"
        )
    return "".join([*parts, "</svg>"])


def _brief(name: str) -> str:
    """A name as the legend has room for it; tables have it whole."""
    return name if len(name) <= 16 else f"{name[:15]}…"


def _ticks(top: float) -> list[float]:
    if top <= 0:
        return [0.0]
    step = 10 ** math.floor(math.log10(top))
    for factor in (1, 0.5, 0.2, 0.1):
        if top / (step * factor) >= 4:
            step *= factor
            break
    return [step * i for i in range(int(top / step + 1e-9) + 1)]


def _short(value: float) -> str:
    return f"{value:.1f}"
