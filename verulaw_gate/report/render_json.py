"""The report as JSON (format `verulaw-gate/report/1`, described in docs/statistics.md)."""

from __future__ import annotations

import json
from typing import Any

from verulaw_gate.report.model import Cell, Figure, Headline, Plot, Report, Section, Table
from verulaw_gate.report.statistics import Interval, Share

SCHEMA = "verulaw-gate/report/1"


def render_json(report: Report) -> str:
    """The whole report as an indented JSON document. The same report, the same bytes."""
    return json.dumps(as_dict(report), ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def as_dict(report: Report) -> dict[str, Any]:
    """The report as plain lists and dictionaries; figures unrounded, no data as null."""
    return {
        "schema": SCHEMA,
        "title": report.title,
        "facts": dict(report.facts),
        "warnings": list(report.warnings),
        "sections": [_section(section) for section in report.sections],
        "definitions": dict(report.definitions),
    }


def _section(section: Section) -> dict[str, Any]:
    return {
        "key": section.key,
        "title": section.title,
        "corpus_kind": section.kind,
        "facts": dict(section.facts),
        "paragraphs": list(section.paragraphs),
        "headlines": {headline.key: _headline(headline) for headline in section.headlines},
        "tables": {table.key: _table(table) for table in section.tables},
        "plots": {plot.key: _plot(plot) for plot in section.plots},
        "checks": list(section.checks),
    }


def _headline(headline: Headline) -> dict[str, Any]:
    return {
        "title": headline.title,
        **_share(headline.share),
        "sentence": headline.sentence,
    }


def _table(table: Table) -> dict[str, Any]:
    return {
        "title": table.title,
        "question": table.question,
        "denominator": table.denominator,
        "excluded": list(table.excluded),
        "notes": list(table.notes),
        "empty": table.empty,
        "columns": list(table.columns),
        "rows": {row.key: [_cell(value) for value in row.cells] for row in table.rows},
    }


def _plot(plot: Plot) -> dict[str, Any]:
    return {
        "title": plot.title,
        "x": plot.x_label,
        "y": plot.y_label,
        "x_max": plot.x_max,
        "series": {series.name: [list(point) for point in series.points] for series in plot.series},
    }


def _cell(value: Cell) -> Any:
    if isinstance(value, Share):
        return _share(value)
    if isinstance(value, Figure):
        return {
            "value": value.value,
            "unit": value.unit,
            "interval": _interval(value.interval),
            "n": value.n,
        }
    return value


def _share(value: Share) -> dict[str, Any]:
    return {"k": value.k, "n": value.n, "value": value.value, "interval": _interval(value.wilson)}


def _interval(interval: Interval | None) -> dict[str, Any] | None:
    if interval is None:
        return None
    return {
        "low": interval.low,
        "high": interval.high,
        "method": interval.method,
        "level": interval.level,
    }
