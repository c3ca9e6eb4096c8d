"""The live loop with scripted models and the results that real Verus gave for these texts."""

from __future__ import annotations

import json
from contextlib import aclosing
from dataclasses import replace
from itertools import pairwise

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from verulaw_gate.agent.errors import (
    ClientAuth,
    ClientBusy,
    ClientDiverged,
    ClientExhausted,
    ClientServerFault,
)
from verulaw_gate.agent.model import Capabilities, Price
from verulaw_gate.agent.scripted import Line, ScriptedClient
from verulaw_gate.codes import PREDICTIVE
from verulaw_gate.data import corpora_dir
from verulaw_gate.errors import ToolError
from verulaw_gate.experiment.closing import spent
from verulaw_gate.experiment.live import LiveSettings, LiveStepper
from verulaw_gate.experiment.live_events import left_seconds, meter_for
from verulaw_gate.experiment.live_judge import fixed
from verulaw_gate.experiment.model import (
    CUT_BY,
    Budgets,
    EpisodeSpec,
    GenerationRecord,
    OutOfBudget,
)
from verulaw_gate.findings import Edit, Finding
from verulaw_gate.gate import Gate
from verulaw_gate.gate.model import Decision, SourceKind
from verulaw_gate.monitor import CorrectionMode, run_trace
from verulaw_gate.protocol import load_protocol
from verulaw_gate.record.events import (
    EVENT,
    ActionGroup,
    Arm,
    ArmKind,
    Candidate,
    CorrectionIssued,
    CorrectionOutcome,
    Disposition,
    Feedback,
    FeedbackSource,
    GateDecision,
    Generation,
    GenerationClosed,
    MonitorVerdict,
    Resolution,
    VerificationDone,
    VerusRequest,
)
from verulaw_gate.record.store import sha256_of
from verulaw_gate.tasks import labelled_traces, load_suite
from verulaw_gate.verus import Outcome, RecordedVerifier, Verification

SUITE = load_suite()
TASKS = {task.id: task for task in SUITE}
TASK = TASKS["t01-max-of-slice"]
TRACES = {trace.name: trace.text for trace in labelled_traces(TASK)}
VERIFIER = RecordedVerifier.of(SUITE)
texts_of: dict[str, str] = {}
NO_PREFILL = Capabilities(stop=True, reports_stop=True)


def arm(kind: ArmKind, **more) -> Arm:
    more.setdefault("early_stop", kind is ArmKind.ON)
    return Arm(name=kind.value, kind=kind, **more)


def run(
    lines,
    kind=ArmKind.ON,
    *,
    task=TASK,
    verifier=VERIFIER,
    capabilities=None,
    budgets=None,
    chunk=7,
    settings=None,
    **more,
) -> tuple[list[GenerationRecord], ScriptedClient, list]:
    """One generation for each line, each stepper new: nothing may be kept in between."""
    client = ScriptedClient(
        lines, chunk=chunk, **({} if capabilities is None else {"capabilities": capabilities})
    )
    spec = EpisodeSpec(task, arm(kind, **more), 0, 7, budgets or Budgets(generations=10))
    history: list[GenerationRecord] = []
    texts = texts_of
    texts.clear()
    notes = []
    settings = settings or LiveSettings(load_protocol("proof"))
    while len(client.prompts) < len(lines):
        stepper = LiveStepper(client, verifier, settings, watch=notes.append)
        record = stepper(spec, history, texts.get)
        texts.update(record.texts)
        # What comes back from a store has no texts of its own.
        history.append(GenerationRecord(tuple(_stored(e) for e in record.events)))
        for event in record.events:
            for name in ("text_sha256", "final_text_sha256", "source_sha256"):
                key = getattr(event, name, None)
                if isinstance(event, Generation | Feedback | Candidate) and key is not None:
                    assert key in texts
        assert isinstance(record.events[0], Generation)
        assert isinstance(record.events[-1], GenerationClosed)
    return history, client, notes


def _stored(event):
    return EVENT.validate_json(event.model_dump_json())


def of(record: GenerationRecord, kind):
    return [e for e in record.events if isinstance(e, kind)]


def disposition(record: GenerationRecord) -> Disposition:
    return of(record, GenerationClosed)[0].disposition


