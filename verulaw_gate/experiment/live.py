"""The live proof loop: one generation of an episode, from the prompt to what the model hears.

A generation is streamed under the monitor and the streaming gate rules, stopped at the first
certain rejection (only in the arm `on`), corrected, judged by the gate, sent to Verus, and
answered. Everything that happened becomes events; nothing is kept between two generations, so
that a killed run goes on from its store.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

import anyio
from anyio.from_thread import BlockingPortal

from verulaw_gate.agent.errors import TRANSIENT, BudgetEnded
from verulaw_gate.agent.metered import Meter, MeteredClient
from verulaw_gate.agent.model import Client, Price, Prompt
from verulaw_gate.agent.pass_loop import PassSettings
from verulaw_gate.agent.prompting import task_prompt
from verulaw_gate.agent.threads import Stoppable, in_thread
from verulaw_gate.agent.turn import Turn, TurnSettings, take_turn
from verulaw_gate.config import DEFAULTS, Config
from verulaw_gate.errors import ClientError, UsageError
from verulaw_gate.experiment.live_agent import TOOLS, agent_turn, asked_states
from verulaw_gate.experiment.live_answer import Answering
from verulaw_gate.experiment.live_events import (
    GATED,
    conversation_of,
    cut_generation,
    left_seconds,
    meter_for,
    prompt_text,
)
from verulaw_gate.experiment.model import (
    CUT_BY,
    CUT_REASONS,
    EpisodeSpec,
    GenerationRecord,
    OutOfBudget,
    TextOf,
)
from verulaw_gate.gate import Gate
from verulaw_gate.monitor import Mode, Monitor, default_prompt
from verulaw_gate.protocol import Protocol
from verulaw_gate.record.events import (
    ActionGroup,
    Arm,
    ArmKind,
    Budget,
    Disposition,
    GenerationClosed,
    MonitorVerdict,
)
from verulaw_gate.record.store import sha256_of
from verulaw_gate.tasks.model import Task
from verulaw_gate.verus import RECORDED_OPTIONS, Cancel, Verifier, VerusOptions


@dataclass(frozen=True, slots=True)
class Note:
    """Something that just happened, for a display. `kind`: generation, text, stopped, cut,
    corrected, accepted, repaired, rejected, reused, verus, silent-verus or answer; `text` says
    what."""

    kind: str
    task: str
    arm: str
    sample: int
    generation: int
    text: str = ""


@dataclass(frozen=True, slots=True)
class LiveSettings:
    """How the loop speaks. `max_tokens`: of one request. `feedback_tokens`: the budget of one
    answer to the model. `max_corrections`: of one generation. `price`: None leaves money unknown.
    `examples`: tasks whose references are shown first (a task is never its own example).
    `passing`: how an agent's tools and summaries run, for protocols with them. Raises
    UsageError for a protocol that is not one attempt at a task (`check_protocol`)."""

    protocol: Protocol
    max_tokens: int = 4096
    feedback_tokens: int = 800
    max_corrections: int = 3
    options: VerusOptions = RECORDED_OPTIONS
    config: Config = DEFAULTS
    price: Price | None = None
    examples: tuple[Task, ...] = ()
    passing: PassSettings = field(default_factory=PassSettings)

    def __post_init__(self) -> None:
        check_protocol(self.protocol)


ANSWERED = ("summary", "observation")
"""Environment states that tools answer."""


def check_protocol(protocol: Protocol) -> None:
    """Raise UsageError for a protocol that is not one attempt at a task: the loop assembles the
    candidate from its `lemma` and `body` states, and its environment only runs tools."""
    names = {state.name for state in protocol.states}
    if "body" not in names:
        raise UsageError(
            f"the protocol {protocol.name} has no state `body` to make a candidate of",
            hint="use `proof`, or one with its states lemma and body",
        )
    others = [n for n in asked_states(protocol) if n not in ANSWERED]
    if others:
        raise UsageError(
            f"nobody answers {protocol.state(others[0]).text} of the protocol {protocol.name}",
            hint="a live loop makes one attempt a run and answers between them: use `proof`, or "
            "`proof-pass` for an agent with tools",
        )


@dataclass(slots=True)
class LiveStepper:
    """A `Stepper` that asks a model. `client` is used on one event loop: inside an asynchronous
    program call `generate`; the synchronous call needs the `portal` of a running loop (without
    one it runs a loop of its own for the one call).

    Errors of the endpoint that another try may mend end the episode (`model-error`); others, and
    divergences of a recorded conversation, are raised: they would come again with every task.
    """

    client: Client
    verifier: Verifier
    settings: LiveSettings
    portal: BlockingPortal | None = None
    watch: Callable[[Note], None] = lambda note: None
    _gates: dict[tuple[str, bool], Gate] = field(default_factory=dict)

    def __call__(
        self, spec: EpisodeSpec, history: Sequence[GenerationRecord], text_of: TextOf
    ) -> GenerationRecord:
        """The next generation; see `Stepper`."""
        call = partial(self.generate, spec, history, text_of)
        return anyio.run(call) if self.portal is None else self.portal.call(call)

    async def generate(
        self, spec: EpisodeSpec, history: Sequence[GenerationRecord], text_of: TextOf
    ) -> GenerationRecord:
        """Make the next generation. Raises OutOfBudget, ClientError, UsageError, ToolError."""
        number = len(history) + 1
        prompt = conversation_of(self._first(spec.task), history, text_of)
        meter = meter_for(spec.budgets, history, self.settings.price)
        try:
            limit = meter.limit(prompt.characters, self.settings.max_tokens)
        except BudgetEnded:
            raise OutOfBudget(Budget(meter.short)) from None

        def say(kind: str, text: str = "") -> None:
            self.watch(Note(kind, spec.task.id, spec.arm.name, spec.sample, number, text))

        say("generation")
        monitor = self._monitor(spec)
        heard: list[str] = []

        def hear(text: str) -> None:
            heard.append(text)
            say("text", text)

        turn: Turn | None = None
        groups: list[ActionGroup] = []
        problem = CUT_REASONS[Budget.SECONDS]
        try:
            # Not a time limit of one request: what is left of the episode's budget.
            with anyio.move_on_after(left_seconds(spec.budgets, history)):
                client = MeteredClient(self.client, meter)
                turns = self._turn_settings(spec.arm, limit)
                turn = await self._turn(client, prompt, monitor, turns, hear, groups)
        except BudgetEnded:
            problem = _short(meter)
        except ClientError as error:
            if not isinstance(error, TRANSIENT):
                raise
            problem = f"{type(error).__name__}: {error}"
        if turn is not None and turn.cut_off and meter.short and monitor.rejected:
            # Our own budget cut it, not the model's limit: there is nothing to judge it by.
            turn, problem = None, _short(meter)
        if turn is None:
            first = None if history else prompt_text(prompt)
            say("cut", problem)
            return self._cut("".join(heard), meter, groups, problem, first)
        cancel = Cancel()
        answering = Answering(
            spec,
            history,
            text_of,
            prompt,
            turn,
            meter,
            tuple(groups),
            monitor,
            self.gate,
            Stoppable(self.verifier, cancel),
            self.settings,
            self.client.name,
            say,
        )
        return await in_thread(answering.record, cancel)

    async def _turn(
        self,
        client: Client,
        prompt: Prompt,
        monitor: Monitor,
        settings: TurnSettings,
        on_text: Callable[[str], None],
        groups: list[ActionGroup],
    ) -> Turn:
        protocol = self.settings.protocol
        opening = default_prompt(protocol)
        if not asked_states(protocol):
            monitor.begin(opening)
            return await take_turn(client, prompt, monitor, settings, on_text=on_text)
        return await agent_turn(
            client,
            protocol,
            prompt,
            opening,
            monitor,
            settings,
            self.settings.passing,
            on_text=on_text,
            groups=groups,
        )

    def gate(self, task: Task, repair: bool) -> Gate:
        """The gate of a task, made once."""
        key = (task.id, repair)
        if key not in self._gates:
            self._gates[key] = Gate(
                task, config=self.settings.config, repair=repair, protocol=self.settings.protocol
            )
        return self._gates[key]

    def _first(self, task: Task) -> Prompt:
        examples = tuple(e for e in self.settings.examples if e.id != task.id)
        protocol = self.settings.protocol
        tools = TOOLS.describe() if asked_states(protocol) else ""
        return task_prompt(task, protocol, examples=examples, tools=tools)

    def _monitor(self, spec: EpisodeSpec) -> Monitor:
        gated = spec.arm.kind in GATED
        checkers = [self.gate(spec.task, True).content_checker()] if gated else []
        return Monitor(self.settings.protocol, checkers)

    def _turn_settings(self, arm: Arm, max_tokens: int) -> TurnSettings:
        acts = arm.kind in GATED
        return TurnSettings(
            max_tokens=max_tokens,
            # A shadow arm reads everything: what stopping would save is computed afterwards.
            early_stop=arm.early_stop and arm.kind is ArmKind.ON,
            correction=arm.correction if acts else None,
            max_corrections=self.settings.max_corrections,
            # An agent's trace is not repaired: it holds the environment's turns.
            repairs_later=not asked_states(self.settings.protocol),
            mode=arm.mode if acts else Mode.OPTIMISTIC,
        )

    def _cut(
        self,
        text: str,
        meter: Meter,
        groups: Sequence[ActionGroup],
        problem: str,
        first: str | None,
    ) -> GenerationRecord:
        """A budget ended, or the endpoint failed for good: the answer is not whole, and not
        judged. What arrived of it (continuations included), what its tools did and what it cost is
        kept."""
        generation = cut_generation(text, meter, self.client.name, problem, first)
        ended = Disposition.CUT_OFF if problem in CUT_BY else Disposition.MODEL_ERROR
        return GenerationRecord(
            (
                generation,
                MonitorVerdict(ran=False, reason=problem[:300]),
                *groups,
                GenerationClosed(disposition=ended),
            ),
            {sha256_of(kept): kept for kept in (text, first) if kept},
        )


def _short(meter: Meter) -> str:
    return CUT_REASONS[Budget(meter.short)]


def price_of(
    prompt_per_million: float | None, completion_per_million: float | None
) -> Price | None:
    """The price when both figures are there and sensible; None when neither is.

    Raises ValueError for one without the other, or a figure that is negative or not finite.
    """
    given = [p for p in (prompt_per_million, completion_per_million) if p is not None]
    if not given:
        return None
    if len(given) == 1 or any(not math.isfinite(p) or p < 0 for p in given):
        raise ValueError("a price has two figures, of prompt and completion, not negative")
    return Price(given[0], given[1])
