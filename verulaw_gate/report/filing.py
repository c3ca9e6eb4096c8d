"""Under what a generation is filed: one outcome class, one counted family.

Every table uses these two functions, so that no two tables can file one generation in different
places.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import wraps
from typing import TypeVar, cast

from verulaw_gate.codes import FAMILY_ORDER, PREDICTIVE, Family, Severity
from verulaw_gate.gate.model import Decision
from verulaw_gate.record.events import Form
from verulaw_gate.report.facts import GenerationFacts
from verulaw_gate.report.slim import Found
from verulaw_gate.verus.model import Outcome


class Result(StrEnum):
    """What Verus said of the candidate, as tables file it."""

    FRONT_END = "front-end failure"
    PROOF = "proof failure"
    VERIFIED = "verified"
    UNDECIDED = "undecided"
    NONE = "no result"


RESULTS: tuple[Result, ...] = tuple(Result)
DECIDED: tuple[Result, ...] = (Result.FRONT_END, Result.PROOF, Result.VERIFIED)

_BY_OUTCOME: dict[Outcome, Result] = {
    Outcome.VERIFIED: Result.VERIFIED,
    Outcome.PROOF_FAILURE: Result.PROOF,
    Outcome.RLIMIT: Result.PROOF,
    Outcome.COMPILE_ERROR: Result.FRONT_END,
    Outcome.NOT_VERIFIED: Result.UNDECIDED,
    Outcome.TIMEOUT: Result.UNDECIDED,
    Outcome.CRASH: Result.UNDECIDED,
    Outcome.TOOL_ERROR: Result.UNDECIDED,
}


class Filed(StrEnum):
    """Where a generation is filed: the first family that rejects, `accepted`, or `not judged`."""

    PROTOCOL = "protocol"
    STRUCTURE = "structure"
    SYNTAX = "syntax"
    STATIC = "static"
    INTEGRITY = "integrity"
    TRUST = "trust"
    KNOWN = "known"
    ACCEPTED = "accepted"
    NOT_JUDGED = "not judged"


FILED: tuple[Filed, ...] = tuple(Filed)
FILED_PREDICTIVE: tuple[Filed, ...] = tuple(Filed(f.value) for f in Family if f in PREDICTIVE)


T = TypeVar("T")


def _once(derive: Callable[[GenerationFacts], T]) -> Callable[[GenerationFacts], T]:
    """Derive once a generation: every table asks again, and runs have 100,000 generations."""
    name = derive.__name__

    @wraps(derive)
    def remembered(facts: GenerationFacts) -> T:
        if name not in facts.memo:
            facts.memo[name] = derive(facts)
        return cast(T, facts.memo[name])

    return remembered


@_once
def result_of(facts: GenerationFacts) -> Result:
    """The outcome class of the raw candidate. `unstable` results are undecided."""
    done = facts.measured
    if done is None:
        return Result.NONE
    return Result.UNDECIDED if done.unstable else _BY_OUTCOME[done.outcome]


def rejecting(facts: GenerationFacts, forms: Sequence[Form] = tuple(Form)) -> list[Found]:
    """All rejecting findings on the raw trace and the raw candidate. A place that both forms
    report is there twice; callers count generations, not findings, or say so."""
    found: list[Found] = []
    for form in forms:
        decision = facts.raw_decision(form)
        if decision is not None:
            found += [f for f in decision.findings if f.severity is Severity.ERROR]
    return found


@_once
def filed(facts: GenerationFacts) -> Filed:
    """The one row of every table in which this generation stands.

    The first family, in the table's order, among the rejecting findings of the raw trace and of
    the raw candidate. A monitor violation is a protocol rejection even where the gate did not
    run. `not judged`: neither the monitor nor the gate ran.
    """
    families = {f.family for f in rejecting(facts)}
    monitor = facts.monitor
    if monitor is not None and monitor.ran and monitor.violation is not None:
        families.add(Family.PROTOCOL)
    first = next((family for family in FAMILY_ORDER if family in families), None)
    if first is not None:
        return Filed(first.value)
    decisions = [d for form in Form if (d := facts.raw_decision(form)) is not None]
    if any(d.decision is Decision.REUSED for d in decisions):
        return Filed.KNOWN
    if not decisions:
        return Filed.NOT_JUDGED
    return Filed.ACCEPTED


@_once
def predictive_codes(facts: GenerationFacts) -> tuple[str, ...]:
    """Codes of the rejecting predictive findings on the file that Verus judged, each once.

    Where the protocol rejected the trace, findings on the trace are about another text than the
    file that a lenient extractor cut from it, so only findings on that file count.
    """
    forms = (Form.SOURCE,) if filed(facts) is Filed.PROTOCOL else tuple(Form)
    return tuple(sorted({f.code for f in rejecting(facts, forms) if f.family in PREDICTIVE}))


@_once
def front_end_passed(facts: GenerationFacts) -> bool | None:
    """Whether Verus's front end took the raw candidate; None when the result does not say."""
    done = facts.measured
    if done is None:
        return None
    if done.outcome is Outcome.COMPILE_ERROR:
        return False
    passed = (Outcome.VERIFIED, Outcome.PROOF_FAILURE, Outcome.RLIMIT, Outcome.NOT_VERIFIED)
    return True if done.outcome in passed else None


def first_attempts(generations: Sequence[GenerationFacts]) -> list[GenerationFacts]:
    """At most one generation a task: attempt 1 of its first loop (lowest sample, then arm).

    A task whose log begins later has none: its earliest attempt there is no first attempt.
    """
    seen: dict[str, GenerationFacts] = {}
    for facts in generations:
        if facts.key.generation != 1:
            continue
        kept = seen.get(facts.key.task)
        if kept is None or _order(facts) < _order(kept):
            seen[facts.key.task] = facts
    return [seen[task] for task in sorted(seen)]


def _order(facts: GenerationFacts) -> tuple[int, str]:
    return (facts.key.sample, facts.key.arm)
