"""PASS on a proof task in the live loop: plan and act, then the proof; all of it recorded."""

from __future__ import annotations

import pytest

from verulaw_gate.agent.model import Capabilities
from verulaw_gate.agent.pass_loop import PassSettings, Show
from verulaw_gate.agent.scripted import ScriptedClient
from verulaw_gate.errors import UsageError
from verulaw_gate.experiment.live import LiveSettings, LiveStepper
from verulaw_gate.experiment.model import Budgets, EpisodeSpec, GenerationRecord
from verulaw_gate.gate.model import Decision
from verulaw_gate.protocol import compile_protocol, load_protocol, shipped
from verulaw_gate.record.events import (
    EVENT,
    ActionGroup,
    Arm,
    ArmKind,
    Candidate,
    Disposition,
    Feedback,
    GateDecision,
    Generation,
    GenerationClosed,
    MonitorVerdict,
    VerificationDone,
    VerusRequest,
)
from verulaw_gate.tasks import labelled_traces, load_task
from verulaw_gate.verus import Outcome, RecordedVerifier

TASK = load_task("t01-max-of-slice")
TRACES = {trace.name: trace.text for trace in labelled_traces(TASK)}
VERIFIER = RecordedVerifier.of([TASK])
PROTOCOL = load_protocol("proof-pass")
ACT = (
    "[Plan] look it up\n[Action] search_vstd\n[Action Input] seq index\n"
    "[Action] calculator\n[Action Input] 2**31 - 1\n[Action] nosuch\n[Action Input] x\n[Summary]"
)


def run(lines, generations, *, kind=ArmKind.ON, show=Show.RAW, capabilities=None, **more):
    able = {} if capabilities is None else {"capabilities": capabilities}
    client = ScriptedClient(lines, chunk=11, **able, **more)
    arm = Arm(name=kind.value, kind=kind, early_stop=kind is ArmKind.ON)
    spec = EpisodeSpec(TASK, arm, 0, 7, Budgets(generations=9))
    settings = LiveSettings(PROTOCOL, passing=PassSettings(show=show))
    history, texts = [], {}
    for _ in range(generations):
        record = LiveStepper(client, VERIFIER, settings)(spec, history, texts.get)
        texts |= record.texts
        events = tuple(EVENT.validate_json(e.model_dump_json()) for e in record.events)
        history.append(GenerationRecord(events))
    return history, client, texts


def of(record, kind):
    return [e for e in record.events if isinstance(e, kind)]


@pytest.mark.parametrize("kind", [ArmKind.ON, ArmKind.OFF, ArmKind.SHADOW_OFF, ArmKind.SHADOW_ON])
def test_from_actions_to_a_proof(kind):
    history, client, texts = run([ACT, TRACES["reference"]], 1, kind=kind)
    (record,) = history
    (group,) = of(record, ActionGroup)
    assert [(a.tool, a.status) for a in group.actions] == [
        ("search_vstd", "returned"),
        ("calculator", "returned"),
        ("nosuch", "failed"),
    ]
    assert (group.state, group.rule, group.chosen) == ("summary", "setting", "raw")
    verdict = of(record, MonitorVerdict)[0]
    assert verdict.ok
    assert verdict.complete
    steps = ["task", *verdict.steps]
    assert compile_protocol(PROTOCOL).accepts(steps)
    done = of(record, VerificationDone)[0]
    assert (done.outcome, done.target_proved) == (Outcome.VERIFIED, True)
    assert of(record, GenerationClosed)[0].disposition is Disposition.RECORDED
    generation = of(record, Generation)[0]
    assert "2. calculator 2**31 - 1: 2147483647" in texts[generation.text_sha256]
    assert generation.prompts == 2
    assert "search_vstd" in client.prompts[0].system
    # One request for Verus: no tool of a measured loop runs it.
    assert len(of(record, VerusRequest)) == 1


def test_a_failure_is_answered_and_the_next_generation_sees_it():
    lines = [ACT, TRACES["fail-no-witness"], TRACES["reference"]]
    history, client, _ = run(lines, 2)
    assert of(history[0], VerificationDone)[0].outcome is Outcome.PROOF_FAILURE
    assert "could not prove" in client.prompts[2].messages[-1].content
    assert "[Summary]" in client.prompts[2].messages[-2].content
    assert of(history[1], VerificationDone)[0].outcome is Outcome.VERIFIED


def test_a_cheat_is_stopped_and_told():
    history, _, texts = run([ACT, TRACES["gate-assume-tail"], TRACES["reference"]], 2)
    generation = of(history[0], Generation)[0]
    assert generation.stopped_early_at is not None
    decision = of(history[0], GateDecision)[0]
    assert decision.decision is Decision.REJECTED
    assert "VG301" in [f.code for f in decision.findings]
    assert "assume" in texts[of(history[0], Feedback)[0].text_sha256]
    assert not of(history[0], Candidate)


def test_summaries_cost_what_they_cost():
    history, _, _ = run([ACT, "the summary", TRACES["reference"]], 1, show=Show.SUMMARY)
    generation = of(history[0], Generation)[0]
    assert generation.prompts == 3
    assert generation.completion_tokens is not None or generation.estimated_tokens is not None
    (group,) = of(history[0], ActionGroup)
    assert (group.rule, group.chosen) == ("setting", "summary")
    scored = [ACT, "the summary", TRACES["reference"]]
    history, _, _ = run(
        scored, 1, show=Show.SCORE, scorer=lambda prompt, text: [-1.0 if "sum" in text else -9.0]
    )
    (group,) = of(history[0], ActionGroup)
    assert (group.rule, group.chosen) == ("score", "summary")
    assert group.summary_score > group.raw_score
    generation = of(history[0], Generation)[0]
    assert generation.prompts == 5
    assert generation.prompt_tokens is None  # scoring is not stated by any server
    assert generation.estimated_tokens > 0


def test_an_agent_that_never_proves_ends():
    able = Capabilities(stop=True, reports_stop=True)
    history, _, _ = run([ACT] * 60, 1, capabilities=able)
    verdict = of(history[0], MonitorVerdict)[0]
    assert not verdict.ok
    assert of(history[0], GenerationClosed)[0].disposition is Disposition.PROTOCOL_REJECTED


def test_which_protocols_the_loop_takes():
    for name in ("proof", "proof-pass"):
        assert LiveSettings(load_protocol(name)).protocol.name == name
    for name in set(shipped()) - {"proof", "proof-pass"}:
        with pytest.raises(UsageError) as caught:
            LiveSettings(load_protocol(name))
        assert caught.value.hint
