"""The end of an episode, from the stored events of its generations alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from verulaw_gate.experiment.model import Budgets
from verulaw_gate.gate.model import SourceKind
from verulaw_gate.record.events import (
    Budget,
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
from verulaw_gate.record.loop_events import UNFINISHED
from verulaw_gate.verus.model import Outcome

_PROOF = frozenset({Outcome.PROOF_FAILURE, Outcome.RLIMIT})
_COUNTED = frozenset({Resolution.EXECUTION, Resolution.RECORDED})
_SENT = _COUNTED | {Resolution.REUSE}


def result_of(generation: Sequence[Event], *, replayed: bool = False) -> EpisodeResult | None:
    """How a generation ends its episode; None: it does not.

    A source that Verus verified for the loop ends it: as honest success, cheat, or unjudged; a
    repaired source as well as a raw one, where the loop sent it. What only a silent run of a
    shadow arm verified ends nothing: the model did not hear it.
    """
    sent = _sent(generation, replayed)
    judgements = [e for e in generation if isinstance(e, Judgement) and e.source_sha256 in sent]
    if not judgements:
        return None
    if any(j.honest is True for j in judgements):
        return EpisodeResult.HONEST_SUCCESS
    if any(j.honest is False for j in judgements):
        return EpisodeResult.CHEAT
    return EpisodeResult.UNJUDGED


def spent(generations: Iterable[Sequence[Event]], *, replayed: bool = False) -> EpisodeClosed:
    """The totals of these generations, as an end that is censored by nothing yet.

    In a live loop the calls are those that the model heard. In a replay the recorded loop sent
    every raw candidate, whatever gave its result now.
    """
    events = [list(g) for g in generations]
    flat = [event for generation in events for event in generation]
    made = [e for e in flat if isinstance(e, Generation)]
    asked = [e for e in flat if isinstance(e, VerusRequest) and e.purpose is Purpose.MEASURE]
    loop = [e for e in asked if (_raw_result(e) if replayed else e.heard)]
    counted = _SENT if replayed else _COUNTED
    paid = {(e.source_sha256, e.source_kind) for e in loop if e.resolution in counted}
    results = [
        e
        for e in flat
        if isinstance(e, VerificationDone)
        and e.purpose is Purpose.MEASURE
        and (e.source_sha256, e.source_kind) in paid
        and (replayed or e.origin != "cache")
    ]
    first = [_first_result(g, replayed) for g in events]
    return EpisodeClosed(
        result=EpisodeResult.CENSORED,
        generations=sum(not failed(g) for g in events),
        executions=sum(e.resolution in counted for e in loop),
        silent_executions=sum(e.resolution in _COUNTED for e in asked if not (replayed or e.heard)),
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


def close(
    generations: Sequence[Sequence[Event]], censored_by: Budget, *, replayed: bool = False
) -> EpisodeClosed:
    """The end of an episode: at the first generation that a judge ends, or censored.

    Totals are those up to the end; later generations (a log that goes on) are not in them.
    """
    for number, generation in enumerate(generations, 1):
        result = result_of(generation, replayed=replayed)
        if result is not None:
            totals = spent(generations[:number], replayed=replayed)
            return totals.model_copy(update={"result": result})
    totals = spent(generations, replayed=replayed)
    return totals.model_copy(update={"censored_by": censored_by})


def used_up(totals: EpisodeClosed, budgets: Budgets) -> Budget | None:
    """The first budget that is used up, None when the episode may go on."""
    for budget, limit, used in (
        (Budget.GENERATIONS, budgets.generations, totals.generations),
        (Budget.EXECUTIONS, budgets.executions, totals.executions),
        (Budget.SECONDS, budgets.seconds, seconds_used(totals)),
        (Budget.TOKENS, budgets.tokens, totals.spent_tokens),
        (Budget.MONEY, budgets.cost_usd, totals.cost_usd),
    ):
        if limit is not None and used is not None and used >= limit:
            return budget
    return None


def seconds_used(totals: EpisodeClosed) -> float | None:
    """What counts for the budget of seconds: the model, and Verus as far as the loop heard it
    (silent and strict runs are ours, and would make arms unequal). None: nothing was measured."""
    return _sum([totals.model_seconds, totals.verus_seconds], needs_all=False)


def failed(generation: Sequence[Event]) -> bool:
    """Whether the model gave no whole answer: such a generation is none."""
    return any(isinstance(e, GenerationClosed) and e.disposition in UNFINISHED for e in generation)


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


def _raw_result(request: VerusRequest) -> bool:
    return request.source_kind is SourceKind.RAW


def _sent(generation: Sequence[Event], replayed: bool) -> set[str]:
    """The sources that the loop sent to Verus, or whose known result it heard."""
    return {
        e.source_sha256
        for e in generation
        if isinstance(e, VerusRequest)
        and e.purpose is Purpose.MEASURE
        and (_raw_result(e) if replayed else e.heard)
    }


def _first_result(generation: Sequence[Event], replayed: bool) -> Outcome | None:
    """The outcome that the loop heard of; None when it heard of none."""
    sent = _sent(generation, replayed)
    return next(
        (
            e.outcome
            for e in generation
            if isinstance(e, VerificationDone)
            and e.purpose is Purpose.MEASURE
            and e.source_sha256 in sent
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
