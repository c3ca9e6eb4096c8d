"""The end of an episode, from the stored events of its generations alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from verulaw_gate.experiment.model import Budgets
from verulaw_gate.gate.model import SourceKind
from verulaw_gate.record.events import (
    Budget,
    Disposition,
    EpisodeClosed,
    EpisodeResult,
    Event,
    Form,
    GateDecision,
    Generation,
    GenerationClosed,
    Judgement,
    MonitorVerdict,
    Purpose,
    Resolution,
    VerificationDone,
    VerusRequest,
)
from verulaw_gate.verus.model import Outcome

_PROOF = frozenset({Outcome.PROOF_FAILURE, Outcome.RLIMIT})
_COUNTED = frozenset({Resolution.EXECUTION, Resolution.RECORDED})


def result_of(generation: Sequence[Event]) -> EpisodeResult | None:
    """How a generation ends its episode; None: it does not.

    A source that Verus verified ends it: as honest success, cheat, or unjudged. A repaired
    source ends it as well as a raw one, where the loop sent it.
    """
    judgements = [e for e in generation if isinstance(e, Judgement)]
    if not judgements:
        return None
    if any(j.honest is True for j in judgements):
        return EpisodeResult.HONEST_SUCCESS
    if any(j.honest is False for j in judgements):
        return EpisodeResult.CHEAT
    return EpisodeResult.UNJUDGED


def spent(generations: Iterable[Sequence[Event]]) -> EpisodeClosed:
    """The totals of these generations, as an end that is censored by nothing yet."""
    events = [list(g) for g in generations]
    flat = [event for generation in events for event in generation]
    made = [e for e in flat if isinstance(e, Generation)]
    asked = [e for e in flat if isinstance(e, VerusRequest) and e.purpose is Purpose.MEASURE]
    loop = [e for e in asked if _of_loop(e)]
    paid = {(e.source_sha256, e.source_kind) for e in loop if e.resolution in _COUNTED}
    results = [
        e
        for e in flat
        if isinstance(e, VerificationDone)
        and e.purpose is Purpose.MEASURE
        and (e.source_sha256, e.source_kind) in paid
        and e.origin != "cache"
    ]
    first = [_first_result(g) for g in events]
    return EpisodeClosed(
        result=EpisodeResult.CENSORED,
        generations=sum(not failed(g) for g in events),
        executions=sum(e.resolution in _COUNTED for e in loop),
        silent_executions=sum(e.resolution is Resolution.EXECUTION for e in asked)
        - sum(e.resolution is Resolution.EXECUTION for e in loop),
        compile_retries=sum(o is Outcome.COMPILE_ERROR for o in first),
        proof_retries=sum(o in _PROOF for o in first),
        prompt_tokens=_sum_int([g.prompt_tokens for g in made]),
        completion_tokens=_sum_int([g.completion_tokens for g in made]),
        spent_tokens=_spent_tokens(made),
        model_seconds=_sum([g.seconds for g in made]),
        verus_seconds=_sum([r.wall_s for r in results]),
        gate_seconds=_sum([_gate_seconds(g) for g in events if _judged(g)]),
        cost_usd=_sum([g.cost_usd for g in made]),
    )


def close(generations: Sequence[Sequence[Event]], censored_by: Budget) -> EpisodeClosed:
    """The end of an episode: at the first generation that a judge ends, or censored.

    Totals are those up to the end; later generations (a log that goes on) are not in them.
    """
    for number, generation in enumerate(generations, 1):
        result = result_of(generation)
        if result is not None:
            return spent(generations[:number]).model_copy(update={"result": result})
    return spent(generations).model_copy(update={"censored_by": censored_by})


def used_up(totals: EpisodeClosed, budgets: Budgets) -> Budget | None:
    """The first budget that is used up, None when the episode may go on."""
    seconds = _sum([totals.model_seconds, totals.verus_seconds], needs_all=False)
    for budget, limit, used in (
        (Budget.GENERATIONS, budgets.generations, totals.generations),
        (Budget.EXECUTIONS, budgets.executions, totals.executions),
        (Budget.SECONDS, budgets.seconds, seconds),
        (Budget.TOKENS, budgets.tokens, totals.spent_tokens),
        (Budget.MONEY, budgets.cost_usd, totals.cost_usd),
    ):
        if limit is not None and used is not None and used >= limit:
            return budget
    return None


def failed(generation: Sequence[Event]) -> bool:
    """Whether the model gave no answer: such a generation is none."""
    return any(
        isinstance(e, GenerationClosed) and e.disposition is Disposition.MODEL_ERROR
        for e in generation
    )


def _judged(generation: Sequence[Event]) -> bool:
    return any(isinstance(e, GateDecision) and e.decision is not None for e in generation)


def _gate_seconds(generation: Sequence[Event]) -> float | None:
    """What gating cost: the raw trace's verdict (or the raw source's, where no trace was checked)
    and the monitor where it was timed alone."""
    raw = [
        e
        for e in generation
        if isinstance(e, GateDecision)
        and e.decision is not None
        and e.source_kind is not SourceKind.REPAIRED
    ]
    chosen = next((e for e in raw if e.form is Form.TRACE), raw[0] if raw else None)
    if chosen is None or chosen.seconds is None:
        return None
    alone = next((e.seconds for e in generation if isinstance(e, MonitorVerdict)), None)
    return chosen.seconds + (alone or 0.0)


def _of_loop(request: VerusRequest) -> bool:
    """Whether the loop itself asked: what it heard, or (in a recorded loop) what was recorded."""
    return request.heard or (
        request.resolution is Resolution.RECORDED and request.source_kind is SourceKind.RAW
    )


def _first_result(generation: Sequence[Event]) -> Outcome | None:
    return next(
        (
            e.outcome
            for e in generation
            if isinstance(e, VerificationDone) and e.purpose is Purpose.MEASURE
        ),
        None,
    )


def _sum(values: Sequence[float | None], *, needs_all: bool = True) -> float | None:
    """The sum; None when nothing was measured or (needs_all) something was not."""
    known = [v for v in values if v is not None]
    if not known or (needs_all and len(known) < len(values)):
        return None
    return sum(known)


def _spent_tokens(made: Sequence[Generation]) -> int | None:
    """All tokens, counted or estimated: a stream that we stopped has no count, and a budget that
    waits for one is none."""
    known = [
        g.estimated_tokens
        if g.estimated_tokens is not None
        else _sum_int([g.prompt_tokens, g.completion_tokens])
        for g in made
    ]
    counted = [tokens for tokens in known if tokens is not None]
    return sum(counted) if counted else None


def _sum_int(values: Sequence[int | None]) -> int | None:
    known = [v for v in values if v is not None]
    return sum(known) if known and len(known) == len(values) else None
