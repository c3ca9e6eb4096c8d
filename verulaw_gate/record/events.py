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

from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from verulaw_gate.codes import Family, Severity
from verulaw_gate.gate.model import Decision, SourceKind
from verulaw_gate.monitor.model import CorrectionMode, ViolationKind
from verulaw_gate.verus.model import Outcome


class Corpus(StrEnum):
    """designed: written to show labels, so only label agreement is reported, no rates. recorded:
    a loop that ran without us. live: a loop that ran under one of our arms. Never mixed."""

    DESIGNED = "designed"
    RECORDED = "recorded"
    LIVE = "live"


class ArmKind(StrEnum):
    """What is done with a generation.

    off: a named lenient extractor, all to Verus. on: rejected generations get a correction or
    message instead of Verus. shadow-off: the model hears Verus, the gate only judges. shadow-on:
    the model hears the gate, Verus runs silently. cache: off, but a candidate that already has a
    result is not sent again. random: a rejecter that knows nothing, at a stated rate. replay:
    recorded or designed attempts are judged afterwards; nothing is sent to a model.
    """

    OFF = "off"
    ON = "on"
    SHADOW_OFF = "shadow-off"
    SHADOW_ON = "shadow-on"
    CACHE = "cache"
    RANDOM = "random"
    REPLAY = "replay"


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Arm(_Model):
    """One arm of a run.

    `name` is unique in the run. `extractor` names how a candidate is cut from a generation
    (`strict` needs a conforming trace). `correction` is how a protocol rejection is answered;
    `fix_message`: whether a gate message carries its fix; `repair`: whether mechanical repair is
    tried before rejection (autofix); `early_stop`: whether a stream is cut at the first certain
    rejection (never in shadow arms). `random_rate`: the probability with which the random arm
    rejects; or `matched_to` names the arm whose observed rejection rate it copies (the rate is
    then in the run's `arm-settled`, and the arm's episodes follow those of the other arms).
    """

    name: str = Field(min_length=1, max_length=100)
    kind: ArmKind
    extractor: str = "lenient-sections"
    correction: CorrectionMode = CorrectionMode.PREFIX
    fix_message: bool = True
    repair: bool = False
    cache: bool = False
    early_stop: bool = False
    random_rate: float | None = Field(default=None, ge=0, le=1)
    matched_to: str | None = None


class Environment(_Model):
    """What a run ran on. `model`: the snapshot name of the language model (None: no model was
    called). `git_commit`/`git_dirty`: state of the working directory (None: not a repository).
    `libraries`: installed versions of the libraries that can change a figure."""

    package: str
    python: str
    platform: str
    machine: str
    cpus: int | None = None
    memory_bytes: int | None = None
    verus_version: str | None = None
    model: str | None = None
    git_commit: str | None = None
    git_dirty: bool | None = None
    libraries: dict[str, str] = {}


class RunStarted(_Model):
    """The first event of a run, everything needed to repeat it.

    `corpus_name` names the data (file names or task set), `corpus_sha256` its content. `config`
    is the configuration as read (for an experiment: its TOML file as `config["toml"]`),
    `config_sha256` its hash. `protocol`/`protocol_sha256`: the protocol in force. `extractors`:
    those by which candidates are cut, in the order of their events. `options`: the arguments of
    Verus besides the file, under which outcomes are compared. `layers`: gate layers and whether
    each is installed. `plan_sha256`: hash of the pre-registered plan, None when there is none.
    `started_at`: UTC, ISO 8601; None where a run is to be the same byte for byte. `notes`: what
    this corpus can't answer, in plain sentences.
    """

    kind: Literal["run-started"] = "run-started"
    v: Literal[1] = 1
    corpus: Corpus
    corpus_name: str
    corpus_sha256: str
    arms: tuple[Arm, ...]
    config: dict[str, Any] = {}
    config_sha256: str
    protocol: str
    protocol_sha256: str
    extractors: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    verus_version: str | None = None
    layers: tuple[LayerRow, ...] = ()
    environment: Environment
    plan_sha256: str | None = None
    started_at: str | None = None
    notes: tuple[str, ...] = ()


class Generation(_Model):
    """One model answer. `text_sha256` keys the raw answer in the store's texts (None: the log has
    no raw text, so nothing can be said of protocols). `trace`: the name of a designed trace.
    `prompts`: requests made for it, continuations included; `http_retries` are not generations.
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
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    estimated_tokens: int | None = None
    seconds: float | None = None
    cost_usd: float | None = None
    stop_reason: str | None = None
    stopped_early_at: int | None = None
    unread_tokens: int | None = None


class RunResumed(_Model):
    """The run went on in another environment than the one it had last (package, machine, git
    state). A restart in the same environment leaves no event."""

    kind: Literal["run-resumed"] = "run-resumed"
    v: Literal[1] = 1
    environment: Environment


class ArmSettled(_Model):
    """The rate of a random arm that copies another arm: `rejected` of `generations` were rejected
    in that arm when this one began. Said once, before the arm's first episode."""

    kind: Literal["arm-settled"] = "arm-settled"
    v: Literal[1] = 1
    arm: str
    matched_to: str
    rejected: int = Field(ge=0)
    generations: int = Field(ge=0)

    @property
    def rate(self) -> float:
        """The probability with which the arm rejects (0 when there was nothing to copy)."""
        return self.rejected / self.generations if self.generations else 0.0


