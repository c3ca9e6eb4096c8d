"""The report as plain text for a terminal or a pipe: no colours, no cursor movement."""

from __future__ import annotations

import textwrap

from verulaw_gate.report import formatting
from verulaw_gate.report.grid import grid
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
        lines += [
            "",
            f"{len(section.checks)} sums checked: all add up (the other formats list them)",
        ]
    return lines


def _facts(facts: tuple[tuple[str, str], ...], width: int) -> list[str]:
    label_width = max((len(label) for label, _ in facts), default=0)
    lines: list[str] = []
    for label, value in facts:
        lines += _hanging(f"{label:<{label_width}}  ", value, width)
    return lines


def _table(table: Table, width: int) -> list[str]:
    lines = textwrap.wrap(table.title, width)
    if table.question:
        lines += textwrap.wrap(table.question, width, initial_indent="  ", subsequent_indent="  ")
    if table.rows:
        lines += [f"  {line}".rstrip() for line in grid(table, width - 2)]
    else:
        lines.append(f"  {table.empty}")
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
