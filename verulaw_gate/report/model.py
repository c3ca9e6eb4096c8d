"""What a report is made of: sections, headlines, tables of typed cells, plots.

Renderers turn these into text; nothing here knows a format. A cell keeps its numerator and
denominator up to the last moment, so that no renderer can print a rate without them.
"""

from __future__ import annotations

from dataclasses import dataclass

from verulaw_gate.report.statistics import Interval, Share


@dataclass(frozen=True, slots=True)
class Figure:
    """A number with a unit ("s", "calls" ...) and perhaps an interval. `value` None: no data.

    `n` is how many observations it is made of, where that is not said elsewhere in its row.
    """

    value: float | None
    unit: str = ""
    interval: Interval | None = None
    digits: int = 2
    n: int | None = None


# None is an empty cell (does not apply); a figure that could not be had is Figure(None) or a
# Share of 0, which print as "no data".
Cell = str | int | Share | Figure | None


@dataclass(frozen=True, slots=True)
class Row:
    """One row. `key` is stable and names the row in the JSON report; `total` marks a sum."""

    key: str
    cells: tuple[Cell, ...]
    total: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """One table. `denominator` says in words what is counted; `excluded` what was left out and
    why; `empty` what it means when there are no rows. Raises ValueError when a row does not fit
    the columns or a key comes twice."""

    key: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    denominator: str
    question: str = ""
    excluded: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    empty: str = "no data"

    def __post_init__(self) -> None:
        keys = [row.key for row in self.rows]
        if len(set(keys)) != len(keys):
            raise ValueError(f"table {self.key} has two rows of one key")
        if any(len(row.cells) != len(self.columns) for row in self.rows):
            raise ValueError(f"table {self.key} has a row that does not fit its columns")

    def row(self, key: str) -> Row:
        """The row of a key. Raises KeyError when there is none."""
        for row in self.rows:
            if row.key == key:
                return row
        raise KeyError(f"{self.key} has no row {key}")


@dataclass(frozen=True, slots=True)
class Headline:
    """One figure to be read first, with the sentence that says what it means."""

    key: str
    title: str
    share: Share
    sentence: str


@dataclass(frozen=True, slots=True)
class Series:
    """One line of a plot: steps that hold from each x to the next."""

    name: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Plot:
    """A step plot of shares (y from 0 to 1). Only HTML draws it; its numbers are in a table."""

    key: str
    title: str
    x_label: str
    y_label: str
    series: tuple[Series, ...]
    x_max: float


@dataclass(frozen=True, slots=True)
class Section:
    """One corpus or one comparison. Figures of different corpus kinds never share a section.
    `facts` are (label, value) pairs on what was run with what; `checks` the sums that were
    checked, in words."""

    key: str
    title: str
    kind: str
    facts: tuple[tuple[str, str], ...] = ()
    paragraphs: tuple[str, ...] = ()
    headlines: tuple[Headline, ...] = ()
    tables: tuple[Table, ...] = ()
    plots: tuple[Plot, ...] = ()
    checks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """A whole report. `facts` are (label, value) pairs on the report as a whole; `definitions`
    (term, meaning) pairs of every term that the tables use."""

    title: str
    facts: tuple[tuple[str, str], ...]
    sections: tuple[Section, ...]
    definitions: tuple[tuple[str, str], ...]
    warnings: tuple[str, ...] = ()

    def section(self, key: str) -> Section:
        """The section of a key. Raises KeyError when there is none."""
        for section in self.sections:
            if section.key == key:
                return section
        raise KeyError(f"the report has no section {key}")