class ViolationRow(_Model):
    """The first protocol violation; `code` is its VG0xx."""

    code: str
    violation: ViolationKind
    offset: int
    line: int
    column: int
    state: str | None = None
    legal_next: tuple[str, ...] = ()


class MonitorVerdict(_Model):
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


class Candidate(_Model):
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


class FindingRow(_Model):
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


class LayerRow(_Model):
    """One gate layer and whether it ran; one that did not never counts as "nothing found"."""

    name: str
    ran: bool
    reason: str = ""


class Form(StrEnum):
    """What the gate looked at: the raw trace (protocol findings included) or a source file."""

    TRACE = "trace"
    SOURCE = "source"


class GateDecision(_Model):
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


class VerusRequest(_Model):
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


class DiagnosticRow(_Model):
    """One diagnostic of Verus; line and column of its primary span, None where it has none."""

    level: str = "error"
    code: str | None = None
    message: str
    line: int | None = None
    column: int | None = None


class VerificationDone(_Model):
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


class Judgement(_Model):
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


class CorrectionIssued(_Model):
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


class CorrectionOutcome(_Model):
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


class Feedback(_Model):
    """What the model was told after the generation; no event: it was told nothing."""

    kind: Literal["feedback"] = "feedback"
    v: Literal[1] = 1
    source: FeedbackSource
    chars: int
    text_sha256: str | None = None
    codes: tuple[str, ...] = ()


class ActionRow(_Model):
    """One action of an agent: the tool, the length of what it was asked, and what became of it
    (returned, failed, timed-out)."""

    tool: str
    argument_chars: int
    status: str


class ActionGroup(_Model):
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


class LabelAgreement(_Model):
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
    result. model-error: the model endpoint failed for good.
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


class GenerationClosed(_Model):
    """The last event of every generation. `seconds`: whole time of the generation on our side."""

    kind: Literal["generation-closed"] = "generation-closed"
    v: Literal[1] = 1
    disposition: Disposition
    seconds: float | None = None


class EpisodeResult(StrEnum):
    """honest-success: the frozen judge says so. cheat: Verus verified, the judge says no; a
    competing event, not a success. unjudged: Verus verified, and the judge can't say (recorded
    loops without a strict verdict, say); neither success nor failure, and out of the rates of
    both. censored: a budget ran out or the log ended before any of them."""

    HONEST_SUCCESS = "honest-success"
    CHEAT = "cheat"
    UNJUDGED = "unjudged"
    CENSORED = "censored"


class Budget(StrEnum):
    """What censored an episode. log-ended: a recorded loop stops here (why is not known)."""

    GENERATIONS = "generations"
    EXECUTIONS = "executions"
    SECONDS = "seconds"
    TOKENS = "tokens"
    MONEY = "money"
    LOG_ENDED = "log-ended"
    MODEL_ERROR = "model-error"


class EpisodeClosed(_Model):
    """The end of an episode and its totals up to there. `executions`: Verus executions that the
    loop made (silent and strict ones are not in it, `silent_executions` has them). In a recorded
    loop, executions are the recorded results used. `spent_tokens`: prompts and answers
    together, with our estimate where the provider did not count; what the token budget is held
    against, never a measured figure. None: not measured."""

    kind: Literal["episode-closed"] = "episode-closed"
    v: Literal[1] = 1
    result: EpisodeResult
    censored_by: Budget | None = None
    generations: int
    executions: int
    silent_executions: int = 0
    compile_retries: int | None = None
    proof_retries: int | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    spent_tokens: int | None = None
    model_seconds: float | None = None
    verus_seconds: float | None = None
    gate_seconds: float | None = None
    cost_usd: float | None = None


class RunClosed(_Model):
    """The last event of a complete run: how many episodes and generations it stored. `problems`:
    what was passed over, one line each."""

    kind: Literal["run-closed"] = "run-closed"
    v: Literal[1] = 1
    episodes: int
    generations: int
    problems: tuple[str, ...] = ()


RunStarted.model_rebuild()

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


class Key(_Model):
    """Where an event belongs. `sample` counts from 0, `generation` from 1; generation 0 is the
    episode itself, the empty task and arm are the run itself."""

    task: str = Field(default="", max_length=200)
    arm: str = Field(default="", max_length=100)
    sample: int = Field(default=0, ge=0)
    generation: int = Field(default=0, ge=0)


class Stored(_Model):
    """An event in its place."""

    key: Key
    seq: int
    event: Event
