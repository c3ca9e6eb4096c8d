"""Events of a run and of its episodes. The words are defined in `record.events`."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Literal

from pydantic import Field

from verulaw_gate.monitor.model import CorrectionMode, Mode
from verulaw_gate.record.event_base import LayerRow, Part


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


class Arm(Part):
    """One arm of a run.

    `name` is unique in the run. `extractor` names how a candidate is cut from a generation
    (`strict` needs a conforming trace). `correction` is how a protocol rejection is answered;
    `fix_message`: whether a gate message carries its fix; `repair`: whether mechanical repair is
    tried before rejection (autofix); `early_stop`: whether a stream is cut at the first certain
    rejection (never in shadow arms). `mode`: optimistic, or eager, which asks for one state a
    request (arms that act on the monitor only). `random_rate`: the probability with which the
    random arm rejects; or `matched_to` names the arm whose observed rejection rate it copies (the
    rate is then in the run's `arm-settled`, and the arm's episodes follow those of the others).
    """

    name: str = Field(min_length=1, max_length=100)
    kind: ArmKind
    extractor: str = "lenient-sections"
    correction: CorrectionMode = CorrectionMode.PREFIX
    fix_message: bool = True
    repair: bool = False
    cache: bool = False
    early_stop: bool = False
    mode: Mode = Mode.OPTIMISTIC
    random_rate: float | None = Field(default=None, ge=0, le=1)
    matched_to: str | None = None


class Environment(Part):
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
    libraries: dict[str, str] = Field(default_factory=dict)


class RunStarted(Part):
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
    config: dict[str, Any] = Field(default_factory=dict)
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


class RunResumed(Part):
    """The run went on in another environment than the one it had last (package, machine, git
    state). A restart in the same environment leaves no event."""

    kind: Literal["run-resumed"] = "run-resumed"
    v: Literal[1] = 1
    environment: Environment


class ArmSettled(Part):
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


class EpisodeClosed(Part):
    """The end of an episode and its totals up to there. `generations`: whole answers; one that a
    budget or a failed endpoint cut off is none, but its tokens, seconds and cost are in the
    totals. `executions`: Verus executions that the loop made (silent and strict ones are not in
    it, `silent_executions` has them). In a recorded loop, executions are the recorded results
    used. `spent_tokens`: prompts and answers together, with our estimate where the provider did
    not count; what the token budget is held against, never a measured figure. None: not
    measured."""

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


class RunClosed(Part):
    """The last event of a complete run: how many episodes and generations it stored. `problems`:
    what was passed over, one line each."""

    kind: Literal["run-closed"] = "run-closed"
    v: Literal[1] = 1
    episodes: int
    generations: int
    problems: tuple[str, ...] = ()