def test_on_from_a_cheat_over_a_failure_to_the_proof():
    lines = [TRACES["gate-assume-tail"], TRACES["fail-no-witness"], TRACES["reference"]]
    history, client, _ = run(lines)
    assert [disposition(r) for r in history] == [
        Disposition.GATE_REJECTED,
        Disposition.RECORDED,
        Disposition.RECORDED,
    ]
    cheat, failure, proof = history
    assert not of(cheat, VerusRequest)
    assert of(cheat, Feedback)[0].source is FeedbackSource.GATE
    assert "VG301" in of(cheat, Feedback)[0].codes
    assert of(failure, VerificationDone)[0].outcome is Outcome.PROOF_FAILURE
    assert of(failure, Feedback)[0].source is FeedbackSource.VERUS
    done = of(proof, VerificationDone)[0]
    assert (done.outcome, done.target_proved) == (Outcome.VERIFIED, True)
    assert not of(proof, Feedback)
    last = client.prompts[-1]
    assert [str(m.role) for m in last.messages] == [
        "user",
        "assistant",
        "user",
        "assistant",
        "user",
    ]
    assert "assume" in last.messages[2].content
    assert "could not prove" in last.messages[4].content
    kept = json.loads(texts_of[of(cheat, Generation)[0].prompt_sha256])
    first = client.prompts[0]
    assert kept["system"] == first.system
    assert kept["messages"] == [[str(m.role), m.content] for m in first.messages]
    assert of(failure, Generation)[0].prompt_sha256 is None
    outcome = of(failure, CorrectionOutcome)[0]
    assert (outcome.of_generation, outcome.next_state_legal, outcome.run_complete) == (
        1,
        True,
        True,
    )
    assert outcome.verified is False


def test_the_stream_of_a_cheat_is_stopped_before_its_end():
    text = TRACES["gate-assume-tail"] + "\n" + "x" * 3000
    history, client, notes = run([text])
    generation = of(history[0], Generation)[0]
    assert generation.stopped_early_at < len(TRACES["gate-assume-tail"])
    assert generation.unread_tokens > 0
    assert generation.completion_tokens is None
    assert generation.estimated_tokens > 0
    assert client.remaining_chars > 2900
    assert any(n.kind == "stopped" for n in notes)


@pytest.mark.parametrize("kind", [ArmKind.SHADOW_OFF, ArmKind.SHADOW_ON])
def test_shadow_arms_read_everything(kind):
    text = TRACES["gate-assume-tail"]
    history, _, _ = run([text], kind, early_stop=True)
    generation = of(history[0], Generation)[0]
    assert generation.stopped_early_at is None
    assert generation.chars == len(text)


def test_shadow_off_hears_verus_and_the_gate_only_judges():
    history, _, _ = run([TRACES["fail-no-witness"], TRACES["gate-assume-tail"]], ArmKind.SHADOW_OFF)
    first, cheat = history
    assert of(first, Feedback)[0].source is FeedbackSource.VERUS
    decisions = of(cheat, GateDecision)
    assert {d.form for d in decisions} == {"trace", "source"}
    assert all(not d.acted for d in decisions)
    assert all(d.decision is Decision.REJECTED for d in decisions)
    request = of(cheat, VerusRequest)[0]
    assert request.heard
    assert of(cheat, VerificationDone)[0].outcome is Outcome.VERIFIED
    assert disposition(cheat) is Disposition.RECORDED


def test_shadow_on_hears_the_gate_and_verus_runs_silently():
    history, _, _ = run([TRACES["gate-assume-tail"]], ArmKind.SHADOW_ON)
    request = of(history[0], VerusRequest)[0]
    assert not request.heard
    assert of(history[0], VerificationDone)[0].outcome is Outcome.VERIFIED
    assert of(history[0], Feedback)[0].source is FeedbackSource.GATE
    assert disposition(history[0]) is Disposition.GATE_REJECTED
    assert not any(d.acted for d in of(history[0], GateDecision))
    acting, _, _ = run([TRACES["gate-assume-tail"]])
    assert all(d.acted for d in of(acting[0], GateDecision))


