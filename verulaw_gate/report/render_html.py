"""The report as one HTML file that loads nothing: no scripts, no fonts, no network."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from verulaw_gate.report import formatting, svg
from verulaw_gate.report.model import Cell, Figure, Plot, Report
from verulaw_gate.report.statistics import Share

if TYPE_CHECKING:
    from jinja2 import Template
    from markupsafe import Markup


def render_html(report: Report) -> str:
    """The whole report as an HTML document. The same report, the same bytes."""
    return _template().render(report=report) + "\n"


@lru_cache(maxsize=1)
def _template() -> Template:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("verulaw_gate.report", ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["cell"] = _cell
    environment.filters["share"] = _share
    environment.filters["plot"] = _plot
    environment.tests["share"] = lambda value: isinstance(value, Share)
    environment.tests["numeric"] = formatting.is_number
    return environment.get_template("report.html.j2")


def _cell(value: Cell) -> Markup:
    from markupsafe import Markup, escape

    if isinstance(value, Share):
        return _share(value)
    if isinstance(value, Figure) and value.value is None:
        return Markup('<span class="none">no data</span>')
    return escape(formatting.cell(value))


def _share(value: Share) -> Markup:
    from markupsafe import Markup

    interval = value.wilson
    if value.value is None or interval is None:
        return Markup('<span class="kn">{}/{}</span> <span class="none">no data</span>').format(
            value.k, value.n
        )
    return Markup(
        '<span class="kn">{}/{}</span> <span class="pct">{}</span> <span class="ci">{}</span> {}'
    ).format(
        value.k,
        value.n,
        formatting.percent(value.value),
        formatting.percent_interval(interval),
        Markup(svg.interval_bar(value)),
    )


def _plot(plot: Plot) -> Markup:
    from markupsafe import Markup

    return Markup(svg.step_plot(plot))
