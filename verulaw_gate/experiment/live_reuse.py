"""A candidate that already has a result in its episode: it is not sent again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from verulaw_gate.experiment.model import GenerationRecord, TextOf
from verulaw_gate.findings import Finding
from verulaw_gate.gate.known import normal_hash
from verulaw_gate.gate.model import Decision, GateResult
from verulaw_gate.record.events import (
    Feedback,
    Purpose,
    Resolution,
    VerificationDone,
    VerusRequest,
)
from verulaw_gate.record.store import sha256_of
from verulaw_gate.tasks.assemble import STRICT
from verulaw_gate.verus.model import Outcome

DEFINITE = frozenset({Outcome.VERIFIED, Outcome.PROOF_FAILURE, Outcome.COMPILE_ERROR})
"""Outcomes that another run would give again."""


@dataclass(frozen=True, slots=True)
class Known:
    """An earlier result: of which generation, the result, what the model was told then."""

    generation: int
    result: VerificationDone
    told: str


def known_result(source: str, history: Sequence[GenerationRecord], stored: TextOf) -> Known | None:
    """The first definite result of an earlier candidate that is the same as `source` up to
    comments and blanks; None when there is none."""
    wanted = normal_hash(source)
    for number, record in enumerate(history, 1):
        for event in record.events:
            if (
                not isinstance(event, VerificationDone)
                or event.purpose is not Purpose.MEASURE
                or event.outcome not in DEFINITE
                or event.unstable
            ):
                continue
            before = stored(event.source_sha256)
            if before is not None and normal_hash(before) == wanted:
                reply = next((e for e in record.events if isinstance(e, Feedback)), None)
                told = stored(reply.text_sha256) if reply and reply.text_sha256 else None
                return Known(number, event, told or "")
    return None


def as_known(result: GateResult, generation: int) -> GateResult:
    """The gate's result with the decision to reuse, and VG501 that says which one."""
    message = f"the same candidate already has a result: that of attempt {generation}"
    found = Finding("VG501", message, hint="it is not sent again")
    findings = (*result.findings, found)
    return replace(result, decision=Decision.REUSED, findings=findings, raw=None)


def reuse_events(
    result: GateResult, earlier: VerificationDone
) -> tuple[VerusRequest, VerificationDone]:
    """The request and the result as events: the figures are those of the first execution, and
    nothing was executed now."""
    assert result.source is not None
    sha256 = sha256_of(result.source)
    extractor = result.assembly.extractor if result.assembly else STRICT
    request = VerusRequest(
        resolution=Resolution.REUSE,
        source_sha256=sha256,
        source_kind=result.source_kind,
        extractor=extractor,
        options=earlier.options,
        heard=True,
    )
    changed = {
        "source_sha256": sha256,
        "source_kind": result.source_kind,
        "extractor": extractor,
        "origin": "cache",
    }
    return request, earlier.model_copy(update=changed)