def test_off_sends_everything_and_no_gate_speaks():
    names = ["gate-assume-tail", "proto-chatty", "gate-fenced"]
    history, _, _ = run([TRACES[n] for n in names], ArmKind.OFF)
    for record in history:
        assert not of(record, GateDecision)
        assert of(record, VerusRequest)[0].heard
    assert disposition(history[0]) is Disposition.RECORDED


def test_random_rejects_without_knowing():
    lines = [TRACES["reference"]] * 12
    history, _, _ = run(lines, ArmKind.RANDOM, random_rate=0.5)
    again, _, _ = run(lines, ArmKind.RANDOM, random_rate=0.5)
    kinds = [disposition(r) for r in history]
    assert kinds == [disposition(r) for r in again]
    assert {Disposition.RANDOM_REJECTED, Disposition.RECORDED} == set(kinds)
    none, _, _ = run(lines[:3], ArmKind.RANDOM, random_rate=0.0)
    assert {disposition(r) for r in none} == {Disposition.RECORDED}


def test_the_same_proof_again_is_not_sent_again():
    text = TRACES["fail-no-witness"]
    same = text.replace("{\n", "{\n    // a comment more\n", 1)
    history, _, _ = run([text, same])
    assert disposition(history[1]) is Disposition.REUSED
    request = of(history[1], VerusRequest)[0]
    assert request.resolution is Resolution.REUSE
    assert of(history[1], VerificationDone)[0].origin == "cache"
    assert [d.decision for d in of(history[1], GateDecision)][-1] is Decision.REUSED
    for kind, wanted in [(ArmKind.OFF, Disposition.RECORDED), (ArmKind.CACHE, Disposition.REUSED)]:
        history, _, _ = run([text, text], kind)
        assert disposition(history[1]) is wanted


def test_prefix_correction_is_one_generation():
    broken = "[QED]\n" + "chatter " * 40
    rest = TRACES["reference"].removeprefix("[")
    history, _, _ = run([broken, rest], budgets=Budgets(generations=10))
    assert len(history) == 1
    record = history[0]
    generation = of(record, Generation)[0]
    assert generation.prompts == 2
    issued = of(record, CorrectionIssued)
    assert [(i.cause, i.mode, i.append_chars) for i in issued] == [("VG002", "prefix", 1)]
    outcome = of(record, CorrectionOutcome)[0]
    assert (outcome.next_state_legal, outcome.run_complete, outcome.verified) == (True, True, True)
    kinds = [c.source_kind for c in of(record, Candidate)]
    assert kinds == [SourceKind.ACCEPTED_PREFIX]
    raw, final = of(record, GateDecision)
    assert (raw.source_kind, raw.decision) == (SourceKind.RAW, Decision.REJECTED)
    assert final.decision is Decision.ACCEPTED
    verdict = of(record, MonitorVerdict)[0]
    assert verdict.violation.code == "VG002"
    assert verdict.violation.offset == 0


def test_feedback_correction_is_a_new_generation():
    broken = "[QED]\nchatter"
    history, client, _ = run([broken, TRACES["reference"]], capabilities=NO_PREFILL)
    assert [disposition(r) for r in history] == [
        Disposition.PROTOCOL_REJECTED,
        Disposition.RECORDED,
    ]
    assert of(history[0], CorrectionIssued)[0].mode is CorrectionMode.FEEDBACK
    assert "[Lemma] or [Body]" in client.prompts[1].messages[-1].content
    # Nothing was accepted: there is no empty assistant message.
    assert all(m.content.strip() for m in client.prompts[1].messages)
    outcome = of(history[1], CorrectionOutcome)[0]
    assert (outcome.of_generation, outcome.verified) == (1, True)


