"""The events of a run: typed, versioned, each with its meaning, unit and what absence means.

Words (used the same way everywhere):

- a *run* is one execution of one configuration over one corpus of one kind;
- an *episode* is one sample of one task under one arm: a loop from the first prompt to its end;
- a *generation* is one model answer. An HTTP retry or a prefix continuation is not a new one;
- a *candidate* is the file that a named extractor makes of a generation;
- a *Verus request* becomes an execution (Verus ran now), a reuse (the same source under the same
  options had a result in this run's cache), recorded (the result was recorded before this run) or
  unscored (there is no result and none was made).

Absence: a field that is `None` was not measured or does not apply; it is left out of every rate
and its count is reported. "Not run" is never 0, False or a made-up outcome. Times are wall-clock
seconds unless a name says otherwise; characters count Python `str` characters; lines and columns
count from 1, offsets from 0.

Events are ordered within their generation by `seq` (the place in the list that was appended).
Generation 0 of an episode holds its `episode-closed`; run events have the empty task and arm.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, TypeAdapter

from verulaw_gate.record.event_base import DiagnosticRow, FindingRow, Form, LayerRow, Part
from verulaw_gate.record.loop_events import (
    ActionGroup,
    ActionRow,
    CorrectionIssued,
    CorrectionOutcome,
    Disposition,
    Feedback,
    FeedbackSource,
    Generation,
    GenerationClosed,
    LabelAgreement,
    LabelStage,
)
from verulaw_gate.record.run_events import (
    Arm,
    ArmKind,
    ArmSettled,
    Budget,
    Corpus,
    Environment,
    EpisodeClosed,
    EpisodeResult,
    RunClosed,
    RunResumed,
    RunStarted,
)
from verulaw_gate.record.verdict_events import (
    Candidate,
    GateDecision,
    Judgement,
    MonitorVerdict,
    Purpose,
    Resolution,
    VerificationDone,
    VerusRequest,
    ViolationRow,
)

__all__ = [
    "EVENT",
    "ActionGroup",
    "ActionRow",
    "Arm",
    "ArmKind",
    "ArmSettled",
    "Budget",
    "Candidate",
    "Corpus",
    "CorrectionIssued",
    "CorrectionOutcome",
    "DiagnosticRow",
    "Disposition",
    "Environment",
    "EpisodeClosed",
    "EpisodeResult",
    "Event",
    "Feedback",
    "FeedbackSource",
    "FindingRow",
    "Form",
    "GateDecision",
    "Generation",
    "GenerationClosed",
    "Judgement",
    "Key",
    "LabelAgreement",
    "LabelStage",
    "LayerRow",
    "MonitorVerdict",
    "Purpose",
    "Resolution",
    "RunClosed",
    "RunResumed",
    "RunStarted",
    "Stored",
    "VerificationDone",
    "VerusRequest",
    "ViolationRow",
]

Event = Annotated[
    RunStarted
    | RunResumed
    | ArmSettled
    | Generation
    | MonitorVerdict
    | Candidate
    | GateDecision
    | VerusRequest
    | VerificationDone
    | Judgement
    | CorrectionIssued
    | CorrectionOutcome
    | Feedback
    | ActionGroup
    | LabelAgreement
    | GenerationClosed
    | EpisodeClosed
    | RunClosed,
    Field(discriminator="kind"),
]
EVENT: TypeAdapter[Event] = TypeAdapter(Event)
"""Reads and writes any event: `EVENT.validate_json(text)`, `event.model_dump_json()`."""


MAX_COUNT = 2**31 - 1
"""Samples, generations and places of events go up to this: PostgreSQL's integer."""


class Key(Part):
    """Where an event belongs. `sample` counts from 0, `generation` from 1; generation 0 is the
    episode itself, the empty task and arm are the run itself."""

    task: str = Field(default="", max_length=200)
    arm: str = Field(default="", max_length=100)
    sample: int = Field(default=0, ge=0, le=MAX_COUNT)
    generation: int = Field(default=0, ge=0, le=MAX_COUNT)


class Stored(Part):
    """An event in its place."""

    key: Key
    seq: int
    event: Event
