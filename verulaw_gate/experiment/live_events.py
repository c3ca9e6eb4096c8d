"""What a live generation needs from stored events, and the events it makes of a turn."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from verulaw_gate.agent.model import Price, Prompt
from verulaw_gate.agent.prompting import continued
from verulaw_gate.agent.turn import Turn
from verulaw_gate.errors import StoreError
from verulaw_gate.experiment.model import Budgets, GenerationRecord, TextOf
from verulaw_gate.record.events import (
    ArmKind,
    Feedback,
    Generation,
    Purpose,
    VerificationDone,
)
from verulaw_gate.record.store import sha256_of
from verulaw_gate.verus.model import Outcome

GATED = frozenset({ArmKind.ON, ArmKind.SHADOW_ON})
"""Arms in which the model hears the gate."""

DEFINITE = frozenset({Outcome.VERIFIED, Outcome.PROOF_FAILURE, Outcome.COMPILE_ERROR})
"""Outcomes that another run would give again."""


def conversation_of(first: Prompt, history: Sequence[GenerationRecord], text_of: TextOf) -> Prompt:
    """The prompt after the stored generations: each answer as it stands in the conversation and
    what was said to it. A generation that got no answer from the model leaves no trace.

    Raises StoreError when a text that an event names is not stored.
    """
    prompt = first
    for record in history:
        generation = next((e for e in record.events if isinstance(e, Generation)), None)
        reply = next((e for e in record.events if isinstance(e, Feedback)), None)
        if generation is None or reply is None or reply.text_sha256 is None:
            continue
        key = generation.final_text_sha256 or generation.text_sha256
        answer = "" if key is None else _text(key, record, text_of)
        prompt = continued(prompt, answer, _text(reply.text_sha256, record, text_of))
    return prompt


def _text(key: str, record: GenerationRecord, text_of: TextOf) -> str:
    text = record.texts.get(key)
    if text is None:
        text = text_of(key)
    if text is None:
        raise StoreError(
            f"the store has lost a text of this run (sha256 {key})",
            hint="start a new run: this one cannot go on",
        )
    return text


def left_seconds(budgets: Budgets, history: Sequence[GenerationRecord]) -> float:
    """Seconds of the budget that are not used up by model and Verus; infinite without one."""
    if budgets.seconds is None:
        return math.inf
    used = 0.0
    for record in history:
        for event in record.events:
            if isinstance(event, Generation):
                used += event.seconds or 0.0
            elif isinstance(event, VerificationDone) and event.origin == "verus":
                used += event.wall_s or 0.0
    return max(0.0, budgets.seconds - used)


def results_of(
    history: Sequence[GenerationRecord],
) -> Iterator[tuple[int, VerificationDone, Feedback | None]]:
    """Definite results of earlier candidates: generation, result, what the model was told."""
    for number, record in enumerate(history, 1):
        reply = next((e for e in record.events if isinstance(e, Feedback)), None)
        for event in record.events:
            if (
                isinstance(event, VerificationDone)
                and event.purpose is Purpose.MEASURE
                and event.outcome in DEFINITE
                and not event.unstable
            ):
                yield number, event, reply


def generation_event(turn: Turn, origin: str, price: Price | None) -> Generation:
    """The event of a turn. Token figures are the provider's; where it did not count everything
    they are None and our estimate of the whole is apart."""
    prompt, completion = turn.prompt_tokens, turn.completion_tokens
    estimated = prompt.estimated + completion.estimated > 0
    return Generation(
        text_sha256=sha256_of(turn.raw),
        final_text_sha256=None if turn.text == turn.raw else sha256_of(turn.text),
        chars=len(turn.raw),
        origin=origin,
        prompts=turn.prompts,
        http_retries=turn.requests - turn.prompts,
        prompt_chars=turn.prompt_chars,
        prompt_tokens=None if prompt.estimated else prompt.measured,
        completion_tokens=None if completion.estimated else completion.measured,
        estimated_tokens=prompt.total + completion.total if estimated else None,
        seconds=turn.model_seconds,
        cost_usd=None if price is None else price.cost(prompt.total, completion.total),
        stop_reason=None if turn.finish is None else str(turn.finish.reason),
        stopped_early_at=turn.stopped_at,
        unread_tokens=turn.unread_tokens,
    )
