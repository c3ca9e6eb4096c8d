"""What the gate says."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from verulaw_gate.codes import Family
from verulaw_gate.findings import Finding, counted_family

if TYPE_CHECKING:  # `check` on a file needs neither, and starts faster without
    from verulaw_gate.monitor.model import Verdict
    from verulaw_gate.tasks.model import Assembly


class Decision(StrEnum):
    """accepted: may go to Verus; it says nothing about meaning. rejected: not sent. reused: the
    same candidate already has a result."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    REUSED = "reused"


class SourceKind(StrEnum):
    """Which kind of source a verdict is about."""

    RAW = "raw"
    ACCEPTED_PREFIX = "accepted-prefix"
    REPAIRED = "repaired"


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer of rules and whether it ran. A layer that did not run is said, with the reason;
    it never counts as "nothing found"."""

    name: str
    ran: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Repair:
    """What repair changed: the code it mended and one line about it. Never proof text."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class GateResult:
    """The decision on one text.

    `source` is the file that would go to Verus: None when none could be made. Findings are about
    places in `text_name`-text: the trace for traces, the file for files. `raw` is the decision
    before repair (None when repair changed nothing): tables file the raw one.
    """

    decision: Decision
    findings: tuple[Finding, ...]
    source: str | None
    layers: tuple[Layer, ...] = ()
    verdict: Verdict | None = None
    assembly: Assembly | None = None
    source_kind: SourceKind = SourceKind.RAW
    repairs: tuple[Repair, ...] = ()
    raw: GateResult | None = None
    verus_version: str = ""

    @property
    def family(self) -> Family | None:
        """The family under which a rejection is counted once."""
        return counted_family(self.findings)

    @property
    def accepted(self) -> bool:
        """Whether the source may go to Verus."""
        return self.decision is Decision.ACCEPTED
