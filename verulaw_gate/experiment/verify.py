"""Ask a verifier and say as events what was asked and what came back."""

from __future__ import annotations

from dataclasses import dataclass, replace

from verulaw_gate.errors import RecordedMiss
from verulaw_gate.gate.model import SourceKind
from verulaw_gate.record.convert import verification_event
from verulaw_gate.record.events import (
    Event,
    Purpose,
    Resolution,
    VerificationDone,
    VerusRequest,
)
from verulaw_gate.record.store import sha256_of
from verulaw_gate.verus.model import Outcome, Verification, Verifier, VerusOptions

FLAKY = frozenset({Outcome.RLIMIT, Outcome.TIMEOUT})
"""Outcomes that depend on the machine and the seed; they are tried again."""

TRIES = 3
_RESOLUTIONS = {"cache": Resolution.REUSE, "recorded": Resolution.RECORDED}


@dataclass(frozen=True, slots=True)
class Asked:
    """What a request came to: its events, and the result (None: unscored)."""

    events: tuple[Event, ...]
    result: Verification | None
    unstable: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """One source for which a result is wanted."""

    source: str
    options: VerusOptions
    target: str | None = None
    source_kind: SourceKind = SourceKind.RAW
    extractor: str = ""
    purpose: Purpose = Purpose.MEASURE
    heard: bool = False


def ask(verifier: Verifier, question: Question) -> Asked:
    """Ask for a result. A recorded miss is `unscored`, with its reason; other tool errors pass.

    A run that ended in rlimit or timeout is made again, up to three times in all; outcomes that
    differ are told as unstable and the last is the result.
    """
    try:
        result = verifier.verify(question.source, question.options, target=question.target)
    except RecordedMiss as miss:
        return Asked((_request(question, Resolution.UNSCORED, miss.message),), None)
    tries = [result.outcome]
    while result.origin == "verus" and result.outcome in FLAKY and len(tries) < TRIES:
        result = verifier.verify(question.source, question.options, target=question.target)
        tries.append(result.outcome)
    done = _done(question, result, tries if len(tries) > 1 else [])
    resolution = _RESOLUTIONS.get(result.origin, Resolution.EXECUTION)
    return Asked((_request(question, resolution), done), result, done.unstable)


def strictly(question: Question, options: VerusOptions) -> Question:
    """The same source for its strict verdict, which the model never hears. What proved the target
    is the plain run's to say."""
    return replace(question, options=options, target=None, purpose=Purpose.STRICT, heard=False)


def _request(question: Question, resolution: Resolution, reason: str = "") -> VerusRequest:
    return VerusRequest(
        purpose=question.purpose,
        resolution=resolution,
        source_sha256=sha256_of(question.source),
        source_kind=question.source_kind,
        extractor=question.extractor,
        options=question.options.args,
        heard=question.heard,
        reason=reason,
    )


def _done(question: Question, result: Verification, tries: list[Outcome]) -> VerificationDone:
    return verification_event(
        result,
        source_kind=question.source_kind,
        extractor=question.extractor,
        purpose=question.purpose,
        tries=tries,
    )