@pytest.mark.parametrize(
    ("text", "code", "able"),
    [("Here is the proof.\n{}", "VG001", NO_PREFILL),
     ("```rust\n{}\n```\n", "VG102", NO_PREFILL),
     ("{}\nThis completes the proof.\n", "VG005", NO_PREFILL),
     ("{}\nThis completes the proof.\n", "VG005", None),
     ("{}", "VG006", NO_PREFILL), ("{}", "VG006", None)],
)  # fmt: skip
def test_repair_is_on_and_counted_apart(text, code, able):
    """With and without prefill: what can be mended without the model is a repair, no correction.
    (Prose or a fence before the first marker is corrected at once where the model can prefill.)"""
    answer = text.format(TRACES["reference"].strip())
    if code == "VG006":
        answer = answer.removesuffix("[QED]")
    history, _, _ = run([answer], capabilities=able)
    assert not of(history[0], CorrectionIssued)
    decisions = of(history[0], GateDecision)
    assert decisions[0].source_kind is SourceKind.RAW
    assert decisions[0].decision is Decision.REJECTED
    if decisions[-1].source_kind is SourceKind.REPAIRED:
        assert code in decisions[-1].repairs
    assert of(history[0], VerificationDone)[0].outcome is Outcome.VERIFIED
    assert of(history[0], Candidate)[0].source_kind is SourceKind.REPAIRED


def test_errors_of_the_endpoint():
    fault = ClientServerFault("down")
    history, _, _ = run([Line("[Lem", error=fault)])
    assert disposition(history[0]) is Disposition.MODEL_ERROR
    assert not of(history[0], MonitorVerdict)[0].ran
    assert "down" in of(history[0], Generation)[0].stop_reason
    history, client, _ = run([Line("", error=ClientBusy("busy")), TRACES["reference"]])
    assert len(client.prompts[1].messages) == 1  # a generation without an answer leaves no trace
    for error in (ClientAuth("no key"), ClientDiverged("other"), ClientExhausted("empty")):
        with pytest.raises(type(error)):
            run([Line("", error=error)])


def step(client, budgets, history=(), *, settings=None, kind=ArmKind.ON, watch=lambda note: None):
    spec = EpisodeSpec(TASK, arm(kind), 0, 1, budgets)
    settings = settings or LiveSettings(load_protocol("proof"))
    return LiveStepper(client, VERIFIER, settings, watch=watch)(
        spec, list(history), lambda key: None
    )


def test_the_time_budget_ends_a_hung_model():
    client = ScriptedClient([TRACES["reference"]], pause=30.0)
    notes = []
    record = step(client, Budgets(generations=3, seconds=0.05), watch=notes.append)
    assert disposition(record) is Disposition.CUT_OFF
    assert [n.kind for n in notes] == ["generation", "cut"]
    assert "budget" in of(record, Generation)[0].stop_reason


class Hanging(ScriptedClient):
    """Says its last line and then nothing, for ever."""

    async def stream(self, prompt, *, stop=(), max_tokens=4096):
        async with aclosing(super().stream(prompt, stop=stop, max_tokens=max_tokens)) as chunks:
            async for chunk in chunks:
                if chunk.finish is not None and len(self.prompts) == len(self._lines):
                    await anyio.sleep_forever()
                yield chunk


@pytest.mark.parametrize("protocol", ["proof", "proof-pass"])
@pytest.mark.parametrize("how", ["seconds", "fault"])
def test_what_a_cut_answer_said_and_cost_is_kept(protocol, how):
    """However it was cut, in whatever turn: the text that arrived is stored, its tokens are
    estimated and said to be so, its seconds count."""
    text = "[Lemma]\nproof fn a() { }\n" + "// more\n" * 40
    fault = ClientServerFault("down") if how == "fault" else None
    acted = "[Plan] p\n[Action] calculator\n[Action Input] 6*7\n[Summary]"
    lines = [Line(text, error=fault)]
    if protocol == "proof-pass":
        lines = [acted, "forty-two", *lines]
    client = ScriptedClient(lines, chunk=20) if fault else Hanging(lines, chunk=20)
    settings = LiveSettings(load_protocol(protocol), price=Price(1.0, 2.0))
    record = step(client, Budgets(seconds=None if fault else 2.0), settings=settings)
    assert disposition(record) is (Disposition.MODEL_ERROR if fault else Disposition.CUT_OFF)
    made = of(record, Generation)[0]
    said = record.texts[made.text_sha256]
    assert said == (text if protocol == "proof" else acted + text)
    tools = [a.tool for group in of(record, ActionGroup) for a in group.actions]
    assert tools == ([] if protocol == "proof" else ["calculator"])
    assert made.chars == len(said)
    assert made.prompts == len(client.prompts)
    assert made.completion_tokens is None
    asked = sum(p.characters for p in client.prompts)
    assert made.prompt_chars == asked
    assert made.estimated_tokens == pytest.approx((asked + len(said)) / 3.5, abs=10)
    assert made.cost_usd > 0
    assert made.seconds > 0
    assert json.loads(record.texts[made.prompt_sha256])["system"] == client.prompts[0].system
    totals = spent([record.events])
    assert (totals.generations, totals.completion_tokens) == (0, None)
    assert totals.spent_tokens == made.estimated_tokens
    assert totals.model_seconds == made.seconds


