"""A finding: what a rule says about a place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from verulaw_gate.codes import CODES, FAMILY_ORDER, PREDICTIVE, Family, Severity
from verulaw_gate.spans import Span


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the characters `[start, end)` of the checked text by `text`."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding of one rule.

    `span` is a place in the text that was checked (None: the text as a whole). `hint` is the
    remedy in one line, written for the author of the proof, model or human. `fix` is the
    mechanical mend, where there is exactly one. The family comes from the code.
    """

    code: str
    message: str
    span: Span | None = None
    severity: Severity = Severity.ERROR
    hint: str = ""
    fix: tuple[Edit, ...] = ()

    @property
    def name(self) -> str:
        """The kebab-case name of the code."""
        return CODES[self.code].name

    @property
    def family(self) -> Family:
        """The family of the code: what a rejection claims."""
        return CODES[self.code].family

    @property
    def predictive(self) -> bool:
        """Whether the finding claims that Verus's front end refuses the file."""
        return self.family in PREDICTIVE

    def with_severity(self, severity: Severity) -> Finding:
        """The same finding with another severity."""
        return replace(self, severity=severity)


def order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings by place, then code: the order in which they are shown."""
    return tuple(sorted(findings, key=lambda f: (f.span.start if f.span else -1, f.code)))


def counted_family(findings: Iterable[Finding]) -> Family | None:
    """The one family under which a rejection is counted: the first in the table's order among
    the findings that reject (severity error); None when none does."""
    families = {f.family for f in findings if f.severity is Severity.ERROR}
    return next((family for family in FAMILY_ORDER if family in families), None)
