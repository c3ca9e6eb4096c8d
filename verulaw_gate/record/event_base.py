"""What several kinds of events are made of. The words are defined in `record.events`."""

from __future__ import annotations

from enum import StrEnum

from pydantic import BaseModel, ConfigDict

from verulaw_gate.codes import Family, Severity


class Part(BaseModel):
    """A frozen record without unknown fields: a misspelt field is an error, not silence."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Form(StrEnum):
    """What the gate looked at: the raw trace (protocol findings included) or a source file."""

    TRACE = "trace"
    SOURCE = "source"


class LayerRow(Part):
    """One gate layer and whether it ran; one that did not never counts as "nothing found"."""

    name: str
    ran: bool
    reason: str = ""


class FindingRow(Part):
    """One finding. `line`/`column` are places in the text that was checked (`GateDecision.form`);
    `source_line` is the line in the candidate file where that is known, for matching with Verus
    diagnostics; None where it is not."""

    code: str
    name: str
    family: Family
    severity: Severity
    message: str
    line: int | None = None
    column: int | None = None
    source_line: int | None = None


class DiagnosticRow(Part):
    """One diagnostic of Verus; line and column of its primary span, None where it has none."""

    level: str = "error"
    code: str | None = None
    message: str
    line: int | None = None
    column: int | None = None
