"""The report: stored events to tables, tables to text. Only what is stored, nothing made up."""

from collections.abc import Callable

from verulaw_gate.report.building import build, from_events
from verulaw_gate.report.checks import ConsistencyError
from verulaw_gate.report.comparison import compare
from verulaw_gate.report.model import Report
from verulaw_gate.report.render_html import render_html
from verulaw_gate.report.render_json import render_json
from verulaw_gate.report.render_markdown import render_markdown
from verulaw_gate.report.render_terminal import render_terminal

RENDERERS: dict[str, Callable[[Report], str]] = {
    "terminal": render_terminal,
    "markdown": render_markdown,
    "json": render_json,
    "html": render_html,
}

__all__ = [
    "RENDERERS",
    "ConsistencyError",
    "Report",
    "build",
    "compare",
    "from_events",
    "render_html",
    "render_json",
    "render_markdown",
    "render_terminal",
]
