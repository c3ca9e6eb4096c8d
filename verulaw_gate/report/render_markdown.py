"""The report as Markdown (GitHub's dialect: pipe tables)."""

from __future__ import annotations

from verulaw_gate.report import formatting
from verulaw_gate.report.model import Cell, Report, Section, Table

_ESCAPES = str.maketrans({c: "\\" + c for c in "\\`*_[]<>|#"} | {"\n": " ", "\r": " "})


def render_markdown(report: Report) -> str:
    """The whole report. The same report, the same bytes."""
    lines = [f"# {_text(report.title)}", ""]
    lines += [f"- **{_text(label)}**: {_text(value)}" for label, value in report.facts]
    for warning in report.warnings:
        lines += ["", f"> **Warning:** {_text(warning)}"]
    for section in report.sections:
        lines += ["", *_section(section)]
    if report.definitions:
        lines += ["", "## Definitions", ""]
        lines += [f"- **{_text(term)}**: {_text(meaning)}" for term, meaning in report.definitions]
    return "\n".join(lines) + "\n"


def _section(section: Section) -> list[str]:
    lines = [f"## {_text(section.title)} ({_text(section.kind)})"]
    if section.facts:
        lines.append("")
    lines += [f"- {_text(label)}: {_text(value)}" for label, value in section.facts]
    for paragraph in section.paragraphs:
        lines += ["", _text(paragraph)]
    if section.headlines:
        lines.append("")
    for headline in section.headlines:
        figure = _text(formatting.share(headline.share))
        lines.append(f"- **{_text(headline.title)}: {figure}.** {_text(headline.sentence)}")
    for table in section.tables:
        lines += ["", *_table(table)]
    if section.checks:
        lines += ["", "### Sums checked", ""]
        lines += [f"- {_text(check)}" for check in section.checks]
    return lines


def _table(table: Table) -> list[str]:
    lines = [f"### {_text(table.title)}"]
    if table.question:
        lines += ["", _text(table.question)]
    lines.append("")
    if table.rows:
        right = [
            all(formatting.is_number(r.cells[at]) or r.cells[at] is None for r in table.rows)
            for at in range(len(table.columns))
        ]
        lines.append(f"| {' | '.join(_text(name) for name in table.columns)} |")
        lines.append("|" + "|".join(" ---: " if number else " --- " for number in right) + "|")
        for row in table.rows:
            cells = [_cell(value, row.total) for value in row.cells]
            lines.append(f"| {' | '.join(cells)} |")
    else:
        lines.append(_text(table.empty))
    lines += ["", f"Counted: {_text(table.denominator)}"]
    lines += [f"<br>Excluded: {_text(text)}" for text in table.excluded]
    lines += [f"<br>Note: {_text(text)}" for text in table.notes]
    return lines


def _cell(value: Cell, total: bool) -> str:
    text = _text(formatting.cell(value))
    return f"**{text}**" if total and text else text


def _text(text: str) -> str:
    return text.translate(_ESCAPES)
