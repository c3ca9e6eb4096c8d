"""Run any protocol with a model and an environment: ReACT, ReWOO, Reflexion, CoT, direct, PASS.

What the agent does when is in the protocol file; the runner only takes turns. The model's text is
held to the protocol by the monitor; the environment's turns come from an `Environment`, and their
markers are written by the monitor, so that no text of a tool can become a state.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol as TypingProtocol

from verulaw_gate.agent.explain import explain
from verulaw_gate.agent.model import Client, Message, Prompt, Role
from verulaw_gate.agent.schedule import Outcome
from verulaw_gate.agent.text import visible
from verulaw_gate.agent.turn import Turn, TurnSettings, take_turn
from verulaw_gate.errors import UsageError
from verulaw_gate.monitor import CorrectionMode, Monitor, Speaker, Step, Verdict
from verulaw_gate.monitor.trace import since
from verulaw_gate.protocol import MarkerMode, Protocol


@dataclass(frozen=True, slots=True)
class Action:
    """One action that the model asked for: a tool's name and what it is asked."""

    tool: str
    argument: str


@dataclass(frozen=True, slots=True)
class Choice:
    """How an environment chose between a summary and the raw results. `rule`: `score` (the
    length-normalised log-probabilities, given), `setting`, or `failed` (the summary or its score
    could not be had, `reason`). `chosen`: `summary` or `raw`."""

    rule: str
    chosen: str
    summary_score: float | None = None
    raw_score: float | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """A turn of the environment: its content and, where actions ran, what became of each (same
    order as the actions)."""

    content: str
    actions: tuple[Action, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    choice: Choice | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """What the environment is asked: the state that is due, all steps so far, the actions since
    the environment last spoke, and the conversation as the model has it."""

    state: str
    steps: tuple[Step, ...]
    group: tuple[Action, ...]
    prompt: Prompt


class Environment(TypingProtocol):
    """Answers for the states that are not the model's."""

    async def reply(self, request: Request) -> Reply:
        """The content of the state that is due. Raises VerulawError when it cannot."""


class End(StrEnum):
    """How a run ended: complete, rejected for good, or out of turns."""

    COMPLETE = "complete"
    REJECTED = "rejected"
    TURNS = "turns"


@dataclass(frozen=True, slots=True)
class RunSettings:
    """`max_turns` bounds the model's turns; `retries` how often in a row a rejected turn is
    answered with feedback. `action`, `action_input`, `answers` name states by their role."""

    turn: TurnSettings = field(default_factory=TurnSettings)
    max_turns: int = 24
    retries: int = 2
    action: str = "action"
    action_input: str = "action-input"
    answers: tuple[str, ...] = ("answer", "final-answer", "solver")


@dataclass(slots=True)
class AgentRun:
    """What became of a run. `answer`: the last content of an answer state, None without one.

    `trace` is everything after the opening, as the monitor has it (corrected, the environment's
    turns included); `raw` is the same up to the first rejection, with what the model really wrote
    there, and `first` the verdict on exactly that (both the whole trace when nothing was
    rejected). Places count from the start of the trace.
    """

    end: End
    verdict: Verdict
    answer: str | None
    trace: str
    raw: str
    first: Verdict
    turns: list[Turn] = field(default_factory=list)
    replies: list[Reply] = field(default_factory=list)
    feedback: list[str] = field(default_factory=list)

    @property
    def steps(self) -> tuple[Step, ...]:
        """All steps, the prompt's and the environment's included."""
        return self.verdict.steps


async def run_agent(
    client: Client,
    protocol: Protocol,
    begin: Sequence[tuple[str, str]],
    environment: Environment,
    settings: RunSettings | None = None,
    *,
    system: str = "",
    prompt: Prompt | None = None,
    monitor: Monitor | None = None,
    on_text: Callable[[str], None] | None = None,
) -> AgentRun:
    """Run a protocol from the states that the harness prompts with to its end.

    `system` is said before the explanation of the protocol; `prompt` takes the place of both and
    of the opening. Raises ClientError, and UsageError when `begin` does not begin a run of the
    protocol.
    """
    settings = settings or RunSettings()
    monitor = monitor or Monitor(protocol)
    opening = monitor.begin(begin)
    if monitor.rejected:
        raise UsageError(f"{protocol.name} does not begin like that: {monitor.violation}")
    if prompt is None:
        rules = "\n\n".join(part for part in (system, explain(protocol)) if part)
        prompt = Prompt(rules, (Message(Role.USER, opening),))
    origin = monitor.position
    trace: list[str] = []
    raw: str | None = None
    first: Verdict | None = None
    turns: list[Turn] = []
    replies: list[Reply] = []
    feedback: list[str] = []
    in_a_row = 0
    end = End.TURNS
    while len(turns) < settings.max_turns:
        turn = await take_turn(
            client, prompt, monitor, settings.turn, on_text=on_text, origin=origin
        )
        turns.append(turn)
        if first is None and turn.first is not None and not turn.first.ok:
            raw, first = "".join(trace) + turn.raw, turn.first
        trace.append(turn.text)
        if monitor.rejected:
            if in_a_row >= settings.retries:
                end = End.REJECTED
                break
            in_a_row += 1
            said, answer, added = _told(monitor)
            trace.append(added)
            feedback.append(answer)
            prompt = _after(prompt, said, answer)
            continue
        in_a_row = 0
        if turn.requested is None:
            end = End.COMPLETE
            break
        request = Request(
            turn.requested,
            monitor.steps,
            _group(monitor, settings),
            _after(prompt, turn.text, ""),
        )
        reply = await environment.reply(request)
        replies.append(reply)
        written = monitor.feed_environment(turn.requested, reply.content)
        trace.append(written)
        prompt = _after(prompt, turn.text, written)
        if monitor.complete and not monitor.legal_next:
            end = End.COMPLETE
            break
    # Out of turns is a run that ends before it is complete.
    verdict = monitor.verdict() if end is End.REJECTED else monitor.finish()
    answers = [s.content.strip() for s in verdict.steps if s.state in settings.answers]
    whole = "".join(trace)
    return AgentRun(
        end,
        verdict,
        answers[-1] if answers else None,
        whole,
        whole if raw is None else raw,
        since(verdict, origin) if first is None else first,
        turns,
        replies,
        feedback,
    )


def _told(monitor: Monitor) -> tuple[str, str, str]:
    """Take a rejection back and say it: the accepted text, the feedback, and what was added so
    that the next message begins a line of its own."""
    correction = monitor.correction(CorrectionMode.FEEDBACK)
    assert correction is not None, "only a rejected turn is answered"
    monitor.resume(correction)
    accepted = correction.accepted
    added = ""
    line_start = monitor.protocol.markers is MarkerMode.LINE_START
    if line_start and accepted and not accepted.endswith("\n") and not monitor.position.line_blank:
        added = "\n"
        monitor.feed(added)
    return accepted, visible(correction.feedback), added


def _after(prompt: Prompt, said: str, written: str) -> Prompt:
    """The conversation after a turn of the model and one of the environment. Empty messages are
    left out: endpoints refuse them."""
    messages = list(prompt.messages)
    if said.strip():
        messages.append(Message(Role.ASSISTANT, said))
    if written.strip():
        messages.append(Message(Role.USER, written))
    return Prompt(prompt.system, tuple(messages))


def _group(monitor: Monitor, settings: RunSettings) -> tuple[Action, ...]:
    """The actions since the environment last spoke. An action without its input asks nothing."""
    group: list[Action] = []
    tool: str | None = None
    for step in _since_environment(monitor.steps):
        if step.state == settings.action:
            tool = step.content.strip()
        elif step.state == settings.action_input and tool is not None:
            group.append(Action(tool, step.content.strip()))
            tool = None
    return tuple(group)


def _since_environment(steps: Sequence[Step]) -> Sequence[Step]:
    last = max((n for n, s in enumerate(steps) if s.speaker is not Speaker.MODEL), default=-1)
    return steps[last + 1 :]
