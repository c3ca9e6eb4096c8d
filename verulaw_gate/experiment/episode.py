"""One episode: resume, ask for generations, judge, store, end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from verulaw_gate.errors import StoreError
from verulaw_gate.experiment.closing import close, failed, result_of, spent, used_up
from verulaw_gate.experiment.judge import judge
from verulaw_gate.experiment.model import (
    CUT_BY,
    EpisodeSpec,
    GenerationRecord,
    OutOfBudget,
    Stepper,
    TextOf,
)
from verulaw_gate.experiment.verify import Question, ask, strictly
from verulaw_gate.record.events import (
    Budget,
    EpisodeClosed,
    Event,
    Generation,
    Judgement,
    Key,
    Purpose,
    VerificationDone,
)
from verulaw_gate.record.store import Store
from verulaw_gate.verus.model import STRICT_OPTIONS, Outcome, Verifier, VerusOptions


@dataclass(frozen=True, slots=True)
class Tools:
    """What an episode works with in this process: the stepper that makes generations, and the
    verifier from which the frozen judge gets its strict verdict. `close` gives back what they
    hold."""

    stepper: Stepper
    verifier: Verifier
    strict: VerusOptions = STRICT_OPTIONS
    close: Callable[[], None] = lambda: None


class Stopped(Exception):
    """The episode was asked to stop between two generations; what it has is stored."""


def run_episode(
    store: Store,
    run: str,
    spec: EpisodeSpec,
    tools: Tools,
    stop: Callable[[], bool] = lambda: False,
) -> EpisodeClosed:
    """Bring an episode to its end, from wherever it is stored, and return the end.

    Each generation is one transaction: killed at any point, the next call goes on after the last
    stored generation. Two processes on one episode do no harm: the second to store a generation
    drops its own and goes on from what is stored. Raises what the stepper and verifier raise, and
    Stopped once `stop()` is true.
    """
    history, end = _load(store, run, spec)
    uncovered: Budget | None = None
    while end is None:
        censored = uncovered or _censored(history, spec)
        if censored is not None or (history and result_of(history[-1].events) is not None):
            end = close([r.events for r in history], censored or Budget.GENERATIONS)
            key = Key(task=spec.task.id, arm=spec.arm.name, sample=spec.sample)
            if not store.append(run, key, [end]):
                _, end = _load(store, run, spec)
            continue
        if stop():
            raise Stopped
        try:
            made = judged(tools.stepper(spec, history, store.text), spec, tools, store.text)
        except OutOfBudget as ended:
            uncovered = ended.budget
            continue
        key = Key(
            task=spec.task.id,
            arm=spec.arm.name,
            sample=spec.sample,
            generation=len(history) + 1,
        )
        if store.append(run, key, made.events, made.texts):
            history.append(made)
        else:
            history, end = _load(store, run, spec)
    return end


def judged(
    record: GenerationRecord, spec: EpisodeSpec, tools: Tools, text_of: TextOf
) -> GenerationRecord:
    """The record with a judgement of every source that Verus verified for the loop, before its
    last event. Sources that only the silent runs of a shadow arm verified are judged as well."""
    more: list[Event] = []
    for event in record.events:
        if (
            not isinstance(event, VerificationDone)
            or event.purpose is not Purpose.MEASURE
            or event.outcome is not Outcome.VERIFIED
        ):
            continue
        if any(isinstance(e, Judgement) and e.source_sha256 == event.source_sha256 for e in more):
            continue
        source = record.texts.get(event.source_sha256) or text_of(event.source_sha256)
        if source is None:
            raise StoreError(
                f"the source of a verified candidate is not stored ({event.source_sha256})",
                hint="start a new run: this one can't be judged",
            )
        question = Question(
            source,
            VerusOptions(event.options),
            source_kind=event.source_kind,
            extractor=event.extractor,
        )
        strict = ask(tools.verifier, strictly(question, tools.strict))
        more.extend(strict.events)
        more.append(
            judge(
                spec.task,
                source,
                target_proved=event.target_proved,
                strict=None if strict.result is None or strict.unstable else strict.result.outcome,
            )
        )
    if not more:
        return record
    return GenerationRecord((*record.events[:-1], *more, record.events[-1]), record.texts)


def _load(
    store: Store, run: str, spec: EpisodeSpec
) -> tuple[list[GenerationRecord], EpisodeClosed | None]:
    generations: dict[int, list[Event]] = {}
    end: EpisodeClosed | None = None
    stored = store.events(run, task=spec.task.id, arm=spec.arm.name, sample=spec.sample)
    for item in stored:
        if item.key.generation:
            generations.setdefault(item.key.generation, []).append(item.event)
        elif isinstance(item.event, EpisodeClosed):
            end = item.event
    return [GenerationRecord(tuple(generations[n])) for n in sorted(generations)], end


def _censored(history: Sequence[GenerationRecord], spec: EpisodeSpec) -> Budget | None:
    """What ends the episode before another generation; None: nothing yet."""
    if not history or result_of(history[-1].events) is not None:
        return None
    last = history[-1].events
    if failed(last):
        reasons = [e.stop_reason or "" for e in last if isinstance(e, Generation)]
        return next((CUT_BY[r] for r in reasons if r in CUT_BY), Budget.MODEL_ERROR)
    return used_up(spent([r.events for r in history]), spec.budgets)
