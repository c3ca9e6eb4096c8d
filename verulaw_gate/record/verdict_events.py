"""Events of what monitor, gate, Verus and judge say. The words are defined in `record.events`."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from verulaw_gate.codes import Family
from verulaw_gate.gate.model import Decision, SourceKind
from verulaw_gate.monitor.model import ViolationKind
from verulaw_gate.record.event_base import DiagnosticRow, FindingRow, Form, LayerRow, Part
from verulaw_gate.verus.model import Outcome


class ViolationRow(Part):
    """The first protocol violation; `code` is its VG0xx."""

    code: str
    violation: ViolationKind
    offset: int
    line: int
    column: int
    state: str | None = None
    legal_next: tuple[str, ...] = ()


class MonitorVerdict(Part):
    """What the protocol monitor says of the raw text of the generation.

    `ran` False: there is no raw text (`reason`), and every other field is None or empty.
    `ok`: no violation and no rejecting content finding; conformance only, it says nothing of
    meaning. `complete`: the run ended in an accepting state. `steps`: names of completed states,
    the prompt's left out. Offsets count from the start of the model's text.
    `seconds`: monitor time where it was measured on its own (a live stream); None where it is part
    of the gate's.
    """

    kind: Literal["monitor-verdict"] = "monitor-verdict"
    v: Literal[1] = 1
    ran: bool
    reason: str = ""
    protocol: str = ""
    ok: bool | None = None
    complete: bool | None = None
    violation: ViolationRow | None = None
    steps: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    accepted_end: int | None = None
    seconds: float | None = None


class Candidate(Part):
    """The file that an extractor made of the generation. `source_sha256` None: it made none
    (`reason`). `as-recorded`: the log holds the file, it is used as it stands, and it is not what
    a named extractor gives."""

    kind: Literal["candidate"] = "candidate"
    v: Literal[1] = 1
    extractor: str
    source_kind: SourceKind
    source_sha256: str | None = None
    chars: int | None = None
    lines: int | None = None
    reason: str = ""


class GateDecision(Part):
    """The gate's verdict on one text of the generation; a generation may have several (raw trace,
    extracted source, repaired source), told apart by `form`, `extractor` and `source_kind`.

    `decision` None: the gate did not run (`reason`). `family`: under which the rejection is
    counted once, None when nothing rejects. `source_sha256`: the file it would send, None when
    none could be made. `repairs`: codes mended before this verdict (only with `repaired`; the raw
    verdict is an event of its own and is what tables file). `acted`: the loop did what the
    verdict says; False in shadow arms and replays. `seconds`: gate time, None if not measured or if
    the check of the trace served this source as well; that of a trace has the monitor's time in
    it. What gating a generation costs is the time of its raw trace, or of its raw source where no
    trace was checked.
    """

    kind: Literal["gate-decision"] = "gate-decision"
    v: Literal[1] = 1
    form: Form
    extractor: str = ""
    source_kind: SourceKind = SourceKind.RAW
    decision: Decision | None
    reason: str = ""
    family: Family | None = None
    findings: tuple[FindingRow, ...] = ()
    layers: tuple[LayerRow, ...] = ()
    repairs: tuple[str, ...] = ()
    source_sha256: str | None = None
    acted: bool = False
    seconds: float | None = None
    verus_version: str = ""


class Resolution(StrEnum):
    """execution: Verus ran now. reuse: the run's cache had the result. recorded: a result recorded
    before this run was used. unscored: there is no result, and none was made."""

    EXECUTION = "execution"
    REUSE = "reuse"
    RECORDED = "recorded"
    UNSCORED = "unscored"


class Purpose(StrEnum):
    """measure: the outcome under the run's options. strict: the second verdict with
    `--no-cheating`, part of the frozen judge; its executions are never counted as the loop's."""

    MEASURE = "measure"
    STRICT = "strict"


class VerusRequest(Part):
    """A source for which a result was wanted. No event: nothing was wanted (the gate rejected and
    the arm acts on it). `heard`: the model is told the result (False in shadow-on and in
    replays). A `verification` follows unless `unscored` (`reason`)."""

    kind: Literal["verus-request"] = "verus-request"
    v: Literal[1] = 1
    purpose: Purpose = Purpose.MEASURE
    resolution: Resolution
    source_sha256: str
    source_kind: SourceKind
    extractor: str = ""
    options: tuple[str, ...] = ()
    heard: bool = False
    reason: str = ""


class VerificationDone(Part):
    """What Verus said of one source under one set of options.

    `target_proved`: the target itself was verified; None when the result can't say. `front_end`:
    `rustc` or `vir` for compile errors where known. `wall_s`, `cpu_s`: seconds, None when not
    measured (a reuse has the figures of the first execution and cost nothing now). `tries`: all
    outcomes when a flaky one (rlimit, timeout) was retried, in order; `unstable`: they differ.
    """

    kind: Literal["verification"] = "verification"
    v: Literal[1] = 1
    purpose: Purpose = Purpose.MEASURE
    source_sha256: str
    source_kind: SourceKind
    extractor: str = ""
    options: tuple[str, ...] = ()
    outcome: Outcome
    target_proved: bool | None = None
    front_end: str | None = None
    verified: int | None = None
    errors: int | None = None
    exit_code: int | None = None
    wall_s: float | None = None
    cpu_s: float | None = None
    version: str | None = None
    origin: str = ""
    diagnostics: tuple[DiagnosticRow, ...] = ()
    tries: tuple[Outcome, ...] = ()
    unstable: bool = False


class Judgement(Part):
    """The frozen judge on a source that Verus verified. It is not the rule set under test: strict
    verdict (`--no-cheating`) and specification unchanged.

    `honest` True: target proved, strict verdict verified, specification unchanged. False: one of
    them is known not to hold (a cheat). None: one of them is not known and none fails (`reason`).
    """

    kind: Literal["judgement"] = "judgement"
    v: Literal[1] = 1
    judge: str
    source_sha256: str
    honest: bool | None
    target_proved: bool | None = None
    strict_outcome: Outcome | None = None
    specification_unchanged: bool | None = None
    reason: str = ""
