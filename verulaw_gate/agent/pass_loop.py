"""PASS, plan-act-summarize-solve (Crouse et al. 2023, section 3): the environment of its protocol.

The model writes a group of actions; when it asks for the summary, independent ones run at once.
The summary is made from what they returned and nothing else. Whether the model then sees the
summary or the raw results is chosen by the length-normalised log-probability of each, or by a
setting where the client has no scores. The loop itself, and the final answer, is the protocol's.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from verulaw_gate.agent.model import Client, Message, Prompt, Role, collect
from verulaw_gate.agent.runner import Action, Choice, Reply, Request
from verulaw_gate.agent.schedule import Outcome, Resources, Status, run_group
from verulaw_gate.agent.tools import Tool, ToolBox
from verulaw_gate.errors import ClientError, InputError

_SUMMARISE = (
    "You summarise the results of actions. Use only what the results say; keep every fact that "
    "helps to answer the question, name actions that failed, add nothing of your own."
)
_MAX_RESULT_CHARS = 8_000


class Show(StrEnum):
    """What the model sees: chosen by score, always the summary, or always the raw results (the
    ablation without summaries)."""

    SCORE = "score"
    SUMMARY = "summary"
    RAW = "raw"


@dataclass(frozen=True, slots=True)
class PassSettings:
    """`show`: see `Show`; with SCORE and a client that has none, `without_score` is used instead,
    and the choice says so. `alpha` is that of the length normalisation. At most `at_once` actions
    run at a time, each at most `seconds`. `summary_tokens` bounds a summary."""

    show: Show = Show.SCORE
    without_score: Show = Show.SUMMARY
    alpha: float = 0.6
    at_once: int = 8
    seconds: float = 60.0
    summary_tokens: int = 512


class ToolEnvironment:
    """Runs the actions of a group and answers with their numbered results (a single one without
    a number): the environment of ReACT, ReWOO and of PASS without summaries."""

    def __init__(self, tools: ToolBox, *, at_once: int = 8, seconds: float = 60.0) -> None:
        self._tools, self._at_once, self._seconds = tools, at_once, seconds

    async def reply(self, request: Request) -> Reply:
        """The raw results of the group."""
        outcomes = await self.run(request.group)
        return Reply(raw_results(request.group, outcomes), request.group, outcomes)

    async def run(self, group: Sequence[Action]) -> tuple[Outcome, ...]:
        """Run a group: independent actions at once, conflicting ones in order."""
        return await run_group(
            [self._prepared(action) for action in group],
            at_once=self._at_once,
            seconds=self._seconds,
        )

    def _prepared(self, action: Action) -> tuple[Resources, Callable[[], Awaitable[str]]]:
        try:
            tool = self._tools.find(action.tool)
        except InputError as problem:
            # A tool that does not exist touches nothing; asking for it is a failed action.
            return Resources(), partial(_fail, problem)
        return tool.resources, partial(_ask, tool, action.argument)


class PassEnvironment:
    """The environment of PASS. `client` makes the summaries and the scores."""

    def __init__(
        self, client: Client, tools: ToolBox, settings: PassSettings | None = None
    ) -> None:
        self._client = client
        self._settings = settings or PassSettings()
        self._tools = ToolEnvironment(
            tools, at_once=self._settings.at_once, seconds=self._settings.seconds
        )

    async def reply(self, request: Request) -> Reply:
        """Run the group, then the summary or the raw results."""
        outcomes = await self._tools.run(request.group)
        raw = raw_results(request.group, outcomes)
        content, choice = await self._choose(request, raw)
        return Reply(content, request.group, outcomes, choice)

    async def _choose(self, request: Request, raw: str) -> tuple[str, Choice]:
        settings, client = self._settings, self._client
        scored = settings.show is Show.SCORE and client.capabilities.score
        show, why = settings.show, ""
        if show is Show.SCORE and not scored:
            show, why = settings.without_score, "the client has no scores"
        if show is Show.RAW or not request.group:
            return raw, Choice("setting", "raw", reason=why)
        try:
            prompt = _summary_prompt(request, raw)
            answer = await collect(client, prompt, max_tokens=settings.summary_tokens)
        except ClientError as problem:
            return raw, Choice("failed", "raw", reason=str(problem))
        summary = answer.text.strip()
        if not summary:
            return raw, Choice("failed", "raw", reason="the summary is empty")
        if not scored:
            return summary, Choice("setting", "summary", reason=why)
        try:
            of_summary, of_raw = [
                (await client.score(request.prompt, text)).normalised(settings.alpha)
                for text in (summary, raw)
            ]
        except ClientError as problem:
            # The summary is there and paid for; what it is worth is not known.
            return summary, Choice("failed", "summary", reason=str(problem))
        # A tie goes to the summary, the shorter of the two as a rule.
        if of_summary >= of_raw:
            return summary, Choice("score", "summary", of_summary, of_raw)
        return raw, Choice("score", "raw", of_summary, of_raw)


def _summary_prompt(request: Request, raw: str) -> Prompt:
    question = next((s.content.strip() for s in request.steps), "")
    text = f"Question:\n{question}\n\nResults:\n{raw}\n\nSummary of the results:"
    return Prompt(_SUMMARISE, (Message(Role.USER, text),))


def raw_results(group: Sequence[Action], outcomes: Sequence[Outcome]) -> str:
    """The results, numbered in the order of the plan when there are several. Failures say so."""
    if not group:
        return "No action was asked for."
    texts = [_shown(outcome) for outcome in outcomes]
    if len(texts) == 1:
        return texts[0]
    return "\n".join(
        f"{number}. {_named(action)}: {text}"
        for number, (action, text) in enumerate(zip(group, texts, strict=True), 1)
    )


def _named(action: Action) -> str:
    flat = " ".join(f"{action.tool} {action.argument}".split())
    return flat if len(flat) <= 80 else flat[:79] + "…"


def _shown(outcome: Outcome) -> str:
    text = outcome.text.strip()
    if len(text) > _MAX_RESULT_CHARS:
        cut = len(text) - _MAX_RESULT_CHARS
        text = f"{text[:_MAX_RESULT_CHARS]} ({cut} more characters cut)"
    if outcome.status is Status.FAILED:
        return f"failed: {text}"
    if outcome.status is Status.TIMED_OUT:
        return f"timed out: {text}"
    return text or "(no output)"


async def _ask(tool: Tool, argument: str) -> str:
    return await tool.run(argument)


async def _fail(problem: InputError) -> str:
    raise problem
