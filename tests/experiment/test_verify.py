"""Asking a verifier: each answer is one of four resolutions, flaky ones are tried again."""

from __future__ import annotations

import pytest

from verulaw_gate.errors import RecordedMiss, ToolError
from verulaw_gate.experiment.verify import Question, ask, strictly
from verulaw_gate.record.events import Purpose, Resolution, VerificationDone, VerusRequest
from verulaw_gate.verus.model import (
    RECORDED_OPTIONS,
    STRICT_OPTIONS,
    Outcome,
    Verification,
    VerusOptions,
)


class StandInVerifier:
    """Says the given outcomes, one after the other. Not Verus."""

    def __init__(self, *outcomes: Outcome | Exception, origin: str = "verus") -> None:
        self.outcomes, self.origin, self.calls = list(outcomes), origin, 0

    def verify(
        self, source: str, options: VerusOptions = RECORDED_OPTIONS, *, target: str | None = None
    ) -> Verification:
        said = self.outcomes[min(self.calls, len(self.outcomes) - 1)]
        self.calls += 1
        if isinstance(said, Exception):
            raise said
        return Verification(said, None, "0" * 64, options, origin=self.origin)


QUESTION = Question("fn main() {}", RECORDED_OPTIONS, heard=True)


@pytest.mark.parametrize(
    ("origin", "resolution"),
    [
        ("verus", Resolution.EXECUTION),
        ("cache", Resolution.REUSE),
        ("recorded", Resolution.RECORDED),
    ],
)
def test_where_a_result_comes_from(origin: str, resolution: Resolution) -> None:
    asked = ask(StandInVerifier(Outcome.VERIFIED, origin=origin), QUESTION)
    request, done = asked.events
    assert isinstance(request, VerusRequest)
    assert isinstance(done, VerificationDone)
    assert (request.resolution, request.heard, done.tries) == (resolution, True, ())


def test_a_miss_is_unscored_with_its_reason() -> None:
    asked = ask(StandInVerifier(RecordedMiss("nothing recorded")), QUESTION)
    assert asked.result is None
    assert [e.kind for e in asked.events] == ["verus-request"]
    request = asked.events[0]
    assert isinstance(request, VerusRequest)
    assert (request.resolution, request.reason) == (Resolution.UNSCORED, "nothing recorded")


def test_other_tool_errors_pass() -> None:
    with pytest.raises(ToolError, match="no z3"):
        ask(StandInVerifier(ToolError("no z3")), QUESTION)


@pytest.mark.parametrize(
    ("outcomes", "tries", "unstable"),
    [
        ([Outcome.RLIMIT] * 3, 3, False),
        ([Outcome.TIMEOUT, Outcome.VERIFIED], 2, True),
        ([Outcome.RLIMIT, Outcome.TIMEOUT, Outcome.PROOF_FAILURE], 3, True),
        ([Outcome.RLIMIT, Outcome.RLIMIT, Outcome.RLIMIT, Outcome.VERIFIED], 3, False),
        ([Outcome.PROOF_FAILURE], 0, False),
    ],
)
def test_flaky_outcomes_are_tried_three_times(
    outcomes: list[Outcome], tries: int, unstable: bool
) -> None:
    verifier = StandInVerifier(*outcomes)
    asked = ask(verifier, QUESTION)
    done = asked.events[-1]
    assert isinstance(done, VerificationDone)
    assert verifier.calls == max(tries, 1)
    assert done.tries == tuple(outcomes[:tries])
    assert (done.unstable, asked.unstable) == (unstable, unstable)
    assert asked.result is not None
    assert asked.result.outcome is outcomes[max(tries, 1) - 1]


def test_records_are_not_asked_again() -> None:
    verifier = StandInVerifier(Outcome.TIMEOUT, origin="recorded")
    assert ask(verifier, QUESTION).result is not None
    assert verifier.calls == 1


def test_the_strict_question_is_the_judge_s_own() -> None:
    strict = strictly(QUESTION, STRICT_OPTIONS)
    assert (strict.purpose, strict.heard, strict.options) == (Purpose.STRICT, False, STRICT_OPTIONS)
    assert strict.source == QUESTION.source
