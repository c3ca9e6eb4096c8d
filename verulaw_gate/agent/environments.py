"""Environments of the other agents: ReWOO's solver and Reflexion's evaluation."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence

from verulaw_gate.agent.model import Client, Message, Prompt, Role, collect
from verulaw_gate.agent.pass_loop import ToolEnvironment, raw_results
from verulaw_gate.agent.runner import Action, Reply, Request
from verulaw_gate.agent.schedule import Resources, run_group
from verulaw_gate.agent.tools import ToolBox
from verulaw_gate.errors import InputError
from verulaw_gate.monitor import Step

_SOLVE = (
    "Answer the question with the evidence given. Use the evidence only where it helps, and say "
    "the answer alone."
)


class RewooEnvironment:
    """ReWOO (Xu et al. 2023): run the whole plan, then let a solver write the answer.

    An action whose input names the label of an earlier one (`#E1`) waits for it and has the label
    replaced by its result; where that one did not return, the action fails. Independent actions run
    at once. `client` is the solver.
    """

    def __init__(
        self,
        client: Client,
        tools: ToolBox,
        *,
        at_once: int = 8,
        seconds: float = 60.0,
        answer_tokens: int = 512,
    ) -> None:
        self._client, self._tools = client, tools
        self._at_once, self._seconds, self._answer_tokens = at_once, seconds, answer_tokens

    async def reply(self, request: Request) -> Reply:
        """The solver's answer, made from the question, the plan and what the actions returned."""
        labels = _labels(request.steps, request.group)
        found: dict[str, str] = {}
        outcomes = await run_group(
            [
                (self._resources(action, number, labels), self._call(action, number, labels, found))
                for number, action in enumerate(request.group)
            ],
            at_once=self._at_once,
            seconds=self._seconds,
        )
        question = next((s.content.strip() for s in request.steps), "")
        plans = [s.content.strip() for s in request.steps if s.state == "plan"]
        evidence = raw_results(request.group, outcomes)
        text = "\n\n".join(
            [
                f"Question:\n{question}",
                "Plan:\n" + "\n".join(f"{n}. {plan}" for n, plan in enumerate(plans, 1)),
                f"Evidence:\n{evidence}",
                "Answer:",
            ]
        )
        prompt = Prompt(_SOLVE, (Message(Role.USER, text),))
        answer = await collect(self._client, prompt, max_tokens=self._answer_tokens)
        return Reply(answer.text.strip(), request.group, outcomes)

    def _resources(self, action: Action, number: int, labels: Sequence[str]) -> Resources:
        """What the tool declares, and the labels: an action writes its own and reads those that
        its input names."""
        try:
            own = self._tools.find(action.tool).resources
        except InputError:
            own = Resources()
        reads = {f"label:{labels[i]}" for i in _named(action.argument, labels[:number])}
        return Resources(own.reads | reads, own.writes | {f"label:{labels[number]}"}, own.private)

    def _call(
        self, action: Action, number: int, labels: Sequence[str], found: dict[str, str]
    ) -> Callable[[], Awaitable[str]]:
        async def run() -> str:
            tool = self._tools.find(action.tool)
            argument = action.argument
            # The longest label first: #E1 stands inside of #E12.
            for i in sorted(
                _named(argument, labels[:number]), key=lambda i: len(labels[i]), reverse=True
            ):
                if labels[i] not in found:
                    raise InputError(f"{labels[i]} has no result")
                result = found[labels[i]].replace("\\", r"\\")
                argument = _pattern(labels[i]).sub(result, argument)
            text = await tool.run(argument)
            found[labels[number]] = text
            return text

        return run


class ReflexionEnvironment:
    """Reflexion (Shinn et al. 2023): tools for the observations, `evaluate` for the proposed
    answers (it is given the question and the answer)."""

    def __init__(
        self, tools: ToolEnvironment, evaluate: Callable[[str, str], Awaitable[str]]
    ) -> None:
        self._tools, self._evaluate = tools, evaluate

    async def reply(self, request: Request) -> Reply:
        """An evaluation where one is due, else the results of the actions."""
        if request.state != "evaluation":
            return await self._tools.reply(request)
        question = next((s.content.strip() for s in request.steps), "")
        proposed = [s.content.strip() for s in request.steps if s.state == "proposed-answer"]
        return Reply(await self._evaluate(question, proposed[-1] if proposed else ""))


def _labels(steps: Sequence[Step], group: Sequence[Action]) -> list[str]:
    """The label of each action; one without gets a number that no input can name."""
    given = [s.content.strip() for s in steps if s.state == "action-label"]
    return [
        given[n] if n < len(given) and given[n] else f"(action {n + 1})" for n in range(len(group))
    ]


def _pattern(label: str) -> re.Pattern[str]:
    return re.compile(re.escape(label) + r"(?!\w)")


def _named(argument: str, labels: Sequence[str]) -> list[int]:
    return [i for i, label in enumerate(labels) if _pattern(label).search(argument)]
