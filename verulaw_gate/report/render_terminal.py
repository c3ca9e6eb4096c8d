"""The report as plain text for a terminal or a pipe: no colours, no cursor movement."""

from __future__ import annotations

import textwrap
from io import StringIO

from verulaw_gate.report import formatting
from verulaw_gate.report.model import Report, Section, Table

WIDTH = 100


def render_terminal(report: Report, width: int = WIDTH) -> str:
    """The whole report as text, at most `width` columns. The same report, the same bytes."""
    lines = [report.title, "=" * len(report.title), ""]
    lines += _facts(report.facts, width)
    for warning in report.warnings:
        lines += _hanging("warning: ", warning, width)
    for section in report.sections:
        lines += ["", *_section(section, width)]
    if report.definitions:
        lines += ["", "Definitions", "-----------"]
        for term, meaning in report.definitions:
            lines += _hanging(f"{term}: ", meaning, width, indent=4)
    return "\n".join(lines) + "\n"


def _section(section: Section, width: int) -> list[str]:
    title = f"{section.title} ({section.kind})"
    lines = [title, "-" * len(title), *_facts(section.facts, width)]
    for paragraph in section.paragraphs:
        lines += textwrap.wrap(paragraph, width)
    for headline in section.headlines:
        lines += _hanging(
            "* ", f"{headline.title}: {formatting.share(headline.share)}", width, indent=2
        )
        lines += textwrap.wrap(
            headline.sentence, width, initial_indent="    ", subsequent_indent="    "
        )
    for table in section.tables:
        lines += ["", *_table(table, width)]
    if section.checks:
        lines += ["", "Sums checked"]
        for check in section.checks:
            lines += _hanging("  ", check, width, indent=4)
    return lines


def _facts(facts: tuple[tuple[str, str], ...], width: int) -> list[str]:
    label_width = max((len(label) for label, _ in facts), default=0)
    lines: list[str] = []
    for label, value in facts:
        lines += _hanging(f"{label:<{label_width}}  ", value, width)
    return lines


def _table(table: Table, width: int) -> list[str]:
    from rich import box
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    lines = textwrap.wrap(table.title, width)
    if table.question:
        lines += textwrap.wrap(table.question, width, initial_indent="  ", subsequent_indent="  ")
    if table.rows:
        grid = RichTable(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1))
        for at, name in enumerate(table.columns):
            right = all(
                formatting.is_number(row.cells[at]) or row.cells[at] is None for row in table.rows
            )
            grid.add_column(Text(name), justify="right" if right else "left")
        for row in table.rows:
            if row.total:
                grid.add_section()
            grid.add_row(*(Text(formatting.cell(value)) for value in row.cells))
        out = StringIO()
        console = Console(
            file=out,
            width=width - 2,
            color_system=None,
            force_terminal=False,
            legacy_windows=False,
            _environ={},
        )
        console.print(grid)
        lines += [f"  {line}".rstrip() for line in out.getvalue().splitlines()]
    else:
        lines.append(f"  {formatting.NO_DATA}")
    lines += _hanging("  counted: ", table.denominator, width, indent=4)
    for text in table.excluded:
        lines += _hanging("  excluded: ", text, width, indent=4)
    for text in table.notes:
        lines += _hanging("  note: ", text, width, indent=4)
    return lines


def _hanging(first: str, text: str, width: int, indent: int | None = None) -> list[str]:
    rest = " " * (len(first) if indent is None else indent)
    wrapped = textwrap.wrap(
        text,
        width,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return wrapped or [first.rstrip()]
