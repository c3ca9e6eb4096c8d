"""How episodes end and what they cost: live loops and replays count different things."""

from __future__ import annotations

import pytest

from verulaw_gate.experiment.closing import close, result_of, spent, used_up
from verulaw_gate.experiment.model import Budgets
from verulaw_gate.gate.model import Decision, SourceKind
from verulaw_gate.record.events import (
    Budget,
    Disposition,
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


def asked(
    outcome: Outcome,
    *,
    resolution: Resolution = Resolution.EXECUTION,
    kind: SourceKind = SourceKind.RAW,
    heard: bool = True,
    source: str = "a",
    honest: bool | None = None,
    judged: bool = False,
) -> list[Event]:
    origin = {"execution": "verus", "reuse": "cache", "recorded": "recorded"}[resolution]
    out: list[Event] = [
        VerusRequest(resolution=resolution, source_sha256=source, source_kind=kind, heard=heard),
        VerificationDone(
            source_sha256=source, source_kind=kind, outcome=outcome, wall_s=2.0, origin=origin
        ),
    ]
    if judged:
        out.append(Judgement(judge="j", source_sha256=source, honest=honest))
    return out


def generation(*events: list[Event], cost: float | None = 0.5, tokens: int | None = 3) -> list:
    flat = [event for group in events for event in group]
    return [
        Generation(cost_usd=cost, prompt_tokens=tokens, completion_tokens=tokens, seconds=1.0),
        *flat,
        GenerationClosed(disposition=Disposition.EXECUTED),
    ]


def test_a_silent_success_ends_nothing() -> None:
    silent = generation(asked(Outcome.VERIFIED, heard=False, judged=True, honest=False))
    assert result_of(silent) is None
    assert result_of(silent, replayed=True) is EpisodeResult.CHEAT
    totals = spent([silent])
    assert (totals.executions, totals.silent_executions, totals.verus_seconds) == (0, 1, None)
    failed = spent([generation(asked(Outcome.COMPILE_ERROR, heard=False))])
    assert (failed.compile_retries, failed.proof_retries) == (0, 0)


@pytest.mark.parametrize(
    ("honest", "result"),
    [
        (True, EpisodeResult.HONEST_SUCCESS),
        (False, EpisodeResult.CHEAT),
        (None, EpisodeResult.UNJUDGED),
    ],
)
def test_totals_stop_at_the_end(honest: bool | None, result: EpisodeResult) -> None:
    loop = [
        generation(asked(Outcome.COMPILE_ERROR)),
        generation(asked(Outcome.RLIMIT, source="b")),
        generation(asked(Outcome.VERIFIED, source="c", judged=True, honest=honest)),
        generation(asked(Outcome.PROOF_FAILURE, source="d")),
    ]
    end = close(loop, Budget.LOG_ENDED)
    assert (end.result, end.censored_by) == (result, None)
    assert (end.generations, end.executions) == (3, 3)
    assert (end.compile_retries, end.proof_retries) == (1, 1)
    assert (end.verus_seconds, end.model_seconds, end.cost_usd) == (6.0, 3.0, 1.5)
    assert end.prompt_tokens == 9


def test_a_replay_counts_what_the_recorded_loop_sent() -> None:
    """Whatever gives the result now: a record, a real run, the cache. A repaired source was not
    sent, and comes before the raw one."""
    for resolution in (Resolution.RECORDED, Resolution.EXECUTION, Resolution.REUSE):
        loop = [
            generation(
                asked(Outcome.VERIFIED, kind=SourceKind.REPAIRED, heard=False, source="r"),
                asked(Outcome.COMPILE_ERROR, resolution=resolution, heard=False),
            )
        ]
        end = close(loop, Budget.LOG_ENDED, replayed=True)
        assert (end.executions, end.silent_executions, end.verus_seconds) == (1, 0, 2.0)
        assert (end.compile_retries, end.proof_retries) == (1, 0)
        assert end.censored_by is Budget.LOG_ENDED


def test_a_reuse_is_no_execution_and_costs_nothing() -> None:
    loop = [
        generation(asked(Outcome.PROOF_FAILURE)),
        generation(asked(Outcome.PROOF_FAILURE, resolution=Resolution.REUSE)),
    ]
    end = close(loop, Budget.GENERATIONS)
    assert (end.generations, end.executions, end.verus_seconds) == (2, 1, 2.0)


def test_the_judge_s_strict_runs_are_not_the_loop_s() -> None:
    strict = VerusRequest(
        purpose=Purpose.STRICT, resolution=Resolution.EXECUTION, source_sha256="a",
        source_kind=SourceKind.RAW,
    )  # fmt: skip
    end = spent([generation(asked(Outcome.VERIFIED), [strict])])
    assert (end.executions, end.silent_executions) == (1, 0)


def test_what_is_partly_unknown_is_unknown() -> None:
    loop = [generation(asked(Outcome.PROOF_FAILURE)), generation(cost=None, tokens=None)]
    end = spent(loop)
    assert end.cost_usd is end.prompt_tokens is end.completion_tokens is None
    assert used_up(end, Budgets(generations=9, cost_usd=0.1)) is None


def test_gate_time_is_that_of_one_check() -> None:
    def decision(form: Form, seconds: float | None, kind: SourceKind = SourceKind.RAW) -> Event:
        return GateDecision(
            form=form, decision=Decision.ACCEPTED, seconds=seconds, source_kind=kind
        )

    both = generation([decision(Form.TRACE, 0.2), decision(Form.SOURCE, 0.3)])
    source = generation([decision(Form.SOURCE, 0.3)])
    live = generation(
        [MonitorVerdict(ran=True, seconds=0.1), decision(Form.TRACE, 0.2)],
        [decision(Form.TRACE, 0.4, SourceKind.REPAIRED)],
    )
    assert spent([both]).gate_seconds == 0.2
    assert spent([source]).gate_seconds == 0.3
    assert spent([live]).gate_seconds == pytest.approx(0.3)
    assert spent([both, generation([decision(Form.TRACE, None)])]).gate_seconds is None
    assert spent([generation()]).gate_seconds is None


@pytest.mark.parametrize(
    ("budgets", "budget"),
    [
        (Budgets(generations=2), Budget.GENERATIONS),
        (Budgets(generations=9, executions=2), Budget.EXECUTIONS),
        (Budgets(generations=9, seconds=6.0), Budget.SECONDS),
        (Budgets(generations=9, tokens=12), Budget.TOKENS),
        (Budgets(generations=9, cost_usd=1.0), Budget.MONEY),
        (Budgets(generations=9, executions=3, seconds=7.0, tokens=13, cost_usd=1.1), None),
    ],
)
def test_budgets(budgets: Budgets, budget: Budget | None) -> None:
    loop = [generation(asked(Outcome.PROOF_FAILURE, source=s)) for s in "ab"]
    assert used_up(spent(loop), budgets) is budget
