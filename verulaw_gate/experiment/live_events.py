"""What a live generation needs from stored events, and the events it makes of a turn."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from typing import Any

from verulaw_gate.agent.metered import Meter
from verulaw_gate.agent.model import CHARACTERS_PER_TOKEN, Price, Prompt
from verulaw_gate.agent.prompting import continued
from verulaw_gate.agent.turn import Turn
from verulaw_gate.errors import StoreError
from verulaw_gate.experiment.closing import seconds_used, spent
from verulaw_gate.experiment.model import Budgets, GenerationRecord, TextOf
from verulaw_gate.monitor import CorrectionMode
from verulaw_gate.monitor import CorrectionOutcome as Outcome
from verulaw_gate.record.events import (
    ArmKind,
    CorrectionIssued,
    CorrectionOutcome,
    Event,
    Feedback,
    Generation,
    MonitorVerdict,
)
from verulaw_gate.record.store import sha256_of

GATED = frozenset({ArmKind.ON, ArmKind.SHADOW_ON})
"""Arms in which the model hears the gate."""


def prompt_text(prompt: Prompt) -> str:
    """A prompt as it is stored."""
    messages = [[str(m.role), m.content] for m in prompt.messages]
    return json.dumps({"system": prompt.system, "messages": messages}, ensure_ascii=False)


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
    """Seconds of the budget that are not used up; infinite without one."""
    if budgets.seconds is None:
        return math.inf
    used = seconds_used(spent([record.events for record in history]))
    return max(0.0, budgets.seconds - (used or 0.0))


def meter_for(budgets: Budgets, history: Sequence[GenerationRecord], price: Price | None) -> Meter:
    """A meter for the next generation, with what the stored ones left of the budgets. Prompts are
    estimated at the rate that the provider has counted so far."""
    totals = spent([record.events for record in history])
    made = [e for record in history for e in record.events if isinstance(e, Generation)]
    counted = [(e.prompt_chars, e.prompt_tokens) for e in made if e.prompt_chars]
    chars = sum(c or 0 for c, tokens in counted if tokens)
    tokens = sum(t or 0 for _, t in counted)
    meter = Meter(price=price)
    if budgets.tokens is not None:
        meter.tokens = budgets.tokens - (totals.spent_tokens or 0)
    if budgets.cost_usd is not None:
        meter.money = budgets.cost_usd - (totals.cost_usd or 0.0)
    meter.characters_per_token = chars / tokens if tokens else CHARACTERS_PER_TOKEN
    return meter


def correction_outcomes(
    history: Sequence[GenerationRecord],
    events: Sequence[Event],
    within: Sequence[Outcome],
    verified: bool | None,
) -> Iterator[CorrectionOutcome]:
    """What became of the corrections within this generation (`within`, as the monitor saw them),
    and of the message that ended the one before. `events` are those of this generation so far."""
    number = len(history) + 1
    for ordinal, outcome in enumerate(within):
        yield CorrectionOutcome(
            of_generation=number,
            of_ordinal=ordinal,
            next_state_legal=outcome.next_legal,
            run_complete=outcome.run_complete,
            verified=verified,
        )
    before = [e for e in history[-1].events if isinstance(e, CorrectionIssued)] if history else []
    if not before or before[-1].mode not in (None, CorrectionMode.FEEDBACK):
        return
    verdict = next(e for e in events if isinstance(e, MonitorVerdict))
    yield CorrectionOutcome(
        of_generation=number - 1,
        of_ordinal=before[-1].ordinal,
        next_state_legal=bool(verdict.steps) or verdict.violation is None,
        # A run that ended at a finding of the gate might have gone on to its end.
        run_complete=verdict.complete or (None if verdict.violation is None else False),
        verified=verified,
    )


def generation_event(
    turn: Turn, meter: Meter, origin: str, first_prompt: str | None = None
) -> Generation:
    """The event of a turn; `first_prompt` is the text of an episode's first prompt."""
    return Generation(
        text_sha256=sha256_of(turn.raw),
        final_text_sha256=None if turn.text == turn.raw else sha256_of(turn.text),
        prompt_sha256=None if first_prompt is None else sha256_of(first_prompt),
        chars=len(turn.raw),
        origin=origin,
        stop_reason=None if turn.finish is None else str(turn.finish.reason),
        stopped_early_at=turn.stopped_at,
        unread_tokens=turn.unread_tokens,
        lead_chars=turn.lead_chars,
        **_costs(meter),
    )


def cut_generation(
    text: str, meter: Meter, origin: str, problem: str, first_prompt: str | None = None
) -> Generation:
    """The event of an answer that a budget or a failing endpoint cut off. `text` is what arrived
    of it: stored, and never judged."""
    return Generation(
        text_sha256=sha256_of(text) if text else None,
        prompt_sha256=None if first_prompt is None else sha256_of(first_prompt),
        chars=len(text),
        origin=origin,
        stop_reason=problem[:300],
        **_costs(meter),
    )


def _costs(meter: Meter) -> dict[str, Any]:
    """Token figures are the provider's; where it did not count everything they are None, and our
    estimate of the whole is apart."""
    prompt, completion = meter.prompt_tokens, meter.completion_tokens
    estimated = prompt.silent or completion.silent
    return {
        "prompts": meter.prompts,
        "http_retries": meter.requests - meter.prompts,
        "prompt_chars": meter.prompt_chars,
        "answer_chars": meter.answer_chars,
        "prompt_tokens": prompt.stated,
        "completion_tokens": completion.stated,
        "estimated_tokens": prompt.total + completion.total if estimated else None,
        "seconds": meter.seconds,
        "cost_usd": meter.cost,
    }