@pytest.mark.parametrize("kind", [ArmKind.ON, ArmKind.OFF, ArmKind.SHADOW_ON])
@pytest.mark.parametrize("budget", ["tokens", "money"])
@pytest.mark.parametrize("left", [-1, 0, 1, 5, 40, 100, 400])
def test_the_last_generation_stays_within_the_budget(kind, budget, left):
    """`left`: how many answer tokens the budget has beyond the first prompt. What our own limit
    cuts off is stored, and neither judged nor counted as an answer."""
    reference = TRACES["reference"]
    needed = -(-len(reference) * 2 // 7)
    plain = LiveSettings(load_protocol("proof"))
    probe = ScriptedClient([reference])
    step(probe, Budgets(), settings=plain)
    total = -(-probe.prompts[0].characters * 2 // 7) + left
    budgets = Budgets(tokens=total) if budget == "tokens" else Budgets(cost_usd=(total + 0.5) / 1e6)
    client = ScriptedClient([reference])
    settings = replace(plain, price=Price(1.0, 1.0))
    if left < 1:
        with pytest.raises(OutOfBudget) as ended:
            step(client, budgets, settings=settings, kind=kind)
        assert (ended.value.budget.value, client.prompts) == (budget, [])
        return
    record = step(client, budgets, settings=settings, kind=kind)
    made = of(record, Generation)[0]
    totals = spent([record.events])
    assert totals.spent_tokens <= total
    if left >= needed:
        assert disposition(record) is Disposition.RECORDED
        return
    assert disposition(record) is Disposition.CUT_OFF
    assert CUT_BY[made.stop_reason].value == budget
    assert totals.generations == 0
    assert len(client.prompts) == 1
    assert reference.startswith(record.texts[made.text_sha256])
    assert not of(record, GateDecision)
    assert not of(record, Candidate)


def test_a_run_that_was_stopped_at_a_finding_is_not_said_to_be_incomplete():
    """Whether it would have come to its end was not observed; in a shadow arm it was."""
    lines = [TRACES["gate-assume-tail"]] * 2
    observed = {}
    for kind in (ArmKind.ON, ArmKind.SHADOW_ON):
        history, _, _ = run(lines, kind)
        (outcome,) = of(history[1], CorrectionOutcome)
        observed[kind] = (outcome.next_state_legal, outcome.run_complete, outcome.verified)
    assert observed == {ArmKind.ON: (True, None, None), ArmKind.SHADOW_ON: (True, True, None)}


@pytest.mark.parametrize("early_stop", [True, False])
@pytest.mark.parametrize("kind", [ArmKind.ON, ArmKind.SHADOW_ON, ArmKind.SHADOW_OFF, ArmKind.OFF])
def test_the_protocols_verdict_is_that_of_all_that_was_read(kind, early_stop):
    """A finding of the gate hides no violation that comes after it, so that the arms can be
    compared; only a stream that was stopped there has nothing after it."""
    text = TRACES["gate-assume-tail"] + "\nand then some words\n"
    stops = early_stop and kind is ArmKind.ON
    history, _, _ = run([text], kind, early_stop=early_stop)
    verdict = of(history[0], MonitorVerdict)[0]
    assert (of(history[0], Generation)[0].stopped_early_at is not None) == stops
    if stops:
        assert (verdict.ok, verdict.violation) == (False, None)
    else:
        expected = run_trace(load_protocol("proof"), text)
        assert verdict.violation.violation is expected.violation.kind
        assert text[verdict.violation.offset :].startswith("and then")


def test_a_message_about_the_format_names_no_other_code():
    """An answer without an end, cut within its braces: the model hears of the violation alone."""
    history, _, _ = run(["[Lemma]\nproof fn a() { assert(true);"], capabilities=NO_PREFILL)
    assert disposition(history[0]) is Disposition.PROTOCOL_REJECTED
    assert of(history[0], Feedback)[0].codes == ("VG006",)
    assert of(history[0], CorrectionIssued)[0].cause == "VG006"
    decided = of(history[0], GateDecision)[0]
    assert {"VG101", "VG006"} <= {f.code for f in decided.findings}


@pytest.mark.parametrize("covered", [1, 2])
def test_an_answer_is_judged_though_its_correction_is_not_covered(covered):
    """Else rejected answers would drop out of the tables at the end of a budget, and accepted ones
    would not. The correction that was never sent is not counted as one."""
    bad = "[Lemma]\nproof fn a() { }\n[QED]\n"
    worse = "QED]\n"
    probe = ScriptedClient([bad, worse, worse, worse])
    step(probe, Budgets())
    asked = sum(-(-p.characters * 2 // 7) for p in probe.prompts[:covered])
    # The stream of a violation is stopped: both its tokens and those of the prompt are estimates.
    budgets = Budgets(tokens=asked + 60)
    client = ScriptedClient([bad, worse, worse, worse])
    record = step(client, budgets)
    assert len(client.prompts) == covered
    assert disposition(record) is Disposition.PROTOCOL_REJECTED
    assert of(record, Feedback)
    assert record.texts[of(record, Generation)[0].text_sha256] == bad
    verdict = of(record, MonitorVerdict)[0]
    assert verdict.violation.code == "VG002"
    issued = of(record, CorrectionIssued)
    assert [c.mode for c in issued[:-1]] == [CorrectionMode.PREFIX] * (covered - 1)
    assert issued[-1].mode is CorrectionMode.FEEDBACK
    assert [o.next_state_legal for o in of(record, CorrectionOutcome)] == [False] * (covered - 1)
    assert spent([record.events]).generations == 1


def test_silent_and_strict_runs_are_not_on_the_clock_of_the_episode():
    """The arms have the same time: what is left is what the totals leave, in every arm."""
    for kind in (ArmKind.ON, ArmKind.SHADOW_ON, ArmKind.OFF):
        history, _, _ = run([TRACES["gate-assume-tail"], TRACES["fail-no-witness"]], kind)
        totals = spent([r.events for r in history])
        heard = [
            e.wall_s
            for r in history
            for e in of(r, VerificationDone)
            if any(q.heard and q.source_sha256 == e.source_sha256 for q in of(r, VerusRequest))
        ]
        left = left_seconds(Budgets(seconds=1000.0), history)
        assert left == pytest.approx(1000.0 - totals.model_seconds - sum(heard))
        assert (len(heard) < len([e for r in history for e in of(r, VerificationDone)])) == (
            kind is ArmKind.SHADOW_ON
        )


def test_a_prompt_is_estimated_at_the_rate_that_was_counted():
    made = Generation(prompt_chars=1000, prompt_tokens=500, completion_tokens=20)
    history = [GenerationRecord((made, GenerationClosed(disposition=Disposition.RECORDED)))]
    meter = meter_for(Budgets(tokens=1000, cost_usd=1.0), history, Price(1.0, 1.0))
    assert (meter.tokens, meter.money, meter.characters_per_token) == (480, 1.0, 2.0)


def test_tokens_and_money():
    settings = LiveSettings(load_protocol("proof"), price=Price(1.0, 2.0))
    history, _, _ = run([TRACES["fail-no-witness"]], settings=settings)
    generation = of(history[0], Generation)[0]
    expected = (generation.prompt_tokens + 2 * generation.completion_tokens) / 1e6
    assert generation.cost_usd == pytest.approx(expected)
    assert generation.estimated_tokens is None
    history, _, _ = run([TRACES["fail-no-witness"]])
    assert of(history[0], Generation)[0].cost_usd is None


def test_feedback_keeps_to_its_budget():
    long = LiveSettings(load_protocol("proof"), feedback_tokens=10_000)
    short = LiveSettings(load_protocol("proof"), feedback_tokens=1)
    for task in SUITE:
        for trace in labelled_traces(task):
            if not trace.name.startswith("fail-"):
                continue
            whole, _, _ = run([trace.text], ArmKind.OFF, task=task, settings=long)
            cut, _, _ = run([trace.text], ArmKind.OFF, task=task, settings=short)
            chars = [of(h[0], Feedback)[0].chars for h in (whole, cut)]
            assert chars[1] <= chars[0]
        break


class Broken:
    def verify(self, source, options, *, target=None):
        return Verification(Outcome.TOOL_ERROR, None, "0" * 64, options, stderr="no z3")


def test_verus_that_cannot_run_is_an_error_not_a_result():
    with pytest.raises(ToolError, match="no z3"):
        run([TRACES["reference"]], verifier=Broken())


def test_an_attempt_without_a_recorded_result_is_unscored():
    text = TRACES["reference"].replace("m = s[i];", "m = s[i]; let unseen = 0;")
    history, _, _ = run([text])
    assert disposition(history[0]) is Disposition.UNSCORED
    assert not of(history[0], VerificationDone)


def test_every_honest_reference_gets_through_every_arm():
    """The worst bug is to reject what Verus accepts: 0 of all references, in every arm."""
    for task in SUITE:
        for kind in (ArmKind.ON, ArmKind.SHADOW_ON, ArmKind.OFF):
            history, _, _ = run([task.reference], kind, task=task, chunk=11)
            assert len(history) == 1
            requests = of(history[0], VerusRequest)
            assert requests, (task.id, kind)
            if kind is not ArmKind.OFF:
                done = of(history[0], VerificationDone)[0]
                assert (done.outcome, done.target_proved) == (Outcome.VERIFIED, True), task.id


def test_a_stopped_shadow_is_not_possible_and_chunks_do_not_matter():
    for kind in (ArmKind.ON, ArmKind.SHADOW_ON):
        seen = set()
        for chunk in (1, 5, 1000):
            history, _, _ = run([TRACES["fail-no-witness"]], kind, chunk=chunk)
            events = [replace_times(e) for e in history[0].events if not isinstance(e, Generation)]
            seen.add(tuple(e.model_dump_json() for e in events))
        assert len(seen) == 1


def replace_times(event):
    return event.model_copy(update={"seconds": None}) if hasattr(event, "seconds") else event


def test_the_arm_says_whether_a_message_carries_its_fix():
    text = TRACES["gate-assume-tail"]
    with_fix, _, _ = run([text], fix_message=True)
    without, _, _ = run([text], fix_message=False)
    assert of(with_fix[0], CorrectionIssued)[0].with_fix
    assert not of(without[0], CorrectionIssued)[0].with_fix
    assert of(without[0], Feedback)[0].chars < of(with_fix[0], Feedback)[0].chars


def test_settings_are_values():
    settings = LiveSettings(load_protocol("proof"))
    assert replace(settings, max_tokens=5).max_tokens == 5


class Agreeable:
    """A stand-in verifier, no Verus: it says yes to everything and keeps what it was asked."""

    def __init__(self):
        self.asked = []

    def verify(self, source, options, *, target=None):
        self.asked.append(source)
        return Verification(
            Outcome.VERIFIED, True, sha256_of(source), options, verified=1, errors=0
        )


def test_autofix_mends_before_the_model_is_asked_again_and_is_counted_apart():
    text = TRACES["fail-no-decreases"]
    judged = Gate(TASK).check(text)
    if not all(f.fix for f in judged.findings) or judged.accepted:
        layers = [f"{layer.name}: {layer.reason}" for layer in judged.layers if not layer.ran]
        pytest.skip(f"no finding with a mechanical fix here; not run: {', '.join(layers)}")
    verifier = Agreeable()
    history, _, notes = run([text], repair=True, verifier=verifier)
    raw, final = of(history[0], GateDecision)
    assert (raw.source_kind, raw.decision) == (SourceKind.RAW, Decision.REJECTED)
    assert (final.source_kind, final.decision) == (SourceKind.REPAIRED, Decision.ACCEPTED)
    assert "VG251" in final.repairs
    assert of(history[0], Candidate)[0].source_kind is SourceKind.REPAIRED
    (source,) = verifier.asked
    assert "decreases" in source
    assert disposition(history[0]) is Disposition.EXECUTED
    assert any(n.kind == "repaired" for n in notes)
    without, _, _ = run([text], verifier=Agreeable())
    assert disposition(without[0]) is Disposition.GATE_REJECTED


def test_autofix_never_mends_a_cheat():
    verifier = Agreeable()
    history, _, _ = run([TRACES["gate-assume-tail"]], repair=True, verifier=verifier)
    assert disposition(history[0]) is Disposition.GATE_REJECTED
    assert verifier.asked == []


@given(
    text=st.text("abc", min_size=1, max_size=20),
    places=st.lists(st.tuples(st.integers(0, 20), st.integers(0, 3), st.text("xy", max_size=2)),
                    min_size=1, max_size=4),
)  # fmt: skip
def test_fixes_apply_all_or_nothing(text, places):
    """Against the same edits made from the left on a list of characters."""
    edits = [Edit(min(a, len(text)), min(a + n, len(text)), new) for a, n, new in places]
    findings = [Finding("VG251", "m", fix=(edit,)) for edit in edits]
    made = fixed(text, findings)
    ordered = sorted(set(edits), key=lambda e: (e.start, e.end))
    apart = all(x.end <= y.start for x, y in pairwise(ordered))
    if not apart:
        assert made is None
        return
    out, at = "", 0
    for edit in ordered:
        out += text[at : edit.start] + edit.text
        at = edit.end
    assert made == out + text[at:]
    assert fixed(text, [*findings, Finding("VG301", "no fix")]) is None


def test_no_honest_proof_is_rejected_while_it_streams():
    """Every trace that Verus verified honestly, and that keeps to the format, reaches Verus."""
    tried = 0
    for task in SUITE:
        for trace in labelled_traces(task):
            label = trace.label
            if (label.protocol, label.gate, label.verus) != ("ok", "ok", "verified"):
                continue
            history, _, _ = run([trace.text], task=task, chunk=13)
            assert of(history[0], VerusRequest), (task.id, trace.name, of(history[0], Feedback))
            tried += 1
    print(f"honest traces streamed: {tried}, rejected: 0")
    assert tried >= 70


def test_no_recorded_answer_that_verus_verified_is_stopped_by_a_predictive_rule():
    """The shipped answers of a real model, streamed: a claim that Verus's front end would refuse
    is never made of one that Verus verified."""
    tried, rejected = 0, []
    for path in sorted(corpora_dir().glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            attempt = json.loads(line)
            if attempt["verus"]["outcome"] != "verified" or attempt["task"] not in TASKS:
                continue
            history, _, _ = run(
                [attempt["text"]], task=TASKS[attempt["task"]], chunk=9, capabilities=NO_PREFILL
            )
            tried += 1
            families = {
                f.family
                for d in of(history[0], GateDecision)
                for f in d.findings
                if f.severity == "error"
            }
            if families & PREDICTIVE:
                rejected.append((path.name, attempt["task"], attempt["attempt"], families))
    print(f"verified answers streamed: {tried}")
    assert tried > 40
    assert rejected == []


def test_feedback_after_corrections_is_about_the_last_rejection():
    """Two different violations: the second one, at its own place, is what the model hears."""
    lines = ["[QED]\nx", "Lemma]\nproof fn a() { }\n[QED]\nx", "QED]\nx", "QED]\nx"]
    history, client, _ = run([*lines, TRACES["reference"]], budgets=Budgets(generations=2))
    told = client.prompts[-1].messages[-1].content
    assert "line 3" in told
    assert client.prompts[-1].messages[-2].content == "[Lemma]\nproof fn a() { }\n"
    first, last = of(history[0], GateDecision)
    assert (first.findings[0].line, last.findings[0].line) == (1, 3)
    assert first.findings[0].code == "VG002"


def test_a_finding_after_a_correction_is_told_with_its_own_line():
    cheat = TRACES["gate-assume-tail"].removeprefix("[")
    history, client, _ = run(["[QED]\nx", cheat, TRACES["reference"]])
    assert disposition(history[0]) is Disposition.GATE_REJECTED
    told = client.prompts[-1].messages[-1].content
    assert "assume" in told
    decision = of(history[0], GateDecision)[-1]
    finding = next(f for f in decision.findings if f.code == "VG301")
    assert "assume" in ("[" + cheat).split("\n")[finding.line - 1]
