"""A generation that is a whole agent run (PASS on a proof task): plan and act, then the proof.

The tools of a measured loop search and calculate; none runs Verus, so that every execution of
Verus is the loop's own and counted once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from verulaw_gate.agent.model import Client, Prompt
from verulaw_gate.agent.pass_loop import PassEnvironment, PassSettings
from verulaw_gate.agent.runner import (
    AgentRun,
    Environment,
    Reply,
    Request,
    RunSettings,
    run_agent,
)
from verulaw_gate.agent.tools import Calculator, SearchVstd, ToolBox
from verulaw_gate.agent.turn import Turn, TurnSettings
from verulaw_gate.monitor import Monitor
from verulaw_gate.protocol import Protocol
from verulaw_gate.record.events import ActionGroup, ActionRow

TOOLS = ToolBox([SearchVstd(), Calculator()])
MAX_TURNS = 40


@dataclass(slots=True)
class Noting:
    """An environment that notes each group of actions as it is answered, so that they are known
    of a run that is cut off as well."""

    inner: Environment
    groups: list[ActionGroup]

    async def reply(self, request: Request) -> Reply:
        """The reply of the environment inside."""
        reply = await self.inner.reply(request)
        self.groups.append(_group(request.state, reply))
        return reply


def asked_states(protocol: Protocol) -> tuple[str, ...]:
    """The environment states that the model asks for, the task's own left out."""
    given = next((s.name for s in protocol.states if s.env_input), None)
    return tuple(s.name for s in protocol.states if s.env_input and s.name != given)


async def agent_turn(
    client: Client,
    protocol: Protocol,
    prompt: Prompt,
    begin: tuple[tuple[str, str], ...],
    monitor: Monitor,
    settings: TurnSettings,
    passing: PassSettings,
    *,
    on_text: Callable[[str], None],
    groups: list[ActionGroup],
) -> Turn:
    """Run the agent from the task to its proof, as one turn. A turn that is rejected for good ends
    it. `groups` gets the groups of actions as they are answered."""
    environment = Noting(PassEnvironment(client, TOOLS, passing), groups)
    run = await run_agent(
        client,
        protocol,
        begin,
        environment,
        RunSettings(settings, max_turns=MAX_TURNS, retries=0, answers=("body",)),
        prompt=prompt,
        monitor=monitor,
        on_text=on_text,
    )
    return _joined(run)


def _joined(run: AgentRun) -> Turn:
    """All turns as one."""
    last = run.turns[-1]
    whole = Turn(
        raw=run.raw,
        text=run.trace,
        first=run.first,
        said=run.trace[: len(run.trace) - len(last.text)] + last.said,
        last=last.last,
        requested=last.requested,
        finish=last.finish,
    )
    raw_ended = False
    for turn in run.turns:
        whole.lead_chars += 0 if raw_ended else turn.lead_chars
        raw_ended = raw_ended or (turn.first is not None and not turn.first.ok)
        if turn.stopped_at is not None and whole.stopped_at is None:
            whole.stopped_at, whole.unread_tokens = len(run.raw), turn.unread_tokens
        whole.issued += turn.issued
        whole.dropped_chars += turn.dropped_chars
        whole.monitor_seconds += turn.monitor_seconds
    return whole


def _group(state: str, reply: Reply) -> ActionGroup:
    choice = reply.choice
    return ActionGroup(
        state=state,
        actions=tuple(
            ActionRow(
                tool=action.tool[:80],
                argument_chars=len(action.argument),
                status=str(outcome.status),
            )
            for action, outcome in zip(reply.actions, reply.outcomes, strict=True)
        ),
        rule=None if choice is None else choice.rule,
        chosen=None if choice is None else choice.chosen,
        summary_score=None if choice is None else choice.summary_score,
        raw_score=None if choice is None else choice.raw_score,
        reason="" if choice is None else choice.reason[:300],
    )
