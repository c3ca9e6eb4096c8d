"""Events of a generation and what was said to the model. The words are defined in
`record.events`."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from verulaw_gate.monitor.model import CorrectionMode
from verulaw_gate.record.event_base import Part


class Generation(Part):
    """One model answer. `text_sha256` keys the raw answer in the store's texts (None: the log has
    no raw text, so nothing can be said of protocols). `trace`: the name of a designed trace.
    `prompts`: requests made for it, continuations included; `http_retries` are not generations.
    `prompt_chars`: their characters together, each with the text so far that it repeats;
    `answer_chars`: what the model wrote to all of them, dropped text included. `chars` is the
    length of the raw answer alone, and `lead_chars` how much of that we wrote, because the model
    was asked for one state at a time (mode eager; else 0).
    Tokens as the provider counts them, `seconds` from request to last chunk, `cost_usd` from the
    configured prices; None where not known. `stop_reason` as the provider gives it.
    `stopped_early_at`: offset at which our side cut the stream, None when it did not; then
    `unread_tokens` is the most that might still have come (the token limit less what was read: an
    upper bound, not a measurement). `final_text_sha256`: the answer as it stands in the
    conversation after corrections and continuations, None where that is the raw one.
    `prompt_sha256`: the first prompt of the episode (JSON: system, messages), with its first
    generation only; later prompts follow from it, the answers and the feedback.
    `estimated_tokens`: our estimate of prompt and answer where the provider did not count all of
    them; budgets use it, tables don't. A cost may rest on it: then the token figures are None.
    An answer that a budget or a failing endpoint cut off has the text that arrived of it, all that
    the model wrote, continuations included; it is not judged.
    """

    kind: Literal["generation"] = "generation"
    v: Literal[1] = 1
    text_sha256: str | None = None
    final_text_sha256: str | None = None
    prompt_sha256: str | None = None
    chars: int | None = None
    trace: str | None = None
    origin: str = ""
    prompts: int | None = None
    http_retries: int | None = None
    prompt_chars: int | None = None
    answer_chars: int | None = None
    lead_chars: int | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    estimated_tokens: int | None = None
    seconds: float | None = None
    cost_usd: float | None = None
    stop_reason: str | None = None
    stopped_early_at: int | None = None
    unread_tokens: int | None = None


class CorrectionIssued(Part):
    """A correction given to the model. `ordinal` counts those of the generation from 0. `cause`:
    the code that made it due. `mode` None: a gate message rather than a protocol correction.
    `hand_over`: the environment state that was due instead."""

    kind: Literal["correction"] = "correction"
    v: Literal[1] = 1
    ordinal: int
    cause: str
    mode: CorrectionMode | None
    append_chars: int = 0
    hand_over: str | None = None
    with_fix: bool = False


class CorrectionOutcome(Part):
    """What became of a correction, stored by the generation in which it showed (the same one for
    prefix continuations, a later one for feedback). None: not observed, never False.
    `next_state_legal`: the next marker the model wrote was legal; `run_complete`: the run then
    completed; `verified`: the candidate of that run verified."""

    kind: Literal["correction-outcome"] = "correction-outcome"
    v: Literal[1] = 1
    of_generation: int
    of_ordinal: int
    next_state_legal: bool | None = None
    run_complete: bool | None = None
    verified: bool | None = None


class FeedbackSource(StrEnum):
    """Who spoke to the model after the generation."""

    VERUS = "verus"
    GATE = "gate"
    MONITOR = "monitor"
    RANDOM = "random"


class Feedback(Part):
    """What the model was told after the generation; no event: it was told nothing."""

    kind: Literal["feedback"] = "feedback"
    v: Literal[1] = 1
    source: FeedbackSource
    chars: int
    text_sha256: str | None = None
    codes: tuple[str, ...] = ()


class ActionRow(Part):
    """One action of an agent: the tool, the length of what it was asked, and what became of it
    (returned, failed, timed-out)."""

    tool: str
    argument_chars: int
    status: str


class ActionGroup(Part):
    """The actions that an agent's tools ran before the environment answered with `state`, in the
    order of the plan. `chosen`: `summary` or `raw`, by `rule`: `score` (the length-normalised
    log-probabilities, given), `setting`, or `failed` (the summary could not be made, `reason`);
    all None where there was nothing to choose. No tool of a measured loop runs Verus."""

    kind: Literal["action-group"] = "action-group"
    v: Literal[1] = 1
    state: str
    actions: tuple[ActionRow, ...] = ()
    rule: str | None = None
    chosen: str | None = None
    summary_score: float | None = None
    raw_score: float | None = None
    reason: str = ""


class LabelStage(StrEnum):
    """The stage of which a label speaks."""

    PROTOCOL = "protocol"
    GATE = "gate"
    VERUS = "verus"


class LabelAgreement(Part):
    """A designed trace's label for one stage and what came out. `agrees` None: not applicable
    (`reason`: the stage has no say here, or the label names no class)."""

    kind: Literal["label"] = "label"
    v: Literal[1] = 1
    stage: LabelStage
    label: str
    observed: str
    agrees: bool | None
    reason: str = ""


class Disposition(StrEnum):
    """Where a generation's way ended; every generation has exactly one, so the flow sums up.

    no-candidate: the extractor made no file. protocol-rejected, gate-rejected, random-rejected:
    the arm acted on the verdict and nothing went to Verus for the model to hear. reused: a known
    candidate's result was used. executed, recorded: Verus's result is known. unscored: there is no
    result. model-error: the model endpoint failed for good. cut-off: a budget of the episode ended
    first. Those two are no whole answers (`UNFINISHED`), and not judged.
    """

    NO_CANDIDATE = "no-candidate"
    PROTOCOL_REJECTED = "protocol-rejected"
    GATE_REJECTED = "gate-rejected"
    RANDOM_REJECTED = "random-rejected"
    REUSED = "reused"
    EXECUTED = "executed"
    RECORDED = "recorded"
    UNSCORED = "unscored"
    MODEL_ERROR = "model-error"
    CUT_OFF = "cut-off"


UNFINISHED = frozenset({Disposition.MODEL_ERROR, Disposition.CUT_OFF})
"""Where a generation has no whole answer: it is stored, and counts as none."""


class GenerationClosed(Part):
    """The last event of every generation. `seconds`: whole time of the generation on our side."""

    kind: Literal["generation-closed"] = "generation-closed"
    v: Literal[1] = 1
    disposition: Disposition
    seconds: float | None = None
