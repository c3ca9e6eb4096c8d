"""The prompt of a proof task: what to do, the format, examples, the task.

Everything comes from the task and the protocol file; the text is the same for the same input.
"""

from __future__ import annotations

from collections.abc import Sequence

from verulaw_gate.agent.explain import explain
from verulaw_gate.agent.model import Message, Prompt, Role
from verulaw_gate.errors import UsageError
from verulaw_gate.protocol import Protocol
from verulaw_gate.tasks.model import Task, TaskKind

_INTRODUCTION = (
    "You write proofs in Rust for the Verus verifier. You are given a fixed file with two holes: "
    "the line `//@ lemmas` is replaced by your lemmas, the line `//@ body` by your body, which is "
    "the block of the target function. Nothing else of the file can be changed. Verus checks the "
    "whole file: every loop needs its invariants and a decreases clause, every recursive function "
    "a decreases clause. Do not use assume, admit, external_body or any other way to skip a proof: "
    "such answers are not proofs and are rejected."
)
_KINDS = {
    TaskKind.EXEC: "Write the body of `{target}` and its proof.",
    TaskKind.PROOF: "Prove `{target}`.",
    TaskKind.ANNOTATE: "The body of `{target}` must be the given code; add only proof annotations "
    "to it (invariants, decreases, assertions, proof blocks).",
}


def task_text(task: Task) -> str:
    """A task as the model sees it."""
    lines = [
        f"{task.title}: {task.statement}",
        _KINDS[task.kind].format(target=task.target),
        "",
        "The fixed file:",
        task.source.rstrip("\n"),
    ]
    if task.exec_body is not None:
        lines += ["", "The given code of the body:", task.exec_body.rstrip("\n")]
    return "\n".join(lines)


def task_marker(protocol: Protocol) -> str:
    """The marker under which the task is given; empty when the protocol has none for it."""
    return next((state.text for state in protocol.states if state.env_input), "")


def task_prompt(
    task: Task, protocol: Protocol, *, examples: Sequence[Task] = (), tools: str = ""
) -> Prompt:
    """The first prompt of an episode. `examples` are other tasks whose references are shown;
    `tools` describes the tools there are.

    Raises UsageError when the task itself is among its examples, or an example has no reference.
    """
    parts = [_INTRODUCTION, "", explain(protocol)]
    if tools:
        parts += ["", "Tools:", tools]
    messages: list[Message] = []
    marker = task_marker(protocol)
    for example in examples:
        if example.id == task.id:
            raise UsageError(
                f"{task.id} would be its own example", hint="name another task in --example"
            )
        if not example.reference:
            raise UsageError(f"{example.id} has no reference to show")
        messages.append(Message(Role.USER, f"{marker}\n{task_text(example)}".lstrip("\n")))
        messages.append(Message(Role.ASSISTANT, example.reference.replace("\r\n", "\n").strip()))
    messages.append(Message(Role.USER, f"{marker}\n{task_text(task)}".lstrip("\n")))
    return Prompt("\n".join(parts), tuple(messages))


def continued(prompt: Prompt, answer: str, reply: str) -> Prompt:
    """The conversation after an answer and what it was answered with. An empty answer (nothing
    of it was accepted) leaves no message: endpoints refuse empty ones."""
    said = (Message(Role.ASSISTANT, answer),) if answer.strip() else ()
    return Prompt(prompt.system, (*prompt.messages, *said, Message(Role.USER, reply)))
