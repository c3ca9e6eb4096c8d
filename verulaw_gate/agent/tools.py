"""Tools for agents: `verus`, `search_vstd`, `calculator`.

A tool is asked with one text and answers with one text. It declares what it reads and writes; on
that PASS decides what may run at once. No tool reaches a shell, and none writes a file that the
model names.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Protocol as TypingProtocol

import anyio.to_thread

from verulaw_gate.agent.calculator import calculate
from verulaw_gate.agent.feedback import gate_feedback, verus_feedback
from verulaw_gate.agent.schedule import Resources
from verulaw_gate.agent.threads import verify
from verulaw_gate.agent.vstd_items import vstd_items
from verulaw_gate.errors import InputError, UsageError
from verulaw_gate.gate.context import View
from verulaw_gate.gate.model import GateResult
from verulaw_gate.tasks.assemble import assemble_lenient
from verulaw_gate.tasks.model import Assembly, Task
from verulaw_gate.verus import RECORDED_OPTIONS, Outcome, Verifier, VerusOptions
from verulaw_gate.verus.workdir import base_dir


class Tool(TypingProtocol):
    """A tool. `summary` is one line for the model."""

    @property
    def name(self) -> str:
        """What the model writes to call it."""

    @property
    def summary(self) -> str:
        """What it does and how it is asked, in one line."""

    @property
    def resources(self) -> Resources:
        """What it reads and writes."""

    async def run(self, argument: str) -> str:
        """The answer. Raises VerulawError, OSError or ValueError when it has none."""


class Calculator:
    """Exact arithmetic (see `calculator.calculate`). Touches nothing."""

    name = "calculator"
    summary = "exact arithmetic, for example (2**32 - 1) // 7"
    resources = Resources()

    async def run(self, argument: str) -> str:
        """The value of the expression."""
        return calculate(argument)


class VerusTool:
    """Ask Verus about lemmas, or about the whole candidate when there is a [Body] in the text.

    Lemmas alone are checked in the task's file without its target. `gate` judges the file first
    and its refusal is the answer: what it rejects is not a proof even where Verus accepts it.
    """

    name = "verus"
    summary = (
        "check [Lemma]/[Body] sections, or bare lemma items, against the task; answers with "
        "Verus's errors"
    )

    def __init__(
        self,
        task: Task,
        verifier: Verifier,
        *,
        gate: Callable[[str], GateResult] | None = None,
        options: VerusOptions = RECORDED_OPTIONS,
        feedback_tokens: int = 600,
    ) -> None:
        self._task, self._verifier, self._gate = task, verifier, gate
        self._options, self._tokens = options, feedback_tokens

    @property
    def resources(self) -> Resources:
        """Reads the task. A run of Verus works in a directory that is its own."""
        private = frozenset({"process", f"file:{base_dir()}"})
        return Resources(reads=frozenset({"task"}), private=private)

    async def run(self, argument: str) -> str:
        """What the gate or Verus says. Raises InputError for an empty text."""
        if not argument.strip():
            raise InputError("nothing to check", hint="give lemma items, or [Body] and its block")
        whole = any(line.startswith("[Body]") for line in argument.splitlines())
        assembly = assemble_lenient(self._task, argument) if whole else self._lemmas(argument)
        target = self._task.target if whole else None
        about = f"`{self._task.target}`" if whole else "the lemmas (the target is left out)"
        if self._gate is not None:
            judged = await anyio.to_thread.run_sync(self._gate, assembly.source)
            if judged.findings and not judged.accepted:
                return gate_feedback(judged.findings, assembly.source, tokens=self._tokens)
        result = await verify(self._verifier, assembly.source, self._options, target=target)
        if result.outcome is Outcome.VERIFIED and (result.target_proved or not whole):
            count = "" if result.verified is None else f" ({result.verified} verified)"
            return f"Verus accepts {about}{count}."
        return verus_feedback(result, assembly, self._task.target, tokens=self._tokens)

    def _lemmas(self, argument: str) -> Assembly:
        marked = argument if argument.lstrip().startswith("[Lemma]") else f"[Lemma]\n{argument}"
        return without_target(
            assemble_lenient(self._task, f"{marked}\n[Body]\n{{\n}}\n[QED]\n"), self._task.target
        )


class SearchVstd:
    """Find public items of vstd by words of their name and signature. `index` None: the shipped
    one. Says which vstd it knows."""

    name = "search_vstd"
    summary = "find lemmas and functions of vstd by words of their name and types: seq push len"
    resources = Resources(reads=frozenset({"vstd"}))

    def __init__(self, index: Path | None = None, *, limit: int = 8) -> None:
        self._index, self._limit = index, limit

    async def run(self, argument: str) -> str:
        """The items that fit best, one a line. Raises InputError for a text without words and
        for an index that cannot be read."""
        if not any(c.isalnum() for c in argument):
            raise InputError("no words to search for", hint="like: seq push len")
        index = await anyio.to_thread.run_sync(vstd_items, self._index)
        found = await anyio.to_thread.run_sync(partial(index.search, argument, limit=self._limit))
        if not found:
            return f"vstd {index.version} has nothing with these words."
        return "\n".join([f"vstd {index.version}:", *(f"- {i.path}: {i.text}" for i in found)])


def without_target(assembly: Assembly, target: str) -> Assembly:
    """The same file without the target's function. Raises UsageError when it is not there."""
    view = View(assembly.source)
    name = target.rsplit("::", 1)[-1]
    found = [item for item in view.all_items if item.kind == "fn" and item.name == name]
    if not found:
        raise UsageError(f"the file has no function {target}")
    start, end = view.tokens.starts[found[-1].first], view.tokens.ends[found[-1].last]
    pieces = tuple(p for p in assembly.pieces if p.source_end <= start)
    source = assembly.source[:start] + assembly.source[end:]
    return Assembly(source, assembly.extractor, pieces)


class ToolBox:
    """Tools by name. Raises UsageError for two of one name."""

    def __init__(self, tools: Sequence[Tool] = ()) -> None:
        self._tools = {tool.name: tool for tool in tools}
        if len(self._tools) != len(tools):
            raise UsageError("two tools have the same name")

    def describe(self) -> str:
        """One line for each tool, for the prompt; empty when there is none."""
        return "\n".join(f"- {tool.name}: {tool.summary}" for tool in self._tools.values())

    def find(self, name: str) -> Tool:
        """The tool that a model's text names. Raises InputError with the names there are."""
        tool = self._tools.get(name.strip())
        if tool is None:
            known = ", ".join(self._tools) or "none"
            raise InputError(f"no tool {name.strip()[:60]!r}; tools: {known}")
        return tool
